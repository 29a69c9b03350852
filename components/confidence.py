"""How sure a system is: per cell when right and when wrong, any number as a map, probes of activations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from annotator.analyses.strata.confidence import ConfidenceReport, ConfidenceRow, report_confidence
from annotator.analyses.strata.probe import report_probe
from annotator.analyses.strata.report import StrataReport, report_strata
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.records import Cell, Query
from annotator.store.project import Project
from components.filters import choose
from components.heat import HeatCell, HeatGrid
from components.heatmap import heat_map
from components.notes import errors_in_words, note
from components.numbers import Figure, Kind, show_figures
from components.remember import kept
from components.state import Key, read, write
from components.strata import AXES, STEPS, grid_of, place_of
from components.tables import Column, Row, show_table, speaking

SHOWN = {"mean": "Mean", "mean_correct": "When right", "mean_wrong": "When wrong", "accuracy": "Accuracy"}
FIELDS = {"": "per character, else whole", "char_confidence": "per character", "confidence": "whole answer"}
COLUMNS = (
    Column("cell", "Cell", help="Word quintile, n-gram quintile; all is the whole grid."),
    Column("n", "n", Kind.COUNT, "Answered items."),
    Column("accuracy", "Accuracy %", Kind.PERCENT, "STR word accuracy; Wilson interval.", "accuracy_low", "accuracy_high"),
    Column("given", "n with one", Kind.COUNT, "Answered items that carry a confidence."),
    Column("mean", "Mean", Kind.NUMBER,
           "Mean over items of the mean per-character confidence (StratiSTR, Table 12); 95 % interval, items resampled.",
           "mean_low", "mean_high"),
    Column("n_correct", "n right", Kind.COUNT, "Right answers that carry a confidence."),
    Column("mean_correct", "When right", Kind.NUMBER, "The same over right answers.",
           "mean_correct_low", "mean_correct_high"),
    Column("n_wrong", "n wrong", Kind.COUNT, "Wrong answers that carry a confidence."),
    Column("mean_wrong", "When wrong", Kind.NUMBER, "The same over wrong answers; 95 % interval, items resampled.",
           "mean_wrong_low", "mean_wrong_high"),
)  # fmt: skip
GAPS = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("centre", "Centre, when wrong", Kind.NUMBER, "Mean confidence of the wrong answers of cell 3-3."),
    Column("corner", "Corner, when wrong", Kind.NUMBER, "Mean confidence of the wrong answers of cell 5-5."),
    Column("gap", "Corner minus centre", Kind.SIGNED,
           "Confidence on wrong answers; above 0 the system is surer where words are rare (StratiSTR, section 4.4).", "low", "high"),
    Column("p", "p", Kind.P),
    Column("n_centre", "n centre", Kind.COUNT),
    Column("n_corner", "n corner", Kind.COUNT),
)  # fmt: skip
PROBES = (
    Column("layer", "Layer"),
    Column("features", "Features", Kind.COUNT),
    Column("n_train", "n train", Kind.COUNT),
    Column("n_test", "n test", Kind.COUNT),
    Column("balanced_accuracy", "Balanced accuracy", Kind.NUMBER, "On the held-out fifth (StratiSTR, Table 11)."),
    Column("auc", "AUC", Kind.NUMBER, "Area under the ROC curve; items resampled, 2,000 draws at most.", "auc_low", "auc_high"),
)  # fmt: skip


def choose_field() -> str:
    """Which confidence of an answer is read."""
    with st.container(width=340):
        return choose("Confidence", Key.FIELD, list(FIELDS), shown=FIELDS)


def confidence_of(project: Project, query: Query, field: str) -> ConfidenceReport:
    """The report on every run, remembered."""
    return kept(project, "confidence", (query, field), lambda: report_confidence(project, query, field))


def rows_of(report: ConfidenceReport, system: str, condition: str) -> dict[str, ConfidenceRow]:
    """The rows of one run by cell."""
    return {row.cell: row for row in report.rows if (row.system, row.condition) == (system, condition)}


def has_confidence(report: ConfidenceReport) -> bool:
    """Whether any answer carries a confidence."""
    return any(row.given for row in report.rows)


def show_cells(report: ConfidenceReport, rows: dict[str, ConfidenceRow], shown: str) -> None:
    """Draw one run's confidence per cell: the map, the corner beside the centre, and the table."""
    left, right = st.columns([5, 7], gap="medium")
    with left:
        heat_map(_grid(rows, shown, report.basis.axes), _chosen(), key="confidence", on_pick=_pick)
    with right:
        for cell in dict.fromkeys([*_cells(), CENTRE, CORNER]):
            _show_cell(rows[str(cell)])
    show_table(COLUMNS, [_row(row) for row in rows.values()], key="confidence-cells", caption="Confidence in each cell")


