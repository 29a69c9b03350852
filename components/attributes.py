"""A metric by the values of attributes: bars with intervals for one axis, a heat map for two, lists of easy and hard."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from annotator.analyses.attributes import AttributeReport, AttributeRow
from annotator.records import ItemFilter, Query
from annotator.store.project import Project
from components.charts import chart_config
from components.filters import names_of
from components.heat import HeatCell, HeatGrid
from components.itemview import show_item_detail
from components.lists import PAGE_SIZE, detail_of, page_of, show_gallery
from components.notes import note
from components.numbers import Kind
from components.pager import page_number, pager
from components.state import Key, read
from components.tables import Column, show_table, speaking

METRICS = {
    "cer": "CER",
    "wer": "WER",
    "one_minus_ned": "1-NED",
    "exact": "Exact match",
    "str_accuracy": "STR word accuracy",
    "charitable": "Charitable accuracy",
    "semcer": "semCER (rubric rules)",
}
HELP = {
    "cer": "Edits / gold graphemes, pooled; item bootstrap.",
    "wer": "Word edits / gold words, pooled; item bootstrap.",
    "one_minus_ned": "Mean of 1 - edits / longer length; item bootstrap.",
    "exact": "Equal to gold after the profile; Wilson interval.",
    "str_accuracy": "Equal after the STR rule; Wilson interval.",
    "charitable": "The folded answer starts with the folded gold; Wilson interval.",
    "semcer": "Severities of the edits / gold graphemes, pooled, by the built-in rules; item bootstrap. Other sources of "
    "severities: on the command line, --metric semcer:PROVIDER.",
}
COLOURS = ("#0b5fa5", "#c78a1b", "#43236b", "#1b6b3a", "#8f1d2c", "#6b7078", "#3f8fd2", "#8a5a00")
LISTED = 5
SHORTEST = 130


def run_of(row: AttributeRow) -> str:
    """The run's name in full: `system@condition`."""
    return f"{row.system}@{row.condition}"


def runs_of(report: AttributeReport) -> list[str]:
    """The runs of a report in order of import of their systems."""
    return list(dict.fromkeys(map(run_of, report.rows)))


def run_names(project: Project, query: Query) -> list[str]:
    """The runs that a query asks for, as `system@condition`."""
    asked = ((query.systems, 0), (query.conditions, 1))
    runs = names_of(project).runs
    return ["@".join(run) for run in runs if all(not names or run[at] in names for names, at in asked)]


def narrowed(query: Query, run: str) -> Query:
    """The query for one run alone; as it is when `run` is empty."""
    system, _, condition = run.rpartition("@")
    return replace(query, systems=(system,), conditions=(condition,)) if run else query


def values_of(report: AttributeReport, axis: str) -> list[str]:
    """The values of an axis, easiest first on the first run that answered."""
    rows = [row for row in report.rows if row.value is not None] or list(report.rows)
    return list(dict.fromkeys([row.values[axis] for row in rows] + [row.values[axis] for row in report.rows]))


def show_bars(report: AttributeReport) -> None:
    """One axis: a dot with its interval per value and run. The table below holds the same numbers."""
    axis = report.axes[0]
    st.plotly_chart(
        dot_chart(report, values_of(report, axis)),
        key="attribute-dots",
        config=chart_config(f"attribute-{axis}"),
        alt=f"{METRICS[report.metric]} by {axis}, with intervals. The table below holds the same numbers.",
    )


def dot_chart(report: AttributeReport, values: Sequence[str]) -> Any:
    """The Plotly figure: values from top to bottom, one series per run, intervals as error bars."""
    import plotly.graph_objects as go

    chart = go.Figure()
    runs = runs_of(report)
    axis = report.axes[0]
    for number, run in enumerate(runs):
        rows = [row for row in report.rows if run_of(row) == run and row.value is not None]
        shift = (number - (len(runs) - 1) / 2) * 0.6 / max(1, len(runs))
        chart.add_scatter(
            name=html.escape(run),
            mode="markers",
            x=[row.value for row in rows],
            y=[values.index(row.values[axis]) + shift for row in rows],
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(row.high or row.value or 0) - (row.value or 0) for row in rows],
                "arrayminus": [(row.value or 0) - (row.low if row.low is not None else row.value or 0) for row in rows],
                "thickness": 1.5,
            },
            marker={"color": COLOURS[number % len(COLOURS)], "size": 9, "symbol": number % 8},
            hovertext=[html.escape(f"{run}, {row.values[axis]}: n {row.n}") for row in rows],
            hovertemplate="%{hovertext}<br>%{x:.2%}<extra></extra>",
        )
    ticks = [html.escape(value[:40]) for value in values]
    return chart.update_layout(
        height=SHORTEST + 26 * len(values) + 12 * len(values) * min(len(runs), 6),
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        legend={"orientation": "h", "y": -0.12, "yanchor": "top"},
        showlegend=True,
        dragmode=False,
        xaxis={"tickformat": ".0%", "rangemode": "tozero", "fixedrange": True, "side": "top"},
        yaxis={"tickvals": list(range(len(values))), "ticktext": ticks, "fixedrange": True, "automargin": True,
               "range": [len(values) - 0.4, -0.6]},
    )  # fmt: skip


