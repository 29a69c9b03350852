"""Edits of one pair: bit-parallel rows over Python integers, and one fixed walk back through them.

The rows are Hyyrö's ("A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003). One side of
the pair lies along the bits, the other is looped over. Two bits per table cell are enough for the walk:

* `same`: D[i][j] equals D[i-1][j-1]. For unequal units the diagonal is open exactly when this bit is *not* set.
* `down`: D[i][j] equals D[i-1][j] + 1 (i counts gold): a deletion is open.

What is trimmed, and why the walk stays the same:

* A common end: equal last units always walk diagonally.
* A common beginning of p units: the table below and right of (p, p) is the table of the rest. Where the walk leaves
  that part beside the corner, one prefix is a prefix of the other, D is the difference of the lengths, and so every
  step is a match where the units are equal, otherwise towards the diagonal.

Memory: tables of more than `TABLE_BITS` cells are kept in blocks; the walk computes a block again from the state kept at its
start. So n x m cells cost twice the time and about 2 * sqrt(loop) rows, never the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

SUBSTITUTION, DELETION, INSERTION = 0, 1, 2
TABLE_BITS = 1 << 26

Step = tuple[int, int, int]


def edit_steps(gold: Sequence[str], predicted: Sequence[str]) -> list[Step]:
    """Return the edits (kind, gold index, predicted index) of one pair in reading order; `[]` for equal sides.

    Unit-cost Levenshtein; walking back from the end prefers the diagonal, then a deletion, then an insertion. A
    deletion carries max(j - 1, 0), where j predicted units are consumed; an insertion the gold index that it precedes.
    """
    i, j = len(gold), len(predicted)
    while i and j and gold[i - 1] == predicted[j - 1]:
        i -= 1
        j -= 1
    start, shorter = 0, min(i, j)
    while start < shorter and gold[start] == predicted[start]:
        start += 1
    steps: list[Step] = []
    if start < shorter:
        if i == j and i - start <= 2:
            # Both ends differ, and one or two substitutions in equal lengths cannot be beaten.
            return [(SUBSTITUTION, at, at) for at in range(start, i)]
        i, j = _walk_table(gold, predicted, start, i, j, steps)
    _walk_corner(gold, predicted, i, j, steps)
    steps.reverse()
    return steps


def _walk_table(
    gold: Sequence[str], predicted: Sequence[str], start: int, i: int, j: int, steps: list[Step]
) -> tuple[int, int]:
    """Walk from (i, j) until one side is back at `start`; append the steps, last one first."""
    by_gold = i < j
    loop = gold[start:i] if by_gold else predicted[start:j]
    bits = predicted[start:j] if by_gold else gold[start:i]
    rows = _Rows(bits, loop, keep_horizontal=by_gold)
    for first in reversed(rows.block_starts):
        same, down = rows.block(first)
        low = start + first
        while (i > low and j > start) if by_gold else (j > low and i > start):
            if gold[i - 1] == predicted[j - 1]:
                i -= 1
                j -= 1
                continue
            row, bit = (i - 1 - low, j - 1 - start) if by_gold else (j - 1 - low, i - 1 - start)
            if not same[row] >> bit & 1:
                i -= 1
                j -= 1
                steps.append((SUBSTITUTION, i, j))
            elif down[row] >> bit & 1:
                i -= 1
                steps.append((DELETION, i, j - 1))
            else:
                j -= 1
                steps.append((INSERTION, i, j))
    return i, j


def _walk_corner(gold: Sequence[str], predicted: Sequence[str], i: int, j: int, steps: list[Step]) -> None:
    """Walk on from (i, j) where one prefix is a prefix of the other; once i = j only matches are left."""
    while i != j:
        if i and j and gold[i - 1] == predicted[j - 1]:
            i -= 1
            j -= 1
        elif i > j:
            i -= 1
            steps.append((DELETION, i, max(j - 1, 0)))
        else:
            j -= 1
            steps.append((INSERTION, i, j))


class _Rows:
    """The rows of one table, made in blocks of whole rows so that memory stays bounded."""

    def __init__(self, bits: Sequence[str], loop: Sequence[str], *, keep_horizontal: bool) -> None:
        self.loop = loop
        self.keep_horizontal = keep_horizontal
        self.mask = (1 << len(bits)) - 1
        self.where: dict[str, int] = {}
        for at, unit in enumerate(bits):
            self.where[unit] = self.where.get(unit, 0) | 1 << at
        small = len(bits) * len(loop) <= TABLE_BITS
        self.size = len(loop) if small else isqrt(len(loop)) + 1
        self.block_starts = range(0, len(loop), self.size)
        self._states = [(self.mask, 0)]
        for first in self.block_starts[:-1]:
            self._states.append(self._run(first, [], []))

    def block(self, first: int) -> tuple[list[int], list[int]]:
        """Return the `same` and `down` rows of the block that starts at row `first`."""
        same: list[int] = []
        down: list[int] = []
        self._run(first, same, down)
        return same, down

    def _run(self, first: int, same: list[int], down: list[int]) -> tuple[int, int]:
        keep = len(self.block_starts) == 1 or len(self._states) == len(self.block_starts)
        mask, where = self.mask, self.where
        up, falls = self._states[first // self.size]
        for unit in self.loop[first : first + self.size]:
            at = where.get(unit, 0)
            zero = ((((at & up) + up) ^ up) | at | falls) & mask
            rises = falls | (mask ^ (zero | up))
            fall = zero & up
            if keep:
                same.append(zero)
                if self.keep_horizontal:
                    down.append(rises)
            shifted = (rises << 1 | 1) & mask
            up = (fall << 1 & mask) | (mask ^ (zero | shifted))
            falls = shifted & zero
            if keep and not self.keep_horizontal:
                down.append(up)
        return up, falls
