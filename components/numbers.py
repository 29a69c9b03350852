"""How numbers are written: fractions as percentages, intervals beside them, undefined as a dash with its reason."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

MINUS, DASH = "\u2212", "\u2013"


class Kind(StrEnum):
    """What a value is, and so how it is written."""

    TEXT = "text"  # the page's own words, or a name
    READ = "read"  # text from an image: in the fonts of its script, isolated
    COUNT = "count"
    PERCENT = "percent"  # a fraction, written as a percentage with two decimals
    POINTS = "points"  # a difference of fractions, written in signed percentage points
    NUMBER = "number"  # three decimals
    SIGNED = "signed"
    P = "p"


def written(value: object, kind: Kind) -> str:
    """`value` as text; `None` is a dash."""
    if value is None:
        return DASH
    if kind is Kind.COUNT and isinstance(value, int | float):
        return f"{value:,.0f}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return _NUMBERS[kind](float(value)).replace("-", MINUS) if kind in _NUMBERS else str(value)


_NUMBERS = {
    Kind.PERCENT: lambda v: f"{100 * v:.2f}",
    Kind.POINTS: lambda v: f"{100 * v:+.2f}",
    Kind.NUMBER: lambda v: f"{round(v, 3) + 0.0:.3f}",  # + 0.0: no minus before a zero
    Kind.SIGNED: lambda v: f"{round(v, 3) + 0.0:+.3f}",
    Kind.P: lambda v: "< 0.0001" if v < 0.0001 else f"{v:.4f}",
}


def interval(low: object, high: object, kind: Kind) -> str:
    """`[low, high]`, or `""` when there is none."""
    return "" if low is None or high is None else f"[{written(low, kind)}, {written(high, kind)}]"


def help_mark(text: str) -> str:
    """HTML of a "?" that says what a number is and where it comes from; reached by pointer, touch and keyboard."""
    if not text:
        return ""
    words = html.escape(text)
    return f'<span class="v-q" tabindex="0" role="note" aria-label="{words}">?<span aria-hidden="true">{words}</span></span>'


@dataclass(frozen=True, slots=True)
class Figure:
    """One number on its own. `note` is what stands below (an interval, an n); `why` explains an undefined value."""

    label: str
    value: object
    kind: Kind = Kind.COUNT
    low: object = None
    high: object = None
    note: str = ""
    help: str = ""
    why: str = ""


def show_figures(figures: Sequence[Figure]) -> None:
    """Draw a row of numbers with their intervals, notes and "?"."""
    st.html(f'<dl class="v-figures">{"".join(map(_figure, figures))}</dl>')


def _figure(figure: Figure) -> str:
    unit = {Kind.PERCENT: " %", Kind.POINTS: " pt"}.get(figure.kind, "") if figure.value is not None else ""
    below = " ".join(filter(None, [interval(figure.low, figure.high, figure.kind), figure.note]))
    if figure.value is None and figure.why:
        below = figure.why
    small = f"<small>{html.escape(below)}</small>" if below else ""
    value = html.escape(written(figure.value, figure.kind)) + unit
    return f'<div class="v-figure"><dt>{html.escape(figure.label)}{help_mark(figure.help)}</dt><dd>{value}{small}</dd></div>'