def joint_grid(report: AttributeReport, run: str) -> HeatGrid:
    """Two axes of one run as a heat map: the first axis upwards, the second to the right; sparse cells have no value.

    A cell under the smallest n keeps its n but not its colour, so that it is hatched like an empty one.
    """
    first, second = (values_of(report, axis) for axis in report.axes)
    cells = {tuple(row.values.values()): row for row in report.rows if run_of(row) == run}

    def cell(y: str, x: str) -> HeatCell:
        row = cells.get((y, x))
        return HeatCell(row.value, row.n) if row else HeatCell(None, 0)

    return HeatGrid(
        cells=tuple(tuple(cell(y, x) for y in first) for x in second),
        names=tuple(tuple(f"{y} · {x}" for y in first) for x in second),
        x_labels=tuple(x[:24] for x in second),
        y_labels=tuple(y[:24] for y in first),
        x_title=report.axes[1],
        y_title=report.axes[0],
        title=f"{METRICS[report.metric]} by {' and '.join(report.axes)}, {run}",
        sparse_below=report.sparse_below,
    )


def columns_of(report: AttributeReport, short: bool = False) -> tuple[Column, ...]:
    """The columns of the table for one or two axes; `short` for a list of cells whose run the caption names."""
    axes = [Column(f"axis:{axis}", axis) for axis in report.axes]
    value = Column("value", f"{METRICS[report.metric]} %", Kind.PERCENT, HELP[report.metric], "low", "high")
    n = Column("n", "n", Kind.COUNT, f"Answered items with gold; sparse under {report.sparse_below}.")
    if len(axes) == 1:
        run = (Column("system", "System"), Column("condition", "Condition"), Column("role", "Marked"))
        return (
            *run,
            *axes,
            n,
            value,
            Column("ratio", "Ratio", Kind.NUMBER, "The value over that of the easiest value."),
        )
    if short:
        return (*axes, n, value)
    return (
        *axes,
        n,
        value,
        Column("additive", "Marginals %", Kind.PERCENT, "Marginal of the first value + marginal of the second - mean."),
        Column(
            "excess",
            "Excess, points",
            Kind.POINTS,
            "Value minus marginals; item bootstrap.",
            "excess_low",
            "excess_high",
        ),
        Column("verdict", "Compounds", help="yes: the whole interval of the excess lies on the hard side of 0."),
    )


def table_rows(rows: Sequence[AttributeRow]) -> list[dict[str, Any]]:
    """Rows as mappings for the table, each axis under `axis:NAME`."""
    words = {True: "yes", False: "no", None: None}
    return [
        asdict(row)
        | {f"axis:{axis}": value for axis, value in row.values.items()}
        | {"verdict": words[row.compounds] if not row.sparse else "sparse"}
        for row in rows
    ]


def show_rows(report: AttributeReport, rows: Sequence[AttributeRow], *, key: str, caption: str) -> None:
    """The table of some rows of a report. Rows without an answered item are told in one sentence, not drawn."""
    shown = table_rows([row for row in rows if row.n])
    show_table(speaking(columns_of(report), shown), shown, key=key, caption=caption)
    if words := left_out(rows):
        note(words)


def left_out(rows: Sequence[AttributeRow]) -> str:
    """Which values a run answered no item of: `... left out: crop: wall, bus.`; empty when all have some."""
    none: dict[str, list[str]] = {}
    for row in rows:
        if not row.n:
            none.setdefault(run_of(row).removesuffix("@default"), []).append(" · ".join(row.values.values()))
    runs: dict[str, list[str]] = {}
    for run, values in none.items():
        runs.setdefault(", ".join(values), []).append(run)
    parts = [f"{', '.join(names)}: {values}" for values, names in runs.items()]
    return f"Without an answered item and so left out: {'; '.join(parts)}." if parts else ""


def show_extremes(report: AttributeReport, run: str) -> None:
    """The easiest and the hardest cells of one run, sparse ones left out, side by side."""
    rows = [row for row in report.rows if run_of(row) == run and row.value is not None and not row.sparse]
    left, right = st.columns(2)
    columns = columns_of(report, short=True)
    with left:
        show_table(columns, table_rows(rows[:LISTED]), key="easiest", caption=f"Easiest, {run}")
    with right:
        show_table(columns, table_rows(rows[::-1][:LISTED]), key="hardest", caption=f"Hardest, {run}")


def show_misread(project: Project, query: Query, value: tuple[tuple[str, str], ...], run: str) -> None:
    """The items with these values that the run got wrong, most edits first; the chosen one as a whole."""
    st.header("What was misread there", anchor=False)
    number = page_number()
    wanted = ItemFilter(attributes=value, show="wrong", run=run, sort="edits")
    page = page_of(project, query, wanted, (number - 1) * PAGE_SIZE)
    pager(page.total, PAGE_SIZE, number)
    if read(Key.ITEM):
        show_item_detail(project, detail_of(project, query, read(Key.ITEM)), profile=query.profile)
    show_gallery(project, page.rows, run, chosen=read(Key.ITEM), condition=run.rpartition("@")[2], key="misread")
