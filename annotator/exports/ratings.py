"""Export of single ratings, for the owner: pseudonyms, values, rationales and times."""

from __future__ import annotations

from datetime import UTC, datetime

from annotator.exports.writing import Table
from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.answers import load_study

COLUMNS = (
    *("study", "task", "rater", "repeat", "value", "rationale", "shown_first", "seconds", "answered_at", "replaces"),
)
CANNOT = "cannot:"


def ratings_table(project: Project, study: str, query: Query | None = None) -> Table:
    """Every current answer of a study in order of task and slot, withdrawn raters and attention tasks included.

    A task that a rater could not judge has the value `cannot:REASON`. `answered_at` is UTC, ISO 8601; `replaces` is the
    event that the current answer changed.
    """
    data = load_study(project, study, query)
    rows = tuple(
        (
            row.study,
            row.task,
            row.rater,
            row.repeat,
            row.value if row.value is not None else CANNOT + row.cannot,
            row.rationale,
            row.shown_first,
            row.seconds,
            datetime.fromtimestamp(row.answered_at, UTC).isoformat(timespec="milliseconds"),
            row.replaces,
        )
        for row in data.ratings
    )
    return Table("ratings", COLUMNS, rows)