def _show_cell(row: ConfidenceRow) -> None:
    st.subheader(f"Cell {row.cell}", anchor=False)
    why = row.why.get("mean", "")
    accuracy = Figure(
        "Accuracy", row.accuracy, Kind.PERCENT, row.accuracy_low, row.accuracy_high, f"n {row.n:,}", why=why
    )
    means = [
        Figure(label, value, Kind.NUMBER, low, high, f"n {n:,}", why=row.why.get(key, why))
        for label, key, value, low, high, n in (
            ("Mean confidence", "mean", row.mean, row.mean_low, row.mean_high, row.given),
            (
                "When right",
                "mean_correct",
                row.mean_correct,
                row.mean_correct_low,
                row.mean_correct_high,
                row.n_correct,
            ),
            ("When wrong", "mean_wrong", row.mean_wrong, row.mean_wrong_low, row.mean_wrong_high, row.n_wrong),
        )
    ]
    show_figures([accuracy, *means])


def _row(row: ConfidenceRow) -> Row:
    return asdict(row)


def _grid(rows: dict[str, ConfidenceRow], shown: str, axes: str) -> HeatGrid:
    x_title, y_title = AXES[axes]
    return HeatGrid(
        cells=tuple(tuple(_cell(rows[str(Cell(i, j))], shown) for j in STEPS) for i in STEPS),
        names=tuple(tuple(str(Cell(i, j)) for j in STEPS) for i in STEPS),
        x_labels=("1 common", "2", "3", "4", "5 rare"),
        y_labels=("1 familiar", "2", "3", "4", "5 novel"),
        x_title=f"{x_title} (quintile)",
        y_title=f"{y_title} (quintile)",
        title=f"{SHOWN[shown]} by {x_title.lower()} and {y_title.lower()}",
        kind=Kind.PERCENT if shown == "accuracy" else Kind.NUMBER,
        framed=(place_of(CORNER), place_of(CENTRE)),
    )


def _cell(row: ConfidenceRow, shown: str) -> HeatCell:
    counts = {"mean_wrong": row.n_wrong, "accuracy": row.n, "mean_correct": row.n_correct}
    return HeatCell(getattr(row, shown), counts.get(shown, row.given))


def _cells() -> Sequence[Cell]:
    cell = Cell.parse(read(Key.CELL))
    return [cell] if cell else []


def _chosen() -> list[tuple[int, int]]:
    return [place_of(cell) for cell in _cells()]


def _pick(x: int, y: int) -> None:
    write({Key.CELL: str(Cell(x + 1, y + 1))})


def show_wrong_gaps(report: ConfidenceReport) -> None:
    """The confidence of wrong answers, corner minus centre, for every run."""
    rows = [{**asdict(gap), "why": {"gap": gap.why}} for gap in report.wrong_gaps]
    show_table(speaking(GAPS, rows), rows, key="wrong-gaps", caption="Surer where it fails more?")


def show_number_map(project: Project, query: Query, system: str, condition: str, column: str) -> None:
    """Any number of the predictions or items (an attention ratio, an entropy) as a map over the cells."""
    report: StrataReport = kept(
        project, "strata by number", (query, column), lambda: report_strata(project, query, column)
    )
    mine = next((one for one in report.systems if (one.system, one.condition) == (system, condition)), None)
    if mine is None:
        note(f"{system} has no answers under {condition}.")
        return
    heat_map(grid_of(mine, column, report.placing.axes), _chosen(), key="number-map", on_pick=_pick)
    curve = [
        {"quintile": f"q{at}", "word": word.value, "ngram": ngram.value, "n_word": word.n, "n_ngram": ngram.n}
        for at, (word, ngram) in enumerate(zip(mine.grid.along_word(), mine.grid.along_ngram(), strict=True), 1)
    ]
    show_table(
        (
            Column("quintile", "Quintile"),
            Column("word", "Along word rarity", Kind.NUMBER, "Mean over items, pooled over the other axis."),
            Column("n_word", "n", Kind.COUNT),
            Column("ngram", "Along n-gram novelty", Kind.NUMBER, "Mean over items, pooled over the other axis."),
            Column("n_ngram", "n", Kind.COUNT),
        ),
        curve,
        key="number-curves",
        caption=f"Mean {column} along each axis",
    )


def show_probe(project: Project, query: Query, upload: Any) -> None:
    """Probe an uploaded file of activations: can each layer tell the corner?"""
    upload.seek(0)
    with errors_in_words():
        report = kept(
            project, "probe", (query, upload.file_id), lambda: report_probe(project, query, upload, upload.name)
        )
    rows = [{**asdict(row), "why": {"auc": row.why, "balanced_accuracy": row.why}} for row in report.rows]
    show_table(PROBES, rows, key="probe", caption="Is this item in the corner? One logistic regression per layer")
    note(f"{report.n:,} items on the grid; {report.unknown:,} ids of the file are none.")
