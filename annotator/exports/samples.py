"""Export of a random sample of wrong answers for review: their error mode, the rule that fired, and room for a verdict."""

from __future__ import annotations

from annotator.analyses.strata.modes import ModeReport, report_modes
from annotator.exports.writing import Table
from annotator.metrics.strata.modes import ErrorMode
from annotator.records import Cell, Query
from annotator.store.project import Project

COLUMNS = ("id", "system", "condition", "script", "gold", "predicted", "mode", "read", "rule")
REVIEW = ("reviewer", "reviewed_mode", "note")


def sample_table(project: Project, query: Query, cell: Cell | None = None, size: int = 50) -> Table:
    """`size` wrong answers of a cell, or of the whole grid, drawn with the query's seed; the last columns are empty."""
    return table_of(report_modes(project, query, cell, size))


def table_of(report: ModeReport) -> Table:
    """The sample of a report on error modes. `read` is abstain or commit."""
    rows = [
        (
            one.item_id,
            one.system,
            one.condition,
            one.script,
            one.gold,
            one.predicted,
            one.mode,
            _read(one.mode),
            one.rule,
        )
        for one in report.sample
    ]
    where = f" {report.cell}" if report.cell else ""
    return Table(f"sample{where}", (*COLUMNS, *REVIEW), [(*row, *("" for _ in REVIEW)) for row in rows])


def _read(mode: str) -> str:
    return "commit" if ErrorMode(mode).commits else "abstain"
