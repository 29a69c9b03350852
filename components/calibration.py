"""Can a confidence be believed: reliability, accuracy by coverage, and the most confident errors with their pictures."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from annotator.analyses.confidence.calibration import (
    CalibrationReport,
    CalibrationRow,
    ConfidentError,
    report_calibration,
)
from annotator.analyses.items import items_by_key
from annotator.records import Query
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.edits import legend_html, lines_html
from components.image import picture_of
from components.links import link
from components.notes import empty_state, note
from components.numbers import Figure, Kind, show_figures
from components.remember import kept
from components.sureness import KINDS
from components.tables import Column, show_table, speaking

ERRORS_SHOWN = 24
LONGEST = 300
BLUE, ORANGE, GRAY = "#0b5fa5", "#c2571a", "#6b7078"
RUNS = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("kind", "Kind", help="softmax: a probability. engine score: an order and no more. unknown: nothing was said of it."),
    Column("n", "n", Kind.COUNT, "Answered items with a confidence."),
    Column("accuracy", "Accuracy %", Kind.PERCENT, "STR word accuracy; Wilson interval.", "accuracy_low", "accuracy_high"),
    Column("mean_correct", "When right", Kind.NUMBER, "Mean confidence of right answers; items resampled.",
           "mean_correct_low", "mean_correct_high"),
    Column("mean_wrong", "When wrong", Kind.NUMBER, "Mean confidence of wrong answers; items resampled.",
           "mean_wrong_low", "mean_wrong_high"),
    Column("ece", "ECE", Kind.NUMBER, "Expected calibration error, ten bins of equal width (Guo et al. 2017); items resampled. "
           "Not defined for engine scores.", "ece_low", "ece_high"),
    Column("ece_fitted", "ECE, fitted", Kind.NUMBER, "The same after an isotonic fit, five folds: each answer's value is from a fit "
           "that has not seen it.", "ece_fitted_low", "ece_fitted_high"),
    Column("auroc", "AUROC", Kind.NUMBER, "Chance that a right answer is surer than a wrong one; order alone, valid for any score.",
           "auroc_low", "auroc_high"),
)  # fmt: skip
BINS = (
    Column("curve", "Curve"),
    Column("low", "From", Kind.NUMBER),
    Column("high", "to", Kind.NUMBER),
    Column("n", "n", Kind.COUNT),
    Column("confidence", "Mean confidence", Kind.NUMBER),
    Column("accuracy", "Right %", Kind.PERCENT, "Wilson interval.", "accuracy_low", "accuracy_high"),
)
COVERAGE = (
    Column("coverage", "Coverage %", Kind.PERCENT, "Share of the answers that are kept, the surest first."),
    Column("threshold", "Threshold", Kind.NUMBER, "Keep answers with at least this confidence."),
    Column("n", "n", Kind.COUNT),
    Column("accuracy", "Accuracy %", Kind.PERCENT, "Of the answers kept; Wilson interval.", "accuracy_low", "accuracy_high"),
)  # fmt: skip


def calibration_of(project: Project, query: Query, field: str) -> CalibrationReport:
    """The report on every run, remembered."""
    return kept(
        project, "calibration", (query, field), lambda: report_calibration(project, query, field, limit=ERRORS_SHOWN)
    )


def show_calibration(report: CalibrationReport, system: str, condition: str) -> None:
    """Every run in a table, then the curves of one."""
    rows = [{**asdict(row), "kind": KINDS.get(row.kind, row.kind)} for row in report.rows]
    show_table(speaking(RUNS, rows), rows, key="calibration", caption="Can the confidence be believed?")
    row = _row_of(report, system, condition)
    if row is None or not row.n:
        note(f"{system} has no answers with a confidence under {condition}.")
        return
    st.header(f"{system}, {condition}", anchor=False)
    if row.note:
        note(row.note)
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Reliability", anchor=False)
        _reliability(row)
    with right:
        st.subheader("Accuracy by coverage", anchor=False)
        _chart(coverage_chart(row), "coverage", "accuracy of the surest answers by their share")
    with st.expander("The same as tables", icon=":material/table_rows:"):
        named = (("confidence", row.bins), ("fitted", row.fitted_bins))
        bins = [{"curve": name, **asdict(one)} for name, found in named for one in found if one.n]
        show_table(BINS, bins, key="bins", caption="Reliability")
        show_table(COVERAGE, [asdict(point) for point in row.coverage], key="coverage", caption="Accuracy by coverage")


def _row_of(report: CalibrationReport, system: str, condition: str) -> CalibrationRow | None:
    return next((row for row in report.rows if (row.system, row.condition) == (system, condition)), None)


def _reliability(row: CalibrationRow) -> None:
    if not row.bins and not row.fitted_bins:
        note(f"No reliability curve: {row.why.get('ece', '')}; {row.why.get('ece_fitted', '')}")
        return
    if not row.bins:
        note(f"The curve is of the fitted calibration: {row.why.get('ece', '')}.")
    _chart(reliability_chart(row), "reliability", "share of right answers by confidence")


def _chart(chart: Any, key: str, what: str) -> None:
    st.plotly_chart(
        chart, key=key, config={"displayModeBar": False}, alt=f"{what}; the tables below hold the same numbers"
    )


def reliability_chart(row: CalibrationRow) -> Any:
    """Share of right answers against mean confidence per bin, with intervals, beside the diagonal of a perfect one.

    A mark is larger where a bin holds more answers.
    """
    import plotly.graph_objects as go

    chart = go.Figure()
    chart.add_scatter(name="perfect", x=[0, 1], y=[0, 1], mode="lines", line={"color": GRAY, "dash": "dot", "width": 1})
    for name, found, colour, symbol in (
        ("confidence", row.bins, BLUE, "circle"),
        ("fitted, cross-validated", row.fitted_bins, ORANGE, "diamond"),
    ):
        known = [one for one in found if one.n]
        if known:
            _add_curve(chart, name, [one.confidence for one in known], known, colour, symbol)
    return _laid_out(chart, "mean confidence (larger mark: more answers)", "right")


def coverage_chart(row: CalibrationRow) -> Any:
    """Accuracy of the surest answers against their share, with intervals."""
    import plotly.graph_objects as go

    chart = go.Figure()
    _add_curve(chart, "accuracy", [point.coverage for point in row.coverage], row.coverage, BLUE, "circle")
    return _laid_out(chart, "coverage: share of answers kept, surest first", "right").update_layout(showlegend=False)


def _add_curve(chart: Any, name: str, x: Sequence[Any], points: Sequence[Any], colour: str, symbol: str) -> None:
    most = max(point.n for point in points)
    chart.add_scatter(
        name=name,
        x=list(x),
        y=[point.accuracy for point in points],
        customdata=[point.n for point in points],
        hovertemplate="%{x:.3f}: %{y:.1%}, n %{customdata:,}<extra></extra>",
        mode="lines+markers",
        line={"color": colour, "width": 1},
        marker={"symbol": symbol, "size": [5 + 11 * (point.n / most) ** 0.5 for point in points]},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [point.accuracy_high - point.accuracy for point in points],
            "arrayminus": [point.accuracy - point.accuracy_low for point in points],
            "thickness": 1,
        },
    )


def _laid_out(chart: Any, x_title: str, y_title: str) -> Any:
    return chart.update_layout(
        height=320,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
        xaxis={"title": {"text": x_title}, "range": [-0.02, 1.02], "fixedrange": True},
        yaxis={"title": {"text": y_title}, "tickformat": ".0%", "range": [-0.02, 1.02], "fixedrange": True},
    )


def show_confident_errors(project: Project, report: CalibrationReport, system: str, condition: str) -> None:
    """The wrong answers of a run that it was surest of, each with picture, edits and a link to the item."""
    found = [error for error in report.errors if (error.system, error.condition) == (system, condition)]
    row = _row_of(report, system, condition)
    if row is None or not found:
        empty_state("No confident error", "No wrong answer of this system carries a confidence under this condition.")
        return
    show_figures(
        [
            Figure("Wrong answers with a confidence", row.n_wrong, note=f"the {len(found):,} surest below"),
            Figure("When wrong", row.mean_wrong, Kind.NUMBER, row.mean_wrong_low, row.mean_wrong_high),
            Figure("When right", row.mean_correct, Kind.NUMBER, row.mean_correct_low, row.mean_correct_high),
        ]
    )
    st.html(legend_html())
    items = {item.key: item for item in items_by_key(project, [error.item_key for error in found])}
    sides = st.columns(2)
    for number, error in enumerate(found):
        with sides[number % 2], st.container(border=True, key=f"sure-{number}", gap="xsmall"):
            picture, texts = st.columns([2, 5], vertical_alignment="center")
            picture.html(_picture(project, items[error.item_key], condition))
            texts.html(_error_html(error, row))
            link("pages/items.py", "Open the item", icon=":material/open_in_new:", item=error.item_id, view="sure")


def _picture(project: Project, item: Any, condition: str) -> str:
    picture = picture_of(project, item, condition=condition)
    if not picture.src:
        picture = picture_of(project, item)
    if not picture.src:
        return f'<p class="v-note">No picture: {_inert(picture.why)}</p>'
    return f'<img class="v-thumb" src="{picture.src}" alt="item {_inert(item.id)}">'


def _error_html(error: ConfidentError, row: CalibrationRow) -> str:
    kind = KINDS.get(row.kind, row.kind)
    below = f"surer than {error.right_below:,} of {row.n_correct:,} right answers"
    words = lines_html(error.gold[:LONGEST], error.predicted[:LONGEST], language=error.language)
    return (
        f'<div class="v-event"><p class="v-note"><b>{error.confidence:.4f}</b> ({kind}) · {below}</p>{words}'
        f'<p class="v-note"><bdi>{_inert(error.item_id)}</bdi></p></div>'
    )


def _inert(text: str) -> str:
    return html.escape(escape_controls(text))
