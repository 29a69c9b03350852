"""Read-outs below the grid: gaps, benchmarks, effects, curves, n-grams of a cell, and the choice among all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import streamlit as st

from annotator.analyses.strata.marginals import MarginalReport
from annotator.analyses.strata.report import SystemStrata
from components import reports
from components.charts import chart_config
from components.filters import choose, choose_chip, run_name
from components.notes import note
from components.numbers import Kind
from components.state import Key
from components.strata import COLUMNS, EFFECTS, METRICS, effect_rows, gap_rows
from components.strata_chosen import RUN, Chosen
from components.strata_reviews import show_modes, show_suspects
from components.tables import Column, Row, show_table, speaking

LINES = (("#0b5fa5", "solid"), ("#c2571a", "dash"), ("#6b7078", "dot"), ("#3c8a5a", "dashdot"), ("#8f1d2c", "longdash"))


def show_readouts(chosen: Chosen) -> None:
    """Draw the choice of read-outs and the one that was chosen; only that one is computed."""
    names = {key: words for key, (words, _) in READ_OUTS.items()}
    key = choose_chip("Read-out", Key.READOUT, names, default="gap")
    READ_OUTS[key][1](chosen)


def _gap(chosen: Chosen) -> None:
    rows, metric = gap_rows(chosen.report), chosen.report.metric
    show_table(
        speaking(COLUMNS, rows), rows, key="gaps", caption=f"Corner against centre: {METRICS.get(metric, metric)}"
    )
    if any(system.gap_before for system in chosen.report.systems):
        before = [_before(system) for system in chosen.report.systems]
        show_table(
            speaking(BEFORE, before), before, key="gaps-before", caption="With and without the golds marked wrong"
        )


BEFORE = (
    *RUN,
    Column("gap", "Gap, points", Kind.POINTS, "Golds marked wrong or unreadable left out.", "gap_low", "gap_high"),
    Column("before", "Gap before", Kind.POINTS, "The same with those items kept.", "before_low", "before_high"),
)


def _before(system: SystemStrata) -> Row:
    gap, before = system.gap, system.gap_before or system.gap
    return {
        "system": system.system,
        "condition": system.condition,
        "gap": gap.value,
        "gap_low": gap.low,
        "gap_high": gap.high,
        "before": before.value,
        "before_low": before.low,
        "before_high": before.high,
    }


def _effects(chosen: Chosen) -> None:
    rows = effect_rows(chosen.report)
    show_table(speaking(EFFECTS, rows), rows, key="effects", caption="Interaction of word rarity and n-gram novelty")


BENCHMARKS = (
    Column("benchmark", "Benchmark"),
    Column("n_centre", "n centre", Kind.COUNT),
    Column("centre", "Centre %", Kind.PERCENT, "Cell 3-3 of this benchmark alone."),
    Column("n_corner", "n corner", Kind.COUNT),
    Column("corner", "Corner %", Kind.PERCENT, "Cell 5-5 of this benchmark alone."),
    Column("gap", "Gap, points", Kind.POINTS, "Corner minus centre."),
    Column("weight", "Weight", Kind.NUMBER, "n5 n3 / (n5 + n3): its weight in the stratified gap."),
)


def _benchmarks(chosen: Chosen) -> None:
    rows: list[Row] = []
    for part in chosen.mine.benchmarks:
        corner, centre = part.corner.value, part.centre.value
        gap = None if corner is None or centre is None else corner - centre
        rows.append(
            {
                "benchmark": part.benchmark or "no benchmark",
                "n_centre": part.centre.n,
                "centre": centre,
                "n_corner": part.corner.n,
                "corner": corner,
                "gap": gap,
                "weight": part.weight,
                "gap_why": "one of the two cells is empty",
            }
        )
    show_table(BENCHMARKS, rows, key="benchmarks", caption=f"Corner and centre by benchmark, {chosen.mine.system}")


CURVE = (
    *RUN,
    Column("axis", "Axis"),
    Column("quintile", "Quintile", Kind.COUNT),
    Column("n", "n", Kind.COUNT),
    Column(
        "value",
        "Value %",
        Kind.PERCENT,
        "Pooled over the other axis; Wilson interval (StratiSTR, app. B).",
        "low",
        "high",
    ),
)


def _curves(chosen: Chosen) -> None:
    curves = reports.marginals(chosen.project, chosen.query, chosen.report.metric)
    words = {"word": "word rarity (5 rare)", "ngram": "n-gram novelty (5 novel)"}
    for column, axis in zip(st.columns(2), words, strict=True):
        with column:
            st.plotly_chart(
                curve_chart(curves, axis, words[axis]),
                key=f"curve-{axis}",
                config=chart_config(f"curve-{axis}"),
                alt=f"{curves.metric} by {words[axis]}; the table below holds the same numbers",
            )
    rows = [dataclasses.asdict(row) for row in curves.rows]
    with st.expander("The same as a table", icon=":material/table_rows:"):
        show_table(speaking(CURVE, rows), rows, key="curves", caption=f"Marginal curves, {curves.metric}")


def curve_chart(curves: MarginalReport, axis: str, title: str) -> Any:
    """One line per run over the quintiles of one axis, with intervals; lines differ in dash and marker too."""
    import html

    import plotly.graph_objects as go

    chart = go.Figure()
    runs = dict.fromkeys((row.system, row.condition) for row in curves.rows)
    for number, run in enumerate(runs):
        rows = [row for row in curves.rows if (row.system, row.condition) == run and row.axis == axis]
        colour, dash = LINES[number % len(LINES)]
        known = [row for row in rows if row.value is not None]
        chart.add_scatter(
            name=html.escape(run[0] if run[1] == "default" else f"{run[0]}@{run[1]}"),
            x=[row.quintile for row in known],
            y=[row.value for row in known],
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2},
            marker={"symbol": number % 8, "size": 8},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [(row.high or row.value or 0) - (row.value or 0) for row in known],
                "arrayminus": [
                    (row.value or 0) - (row.low if row.low is not None else row.value or 0) for row in known
                ],
                "thickness": 1,
            },
        )
    return chart.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        dragmode=False,
        showlegend=True,
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
        xaxis={"title": {"text": title}, "tickvals": [1, 2, 3, 4, 5], "fixedrange": True},
        yaxis={"tickformat": ".0%", "fixedrange": True},
    )


def _ngrams(chosen: Chosen) -> None:
    if chosen.cell is None:
        note("Choose one cell: the n-grams of its items and how often each system fails on them are listed here.")
        return
    others = [name for name in chosen.names.systems if name != chosen.mine.system] or list(chosen.names.systems)
    other = choose("Beside", Key.B, others, default=others[0])
    second = run_name(chosen.names, other, chosen.mine.condition)
    report = reports.ngrams(chosen.project, reports.all_systems(chosen.query), chosen.run, second, chosen.cell)
    failure = "1 - STR word accuracy over the items that hold the n-gram and both answered; Wilson interval (StratiSTR, Table 8)."
    columns = (
        Column("ngram", "N-gram", Kind.READ),
        Column("n", "n", Kind.COUNT),
        Column("a_failure", f"{report.first} fails, %", Kind.PERCENT, failure, "a_low", "a_high"),
        Column("b_failure", f"{report.second} fails, %", Kind.PERCENT, failure, "b_low", "b_high"),
        Column("reduction", "Reduction, points", Kind.POINTS),
    )
    rows = [{**dataclasses.asdict(row), "items": " ".join(row.items)} for row in report.rows]
    caption = f"N-grams of cell {report.cell} with at least {report.min_count} items ({report.left_out:,} have fewer)"
    show_table(columns, rows, key="ngrams", caption=caption, limit=60)


READ_OUTS: dict[str, tuple[str, Callable[[Chosen], None]]] = {
    "gap": ("Gap", _gap),
    "benchmarks": ("By benchmark", _benchmarks),
    "effects": ("Interaction", _effects),
    "curves": ("Curves", _curves),
    "modes": ("Error modes", show_modes),
    "ngrams": ("N-grams of the cell", _ngrams),
    "suspects": ("Gold suspects", show_suspects),
}
