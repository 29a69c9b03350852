"""Candidates chosen again with a language model over a sweep of weights, and beams at other temperatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from annotator.analyses.confidence.rescoring import RescoringReport, RescoringRow, has_candidates, report_rescoring
from annotator.records import Query
from annotator.store.project import Project
from components.notes import empty_state, note
from components.numbers import Kind
from components.remember import kept
from components.tables import Column, show_table, speaking

SCOPES = {"all": ("#0b5fa5", "circle"), "corner": ("#c2571a", "diamond"), "centre": ("#6b7078", "square")}
RUN = (Column("system", "System"), Column("condition", "Condition"))
SWEEP = (
    *RUN,
    Column("scope", "Where", help="The whole grid, the corner q5/q5, the centre q3/q3."),
    Column("weight", "Weight", Kind.NUMBER, "Lambda: the choice is the largest log p + lambda log p of the language model."),
    Column("n", "n", Kind.COUNT, "Items with candidates."),
    Column("accuracy", "Accuracy %", Kind.PERCENT, "STR word accuracy."),
    Column("delta", "Change", Kind.POINTS, "Over weight 0, paired; items resampled (StratiSTR, section 5 and appendix E).", "low", "high"),
    Column("p", "p", Kind.P),
    Column("fixed", "Fixed", Kind.COUNT, "Answers that were wrong and that the weighted choice reads right."),
    Column("broken", "Broken", Kind.COUNT, "Answers that were right and that the weighted choice reads wrong."),
    Column("oracle", "Oracle %", Kind.PERCENT, "Items with a right candidate anywhere in the beam: the most that choosing can reach."),
)  # fmt: skip
WARMED = (
    *RUN,
    Column("temperature", "Temperature", Kind.NUMBER, "The candidates' log probabilities are divided by it; 1 leaves them."),
    Column("n", "n", Kind.COUNT),
    Column("accuracy", "Accuracy %", Kind.PERCENT, "Of the first choice, which does not depend on the temperature."),
    Column("mean", "Mean share", Kind.NUMBER, "The first choice's share of its beam: softmax of log p / T over the candidates."),
    Column("ece", "ECE", Kind.NUMBER, "Expected calibration error of that share, ten bins; items resampled.", "low", "high"),
)  # fmt: skip
BOTH = {
    True: "Some weight lifts corner and aggregate both.",
    False: "No weight lifts corner and aggregate both.",
    None: "Whether a weight lifts corner and aggregate both is not known: no beam in the corner.",
}


def show_rescoring(project: Project, query: Query, system: str, condition: str) -> None:
    """The sweep of one run as a chart, then every run as tables; without any candidates, where they come from."""
    if not has_candidates(project):
        empty_state(
            "No candidates here",
            "Rescoring chooses among an answer's candidates: JSON lines with candidates, a list of {text, log_prob}.",
            "python -m annotator import predictions PREDICTIONS.jsonl --replace",
        )
        return
    report: RescoringReport = kept(project, "rescoring", (query,), lambda: report_rescoring(project, query))
    mine = [row for row in report.rows if (row.system, row.condition) == (system, condition)]
    if mine:
        st.plotly_chart(
            sweep_chart(mine),
            key="rescoring",
            config={"displayModeBar": False},
            alt="change of accuracy by the weight of the language model; the table below holds the same numbers",
        )
    else:
        note(f"No answer of {system} carries candidates under {condition}; the tables hold the runs that do.")
    rows = [{**asdict(row), "why": {"delta": row.why, "accuracy": row.why}} for row in report.rows]
    show_table(
        speaking(SWEEP, rows), rows, key="rescoring-sweep", caption="Chosen again with a language model", limit=120
    )
    note(BOTH[report.improves_both])
    note("The weights are judged on the items they are compared on: the best of them is flattered by chance.")
    warmed = [{**asdict(row), "why": {"ece": row.why}} for row in report.temperatures]
    show_table(
        speaking(WARMED, warmed), warmed, key="rescoring-warmed", caption="How sure the beam is at a temperature"
    )


def sweep_chart(rows: Sequence[RescoringRow]) -> Any:
    """The paired change of one run by weight, a line with intervals for each scope that has items."""
    import plotly.graph_objects as go

    chart = go.Figure()
    for scope, (colour, symbol) in SCOPES.items():
        own = [row for row in rows if row.scope == scope and row.n and row.delta is not None]
        if not own:
            continue
        deltas = [row.delta or 0.0 for row in own]
        chart.add_scatter(
            name=f"{scope}, n {own[0].n:,}",
            x=[f"{row.weight:g}" for row in own],
            y=[100 * delta for delta in deltas],
            customdata=[(row.fixed, row.broken) for row in own],
            hovertemplate="weight %{x}: %{y:+.2f} points, %{customdata[0]} fixed, %{customdata[1]} broken<extra></extra>",
            mode="lines+markers",
            line={"color": colour, "width": 1},
            marker={"symbol": symbol, "size": 8},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [100 * ((row.high or 0.0) - delta) for row, delta in zip(own, deltas, strict=True)],
                "arrayminus": [100 * (delta - (row.low or 0.0)) for row, delta in zip(own, deltas, strict=True)],
                "thickness": 1,
            },
        )
    return chart.update_layout(
        height=340,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
        xaxis={"title": {"text": "weight of the language model"}, "type": "category", "fixedrange": True},
        yaxis={"title": {"text": "change, points"}, "fixedrange": True, "zeroline": True},
    )
