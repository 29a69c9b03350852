"""The table and the walk of `bitrows`, compiled by numba, for many pairs at once.

Import this module inside functions: it costs numba's import and, the first time on a machine, the compilation (kept in
numba's cache). The rows are those of `bitrows`, cut into 64-bit words along gold; the proof of the walk is there too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.text.bitrows import Step, edit_steps

Units = Sequence[str]
_Codes = NDArray[np.int32]
_Words = NDArray[np.uint64]

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_TOP = np.uint64(63)

# Units of several code points stand as code points of the planes 4 to 13, which Unicode leaves unassigned.
_FIRST_FREE, _LAST_FREE = 0x40000, 0xDFFFF
_IN_FREE = re.compile("[\U00040000-\U000dffff]")
_CODES = 0x110000
_MAX_WORDS = 1 << 21


def edit_steps_many(pairs: Sequence[tuple[Units, Units]]) -> list[list[Step]]:
    """Return `bitrows.edit_steps` of every (gold, predicted) pair of unit lists, in their order.

    A pair whose table takes more than 2 x 16 MiB (or with more distinct units than there are codes) goes to `bitrows`.
    """
    coder = _Coder()
    coded: dict[int, tuple[str, str]] = {}
    for at, (gold, predicted) in enumerate(pairs):
        if (len(gold) // 64 + 1) * (len(predicted) + 1) <= _MAX_WORDS:
            sides = coder.code(gold), coder.code(predicted)
            if sides[0] is not None and sides[1] is not None:
                coded[at] = sides[0], sides[1]
    done = dict(zip(coded, _run(list(coded.values())), strict=True))
    return [done[at] if at in done else edit_steps(*pair) for at, pair in enumerate(pairs)]


class _Coder(dict[str, str]):
    """Writes units as one character each, the same unit as the same character; "" when the codes are used up."""

    def code(self, units: Units) -> str | None:
        """Return the units as text of the same length, `None` when the codes are used up."""
        text = "".join(units)
        if len(text) == len(units) and (text.isascii() or _IN_FREE.search(text) is None):
            return text
        coded = "".join(map(self.__getitem__, units))
        return coded if len(coded) == len(units) else None

    def __missing__(self, unit: str) -> str:
        plain = len(unit) == 1 and _IN_FREE.match(unit) is None
        code = _FIRST_FREE + len(self)
        self[unit] = char = unit if plain else chr(code) if code <= _LAST_FREE else ""
        return char


def _run(coded: Sequence[tuple[str, str]]) -> list[list[Step]]:
    if not coded:
        return []
    golds, predictions = zip(*coded, strict=True)
    gold, gold_starts = _flat(golds)
    predicted, predicted_starts = _flat(predictions)
    longest = [max(map(len, side)) for side in (golds, predictions)]
    words = max((len(g) // 64 + 1) * (len(p) + 1) for g, p in coded)
    steps = np.empty((sum(max(len(g), len(p)) for g, p in coded), 3), dtype=np.int32)
    sizes = np.empty(len(coded), dtype=np.int64)
    masks = np.empty((longest[0] + 1) * (longest[0] // 64 + 1), dtype=np.uint64)
    rows = np.empty((2, words), dtype=np.uint64)
    total = kernel()(gold, gold_starts, predicted, predicted_starts, steps, sizes, _slots(), masks, rows)
    flat: list[Step] = list(zip(*steps[:total].T.tolist(), strict=True))
    results = []
    first = 0
    for size in sizes.tolist():
        results.append(flat[first : first + size][::-1])
        first += size
    return results


def _flat(texts: Sequence[str]) -> tuple[_Codes, NDArray[np.int64]]:
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=starts[1:])
    return codes, starts


def _slots() -> _Codes:
    return np.zeros(_CODES, dtype=np.int32)


@cache
def kernel() -> Callable[..., int]:
    """Return the compiled `_align`, from numba's cache where it can be written."""
    import numba

    _register_helpers()
    try:
        compiled: Callable[..., int] = numba.njit(cache=True)(_align)
    except RuntimeError:  # no folder that numba may keep its cache in
        compiled = numba.njit(_align)
    return compiled


@cache
def _register_helpers() -> None:
    from numba.extending import register_jitable

    for helper in (_fill_masks, _fill_rows, _walk_table, _walk_corner):
        register_jitable(helper)


