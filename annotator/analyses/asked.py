"""Whether a query asks for what is there: a wrong name is said before anything is computed or written."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.analyses.dataset import items_in_scope
from annotator.analyses.references import count_words
from annotator.analyses.strata.placing import edges_path
from annotator.errors import UsageError
from annotator.metrics.strata.quintiles import read_edges
from annotator.records import Query
from annotator.store.names import read_names
from annotator.store.project import Project, read_revision
from annotator.store.reading import require_attribute


def check_query(project: Project, query: Query) -> None:
    """Raise `UsageError` when a name in `query` is none of the project's, for reports that would not look at it too.

    A project without items or without predictions knows no names, and refuses none: its reports say what is missing.
    """
    with project.read() as connection:
        names = read_names(connection, read_revision(connection))
        _require("system", query.systems, names.systems)
        _require("condition", query.conditions, names.conditions)
        if query.benchmark or query.language:
            items_in_scope(connection, query)
        if query.cluster and names.items:
            require_attribute(connection, query.cluster)
    if query.reference:
        count_words(project, query.reference)
    edges = edges_path(query.edges)
    if edges is not None:
        read_edges(edges)


def _require(what: str, asked: Sequence[str], known: Sequence[str]) -> None:
    for name in asked:
        if known and name not in known:
            raise UsageError(f"unknown {what}: found {name!r}; expected one of: {', '.join(known)}")
