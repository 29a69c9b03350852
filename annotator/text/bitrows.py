"""Edits of one pair: bit-parallel rows over Python integers, and one fixed walk back through them.

The rows are Hyyrö's ("A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003): gold lies
along the bits, predicted is looped over. Two bits per table cell are enough for the walk:

* `same`: D[i][j] equals D[i-1][j-1]. For unequal units the diagonal is open exactly when this bit is *not* set.
* `up`: D[i][j] equals D[i-1][j] + 1, so a deletion is open.

What is trimmed first, and why the walk stays the same:

* A common end: equal last units always walk diagonally.
* A common beginning of p units: the table below and right of (p, p) is the table of the rest. Where the walk leaves
  that part beside its corner, one prefix is a prefix of the other, D is the difference of the two lengths, and so
  every step is a match where the units are equal, and otherwise one towards the diagonal.

Two sides of equal length whose distance (from rapidfuzz) is their number of differing places need no table at all.

Memory: a table of more than `TABLE_BITS` cells is never held whole. The state at the start of every block of rows is
kept, and the walk computes a block again when it comes to it: twice the time, about 4 * sqrt(rows) rows of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import isqrt

SUBSTITUTION, DELETION, INSERTION = 0, 1, 2
TABLE_BITS = 1 << 26

Step = tuple[int, int, int]
_Rows = tuple[list[int], list[int]]


def edit_steps(gold: Sequence[str], predicted: Sequence[str]) -> list[Step]:
    """Return the edits (kind, gold index, predicted index) of one pair in reading order; `[]` for equal sides.

    Unit-cost Levenshtein; walking back from the end prefers the diagonal, then a deletion, then an insertion. A
    deletion carries max(j - 1, 0), where j predicted units are consumed; an insertion the gold index that it precedes.
    """
    if gold is predicted:
        return []
    i, j = len(gold), len(predicted)
    while i and j and gold[i - 1] == predicted[j - 1]:
        i -= 1
        j -= 1
    start, shorter = 0, min(i, j)
    while start < shorter and gold[start] == predicted[start]:
        start += 1
    steps: list[Step] = []
    if start < shorter:
        if i == j and (only := _substitutions(gold, predicted, start, i)) is not None:
            return only
        i, j = _walk_table(gold, predicted, start, i, j, steps)
    if i != j:
        _walk_corner(gold, predicted, i, j, steps)
    steps.reverse()
    return steps


def _substitutions(gold: Sequence[str], predicted: Sequence[str], start: int, end: int) -> list[Step] | None:
    """Return the differing places of two equally long sides where no alignment has fewer edits, else `None`.

    Then every D[i][i] on the way back is the number of differing places before it too, so the diagonal is always open.
    One or two substitutions cannot be beaten at equal lengths. Equal hashes could only make rapidfuzz's distance too
    small, which sends the pair to the table.
    """
    places = [at for at in range(start, end) if gold[at] != predicted[at]]
    if len(places) > 2 and _distance()(gold[start:end], predicted[start:end]) < len(places):
        return None
    return [(SUBSTITUTION, at, at) for at in places]


@cache
def _distance() -> Callable[[Sequence[str], Sequence[str]], int]:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance


def _walk_table(
    gold: Sequence[str], predicted: Sequence[str], start: int, i: int, j: int, steps: list[Step]
) -> tuple[int, int]:
    """Walk from (i, j) until one side is back at `start`; append the steps, last one first."""
    for first, (same, up) in _blocks_backwards(gold[start:i], predicted[start:j]):
        low = start + first
        while j > low and i > start:
            if gold[i - 1] == predicted[j - 1]:
                i -= 1
                j -= 1
            elif not same[j - 1 - low] >> (i - 1 - start) & 1:
                i -= 1
                j -= 1
                steps.append((SUBSTITUTION, i, j))
            elif up[j - 1 - low] >> (i - 1 - start) & 1:
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


def _blocks_backwards(bits: Sequence[str], loop: Sequence[str]) -> Iterator[tuple[int, _Rows]]:
    """Yield (first row, `same` and `up` rows) of every block of the table, the last block first."""
    where: dict[str, int] = {}
    for at, unit in enumerate(bits):
        where[unit] = where.get(unit, 0) | 1 << at
    mask = (1 << len(bits)) - 1
    size = len(loop) if len(bits) * len(loop) <= TABLE_BITS else isqrt(len(loop)) + 1
    states = [(mask, 0)]
    for first in range(0, len(loop) - size, size):
        states.append(_run(where, mask, loop[first : first + size], states[-1], [], []))
    for block in reversed(range(len(states))):
        same: list[int] = []
        up: list[int] = []
        _run(where, mask, loop[block * size : (block + 1) * size], states[block], same, up)
        yield block * size, (same, up)


def _run(
    where: dict[str, int], mask: int, loop: Sequence[str], state: tuple[int, int], same: list[int], ups: list[int]
) -> tuple[int, int]:
    """Compute the rows of `loop` from `state`; append them to `same` and `ups`, return the state behind them.

    Complements are taken as `mask ^ x`: Python is slow at bits of negative integers.
    """
    up, falls = state
    for unit in loop:
        at = where.get(unit, 0) | falls
        zero = ((((at & up) + up) ^ up) | at) & mask
        rises = (falls | (mask ^ (zero | up))) << 1 | 1
        up = ((zero & up) << 1 | (mask ^ (zero | rises))) & mask
        falls = rises & zero
        same.append(zero)
        ups.append(up)
    return up, falls
