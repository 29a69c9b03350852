"""Score blocks: the scores of a run's answers as arrays, worked out once under each profile and kept in the project."""

from __future__ import annotations

import dataclasses
import io
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from annotator.errors import StoreError
from annotator.metrics.aligned import GoldColumn, KnownPairs, score_known_pairs
from annotator.metrics.counts import PairScores, score_pairs
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.reading import ItemTable, RunRow, load_block, read_aligned, read_items, read_texts, save_block
from annotator.text.align import alignment_version
from annotator.text.profiles import PROFILE_VERSION

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """The scores of a run's answers, `keys` (item keys) rising; `new` when the project does not hold them yet."""

    run: RunRow
    keys: Keys
    scores: PairScores
    stamp: str
    new: bool


class Everything:
    """The items of the project, in scope or not, read when they are first needed, and what is known of their golds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._columns: dict[str, GoldColumn] = {}

    @cached_property
    def items(self) -> ItemTable:
        """All items."""
        return read_items(self.connection)

    @cached_property
    def golds(self) -> list[str]:
        """The gold of every item, "" where there is none."""
        return [gold or "" for gold in self.items.gold]

    def column(self, profile: str) -> GoldColumn:
        """All golds under a profile."""
        return self._columns.setdefault(profile, GoldColumn(self.golds, profile))

    def places(self, keys: Keys) -> Keys:
        """Where items stand in the table."""
        return np.searchsorted(self.items.keys, keys)


def find_block(everything: Everything, run: RunRow, query: Query) -> Block:
    """The scores of a run, stored or new."""
    stamp = f"{run.changed_revision}|{alignment_version()}|{PROFILE_VERSION}"
    data = load_block(everything.connection, run.key, query.profile, query.own_gold, stamp)
    if data is not None:
        return Block(run, *_decode(data), stamp, new=False)
    score = _score_own_golds if query.own_gold else _score_aligned
    return Block(run, *score(everything, run, query.profile), stamp, new=True)


def _score_aligned(everything: Everything, run: RunRow, profile: str) -> tuple[Keys, PairScores]:
    """Score a run against the items' golds: the alignment of the import is used again wherever it holds."""
    rows = read_aligned(everything.connection, run.key, alignment_version())
    keys = np.concatenate([rows.right_keys, rows.wrong[:, 0]])
    lengths = np.concatenate([rows.right_length, rows.wrong[:, 1]])
    wrong = np.arange(len(rows.right_keys), len(keys))
    known = KnownPairs(everything.places(keys), lengths, wrong, rows.wrong[:, 2:], rows.wrong_predicted)
    others = everything.places(rows.other_keys).tolist()
    parts = (
        score_known_pairs(everything.column(profile), known),
        score_pairs([everything.golds[place] for place in others], rows.other_predicted, profile),
    )
    every = np.concatenate([keys, rows.other_keys])
    order = np.argsort(every)
    columns = {
        name: np.concatenate([np.asarray(getattr(part, name)) for part in parts])[order] for name in score_fields()
    }
    return every[order], PairScores(**columns)


def _score_own_golds(everything: Everything, run: RunRow, profile: str) -> tuple[Keys, PairScores]:
    """Score a run against the golds of its own file, the item's where it has none."""
    texts = read_texts(everything.connection, run.key)
    of_items = (everything.golds[place] for place in everything.places(texts.keys).tolist())
    golds = [item if own is None else own for own, item in zip(texts.own_gold, of_items, strict=True)]
    return texts.keys, score_pairs(golds, texts.predicted, profile)


def save_new(project: Project, blocks: Sequence[Block], query: Query) -> None:
    """Keep the blocks that are new."""
    new = [block for block in blocks if block.new]
    if not new:
        return
    try:
        with project.write(raises_revision=False) as connection:
            for block in new:
                data = _encode(block.keys, block.scores)
                save_block(connection, block.run.key, query.profile, query.own_gold, block.stamp, data)
    except StoreError:
        return  # a read-only project gives the same numbers, only later


def score_fields() -> tuple[str, ...]:
    """The columns of `PairScores` in their order."""
    return tuple(field.name for field in dataclasses.fields(PairScores))


def _encode(keys: Keys, scores: PairScores) -> bytes:
    table = np.stack([keys, *(np.asarray(getattr(scores, name), dtype=np.int64) for name in score_fields())])
    buffer = io.BytesIO()
    np.save(buffer, table.astype(np.int32), allow_pickle=False)
    return buffer.getvalue()


def _decode(data: bytes) -> tuple[Keys, PairScores]:
    table = np.load(io.BytesIO(data), allow_pickle=False)
    columns = {
        name: (row.astype(bool) if name in _BOOLS else row) for name, row in zip(score_fields(), table[1:], strict=True)
    }
    return table[0].astype(np.int64), PairScores(**columns)


_BOOLS = frozenset({"exact", "str_exact", "charitable", "blank_gold"})
