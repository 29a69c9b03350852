"""Export of rating aggregates: what people come for."""

from __future__ import annotations

from annotator.exports.writing import Table
from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.aggregates import study_aggregates


def aggregates_table(project: Project, study: str, *, with_systems: bool = False, query: Query | None = None) -> Table:
    """One row per task (and label) of a study, ordered by item; raters, rationales and times are not in it."""
    aggregates = study_aggregates(project, study, with_systems=with_systems, query=query)
    return Table("aggregates", aggregates.columns, aggregates.rows, dict(aggregates.left_out))
