"""Edits of many pairs: in Python as long as that is quicker, in compiled code once the work is worth loading it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from annotator.text.bitrows import Step, edit_steps

# Measured: below this mean length (in units of predicted) writing the codes costs more than the Python rows.
COMPILED_FROM = 16
# Rows of long pairs done in Python before the compiled code is loaded: about as long as loading and compiling take.
ROWS_BEFORE_LOADING = 4_000_000

Sides = tuple[Sequence[str], Sequence[str]]
T = TypeVar("T")


class BulkSteps:
    """Gives the edits of chunk after chunk of pairs, and counts the work to decide who does it."""

    def __init__(self, rows_before_loading: int = ROWS_BEFORE_LOADING) -> None:
        self.rows_before_loading = rows_before_loading
        self.rows = 0

    def steps(self, pairs: Sequence[Sides]) -> list[list[Step]]:
        """Return `edit_steps` of every (gold, predicted) pair of unit lists, in their order."""
        rows = sum(len(predicted) for _, predicted in pairs)
        if rows < COMPILED_FROM * len(pairs):
            return [edit_steps(gold, predicted) for gold, predicted in pairs]
        self.rows += rows
        if self.rows < self.rows_before_loading and "annotator.text.compiled" not in sys.modules:
            return [edit_steps(gold, predicted) for gold, predicted in pairs]
        from annotator.text.compiled import edit_steps_many

        return edit_steps_many(pairs)


def chunks(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut a stream into lists of `size` rows, the last one shorter; nothing for an empty stream."""
    stream = iter(rows)
    while chunk := list(islice(stream, size)):
        yield chunk