# Below: what numba compiles. Integers are typed with care: numba turns uint64 mixed with int64 into float64.


def _align(
    gold: Any,
    gold_starts: Any,
    predicted: Any,
    predicted_starts: Any,
    steps: Any,
    sizes: Any,
    slots: Any,
    masks: Any,
    rows: Any,
) -> int:
    """Write the edits of all pairs to `steps`, the last edit of a pair first, and their numbers to `sizes`."""
    total = 0
    for pair in range(len(sizes)):
        g = gold[gold_starts[pair] : gold_starts[pair + 1]]
        p = predicted[predicted_starts[pair] : predicted_starts[pair + 1]]
        i, j = len(g), len(p)
        while i > 0 and j > 0 and g[i - 1] == p[j - 1]:
            i -= 1
            j -= 1
        start = 0
        while start < i and start < j and g[start] == p[start]:
            start += 1
        first = total
        if start < i and start < j:
            words = (i - start + 63) // 64
            _fill_masks(g[start:i], words, slots, masks)
            _fill_rows(p[start:j], words, slots, masks, rows)
            for at in range(start, i):
                slots[g[at]] = 0
            i, j, total = _walk_table(g, p, start, i, j, words, rows, steps, total)
        total = _walk_corner(g, p, i, j, steps, total)
        sizes[pair] = total - first
    return total


def _fill_masks(bits: Any, words: int, slots: Any, masks: Any) -> None:
    """Give every unit of gold a slot (from 1) and the mask of its places; slot 0 is for units that gold lacks."""
    count = 0
    masks[:words] = _NONE
    for at in range(len(bits)):
        slot = slots[bits[at]]
        if slot == 0:
            count += 1
            slot = count
            slots[bits[at]] = slot
            masks[slot * words : (slot + 1) * words] = _NONE
        masks[slot * words + at // 64] |= _ONE << np.uint64(at % 64)


def _fill_rows(loop: Any, words: int, slots: Any, masks: Any, rows: Any) -> None:
    """Write the `same` (rows[0]) and `up` (rows[1]) words of every row; `masks` ends as scratch for the falls."""
    falls = np.zeros(words, dtype=np.uint64)
    for row in range(len(loop)):
        slot = slots[loop[row]]
        rise_in, fall_in = _ONE, _NONE
        for word in range(words):
            here = row * words + word
            up = rows[1, here - words] if row > 0 else _ALL
            down = falls[word]
            at = masks[slot * words + word] | fall_in
            zero = (((at & up) + up) ^ up) | at | down
            rise = down | ~(zero | up)
            fall = zero & up
            shifted = rise << _ONE | rise_in
            rows[0, here] = zero
            rows[1, here] = fall << _ONE | fall_in | ~(zero | shifted)
            falls[word] = shifted & zero
            rise_in, fall_in = rise >> _TOP, fall >> _TOP


def _walk_table(
    g: Any, p: Any, start: int, i: int, j: int, words: int, rows: Any, steps: Any, total: int
) -> tuple[int, int, int]:
    while j > start and i > start:
        if g[i - 1] == p[j - 1]:
            i -= 1
            j -= 1
            continue
        bit = i - 1 - start
        here = (j - 1 - start) * words + bit // 64
        shift = np.uint64(bit % 64)
        kind = 0
        if rows[0, here] >> shift & _ONE:
            kind = 1 if rows[1, here] >> shift & _ONE else 2
        if kind != 2:
            i -= 1
        if kind != 1:
            j -= 1
        steps[total, 0], steps[total, 1], steps[total, 2] = kind, i, j - 1 if kind == 1 else j
        total += 1
    return i, j, total


def _walk_corner(g: Any, p: Any, i: int, j: int, steps: Any, total: int) -> int:
    while i != j:
        if i > 0 and j > 0 and g[i - 1] == p[j - 1]:
            i -= 1
            j -= 1
        elif i > j:
            i -= 1
            steps[total, 0], steps[total, 1], steps[total, 2] = 1, i, max(j - 1, 0)
            total += 1
        else:
            j -= 1
            steps[total, 0], steps[total, 1], steps[total, 2] = 2, i, j
            total += 1
    return total
