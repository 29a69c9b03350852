"""Alignment of predictions with their items' golds: at import, after a gold changed, after the version changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee

from annotator.store.predictions import read_aligned_pairs, read_pairs_of, rewrite_alignments, touch_runs
from annotator.text.align import Alignment, align_many, alignment_version


def align_optional(pairs: Iterable[tuple[str | None, str]]) -> Iterator[Alignment | None]:
    """Align (gold, predicted) pairs in order; `None` where there is no gold."""
    golds, texts = tee(pairs)
    aligned = align_many(("", "") if gold is None else (gold, predicted) for gold, predicted in texts)
    for (gold, _), alignment in zip(golds, aligned, strict=True):
        yield None if gold is None else alignment


def realign_items(connection: sqlite3.Connection, item_keys: Sequence[int], revision: int) -> int:
    """Align anew every prediction of items whose gold changed; return how many."""
    return _realign(connection, read_aligned_pairs(connection, item_keys), revision)


def realign_keys(connection: sqlite3.Connection, prediction_keys: Sequence[int], revision: int) -> int:
    """Align anew single predictions; return how many."""
    return _realign(connection, read_pairs_of(connection, prediction_keys), revision)


def realign_stale(connection: sqlite3.Connection, revision: int) -> int:
    """Align anew what another version aligned; return how many."""
    return _realign(connection, read_aligned_pairs(connection, stale_against=alignment_version()), revision)


def _realign(connection: sqlite3.Connection, found: list[tuple[int, int, str | None, str]], revision: int) -> int:
    aligned = align_optional((gold, predicted) for _, _, gold, predicted in found)
    rewrite_alignments(
        connection, ((row[0], alignment) for row, alignment in zip(found, aligned, strict=True)), alignment_version()
    )
    touch_runs(connection, (row[1] for row in found), revision)
    return len(found)
