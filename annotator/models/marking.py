"""A pair of texts with one edit marked, as bytes that a small model reads. NumPy only: torch is not needed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.text.align import Edit
from annotator.text.graphemes import split_graphemes

WINDOW = 24
"""Bytes of context that are kept on each side of the edit, in each text."""

PAD, OPEN, CLOSE, SEPARATOR = 256, 257, 258, 259
SYMBOLS = 260
_EDIT_BYTES = 16
LENGTH = 2 * (2 * WINDOW + 2 + _EDIT_BYTES) + 1


@dataclass(frozen=True, slots=True)
class MarkedEdit:
    """Gold and predicted around one edit; `left`, `right` are the texts on its two sides, `inner` the edited cluster."""

    gold: tuple[str, str, str]
    predicted: tuple[str, str, str]


def mark_edit(gold: Sequence[str], predicted: Sequence[str], edit: Edit) -> MarkedEdit:
    """Cut both texts (as clusters) at an edit. A deletion has an empty predicted middle, an insertion an empty gold one."""
    g, p = edit.gold_index, edit.predicted_index
    gold_end = g if edit.op == "ins" else g + 1
    start = min(p + 1, len(predicted)) if edit.op == "del" and p + 1 <= g and len(predicted) else p
    predicted_end = start if edit.op == "del" else p + 1
    return MarkedEdit(
        ("".join(gold[:g]), "".join(gold[g:gold_end]), "".join(gold[gold_end:])),
        ("".join(predicted[:start]), "".join(predicted[start:predicted_end]), "".join(predicted[predicted_end:])),
    )


def mark_line(gold: str, predicted: str, edits: Sequence[Edit]) -> list[MarkedEdit]:
    """Every edit of a line, marked one by one."""
    units = split_graphemes(gold), split_graphemes(predicted)
    return [mark_edit(*units, edit) for edit in edits]


def encode(marked: Sequence[MarkedEdit]) -> npt.NDArray[np.int64]:
    """Rows of `LENGTH` symbols: gold bytes with the edit in brackets, a separator, predicted bytes likewise, padding.

    The edit's own bytes are cut at 16, its context at `WINDOW` bytes a side; a cut may fall inside a character, which
    the model reads as bytes all the same.
    """
    table = np.full((len(marked), LENGTH), PAD, dtype=np.int64)
    for row, each in zip(table, marked, strict=True):
        symbols = [*_side(each.gold), SEPARATOR, *_side(each.predicted)]
        row[: len(symbols)] = symbols
    return table


def _side(parts: tuple[str, str, str]) -> list[int]:
    left, inner, right = (part.encode("utf-8", "replace") for part in parts)
    return [*left[-WINDOW:], OPEN, *inner[:_EDIT_BYTES], CLOSE, *right[:WINDOW]]


def soft_label(severity: float) -> tuple[float, float, float, float, float]:
    """A distribution over the levels with this severity as its mean: the two nearest levels share the weight."""
    place = min(max(severity, 0.0), 1.0) * 4
    low = min(int(place), 3)
    p = [0.0] * 5
    p[low], p[low + 1] = 1 - (place - low), place - low
    return p[0], p[1], p[2], p[3], p[4]
