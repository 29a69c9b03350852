"""Error classes drawn: stacked bars whose parts can be clicked, and a grid of classes by runs for the keyboard."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.analyses.taxonomy import TaxonomyRow
from annotator.metrics.taxonomy import ErrorClass
from components.charts import pick_chart
from components.grid import keyboard_grid
from components.heat import HeatCell, HeatGrid
from components.notes import note

OnPick = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class ClassLook:
    """How a class is named, defined and coloured. Families share a hue, so that the bars read by family."""

    label: str
    meaning: str
    colour: str


# Visual: browns; orthographic: blues; cosmetic: greys; whole outputs: purples; high risk: reds.
LOOKS: dict[ErrorClass, ClassLook] = {
    ErrorClass.LEXICAL_SUBSTITUTION: ClassLook("Lexical substitution", "another word, or a word without partner", "#8a5a00"),
    ErrorClass.WORD_CORRUPTION: ClassLook("Word corruption", "three or more edits, still recognisable", "#c78a1b"),
    ErrorClass.VISUAL_MISREAD: ClassLook("Visual misread", "one or two edits of no orthographic kind", "#efc66a"),
    ErrorClass.VOWEL_SIGN: ClassLook("Vowel sign", "nothing but vowel signs differs", "#00345e"),
    ErrorClass.CONJUNCT: ClassLook("Conjunct", "nothing but hasanta or a conjunct's part differs", "#0b5fa5"),
    ErrorClass.CONSONANT_HOMOPHONE: ClassLook("Consonant homophone", "nothing but consonants of one sound differs", "#3f8fd2"),
    ErrorClass.NASAL: ClassLook("Nasal mark", "nothing but chandrabindu, anusvara or visarga differs", "#84bdec"),
    ErrorClass.COMPOUND_ORTHOGRAPHIC: ClassLook("Compound orthographic", "two or more orthographic kinds differ", "#c0def6"),
    ErrorClass.WORD_BOUNDARY: ClassLook("Word boundary", "equal once spaces are removed", "#6b7078"),
    ErrorClass.UNICODE_NORMALIZATION: ClassLook("Unicode normalization", "equal after NFC, punctuation or case aside", "#b4b9c1"),
    ErrorClass.TRUNCATION: ClassLook("Truncation", "no output, or under 40 % of gold's length", "#43236b"),
    ErrorClass.SCRIPT_CONTAMINATION: ClassLook("Script contamination", "another script dominates", "#7a4fb0"),
    ErrorClass.SPURIOUS_CONTENT: ClassLook("Spurious content", "gold stands whole, with more around it", "#bfa3e0"),
    ErrorClass.SEMANTIC_HALLUCINATION: ClassLook("Semantic hallucination", "under 25 % of letter clusters shared", "#8f1d2c"),
    ErrorClass.NUMERIC: ClassLook("Numeric", "nothing but digits differs", "#d9536a"),
}  # fmt: skip
LABELS = {name.value: look.label for name, look in LOOKS.items()}


def run_of(row: TaxonomyRow) -> str:
    """The run's name in full: `system@condition`."""
    return f"{row.system}@{row.condition}"


def class_bars(rows: Sequence[TaxonomyRow], chosen: tuple[str, str], *, key: str, on_pick: OnPick) -> None:
    """One bar per run, its parts the shares of the classes. `on_pick(class, run)` runs as a callback."""
    pick_chart(
        figure(rows, chosen),
        key=key,
        name="error-classes",
        alt="Shares of error classes per system and condition. The grid below holds the same numbers and works with the keyboard.",
        on_pick=lambda part: on_pick(str(part[0]), str(part[1])),
    )


def figure(rows: Sequence[TaxonomyRow], chosen: tuple[str, str]) -> Any:
    """The Plotly figure: stacked horizontal bars, first run on top; the chosen part is outlined."""
    import plotly.graph_objects as go

    chart = go.Figure()
    for name in seen_in(rows):
        chart.add_bar(**_trace(rows, name, LOOKS[name], chosen))
    return chart.update_layout(
        barmode="stack",
        bargap=0.25,
        dragmode=False,
        clickmode="event+select",
        height=130 + 34 * len(rows),
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        legend={"orientation": "h", "y": -0.12, "yanchor": "top", "traceorder": "normal", "itemclick": False},
        xaxis={"tickformat": ".0%", "range": [0, 1], "fixedrange": True, "side": "top"},
        yaxis={"tickvals": list(range(len(rows))), "ticktext": [_shown(row) for row in rows],
               "range": [len(rows) - 0.5, -0.5], "fixedrange": True, "automargin": True},
    )  # fmt: skip


def _trace(rows: Sequence[TaxonomyRow], name: ErrorClass, look: ClassLook, chosen: tuple[str, str]) -> dict[str, Any]:
    outlined = [(name.value, run_of(row)) == chosen for row in rows]
    return {
        "orientation": "h",
        "name": look.label,
        "y": list(range(len(rows))),
        "x": [row.shares[name] or 0 for row in rows],
        "customdata": [[name.value, run_of(row)] for row in rows],
        "hovertext": [_words(row, name) for row in rows],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "color": look.colour,
            "line": {
                "color": ["#d55e00" if on else "rgba(255,255,255,.8)" for on in outlined],
                "width": [4 if on else 1 for on in outlined],
            },
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _shown(row: TaxonomyRow) -> str:
    name = row.system if row.condition == "default" else f"{row.system} · {row.condition}"
    oracle = " (oracle)" if row.role == "oracle" else ""
    return html.escape(f"{name[:40]}{oracle}, {row.events:,}")


def _words(row: TaxonomyRow, name: ErrorClass) -> str:
    return (
        html.escape(f"{LABELS[name]}, {run_of(row)}: ")
        + f"{100 * (row.shares[name] or 0):.1f} %, n {row.counts[name]:,}"
    )


def class_grid(rows: Sequence[TaxonomyRow], chosen: tuple[str, str], *, key: str, on_pick: OnPick) -> None:
    """Classes by runs as a table of buttons, the share of each class and its number of events.

    Classes without an event in any run are told in one sentence below.
    """
    names, runs = list(reversed(seen_in(rows))), [run_of(row) for row in rows]
    column = [runs.index(chosen[1])] if chosen[1] in runs else []
    places = [(x, y) for x in column for y, name in enumerate(names) if name.value == chosen[0]]
    if names:
        keyboard_grid(grid_of(rows), places, key=key, on_pick=lambda x, y: on_pick(names[y].value, runs[x]))
    if absent := [look.label for name, look in LOOKS.items() if name not in names]:
        note(f"No events here: {', '.join(absent)}.")


def seen_in(rows: Sequence[TaxonomyRow]) -> list[ErrorClass]:
    """The classes with at least one event in some run, in their usual order."""
    return [name for name in LOOKS if any(row.counts[name] for row in rows)]


def grid_of(rows: Sequence[TaxonomyRow]) -> HeatGrid:
    """The grid that the table of buttons draws: runs from left to right, classes from bottom to top."""
    names = list(reversed(seen_in(rows)))
    return HeatGrid(
        cells=tuple(
            tuple(HeatCell(row.shares[name] if row.counts[name] else None, row.counts[name]) for name in names)
            for row in rows
        ),
        names=tuple(tuple(f"{LABELS[name]}, {run_of(row)}" for name in names) for row in rows),
        x_labels=tuple(row.system if row.condition == "default" else f"{row.system} · {row.condition}" for row in rows),
        y_labels=tuple(LABELS[name] for name in names),
        x_title="system",
        y_title="class",
        title="Share of events in percent, and number of events, by class and system",
    )
