"""What study pools are drawn by: the severities of a provider, scores of outputs, the items of a cell."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.analyses.severity.loading import require_provider
from annotator.analyses.strata.cells import open_placing
from annotator.analyses.strata.grids import place_of
from annotator.records import Cell, Query
from annotator.store.detail import read_item_fields
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import iter_charged
from annotator.store.study_pool import pool_outputs


def edit_severities(project: Project, query: Query, provider: str) -> dict[tuple[int, int], float]:
    """(prediction key, ordinal) -> severity in [0, 1]. A built-in provider charges what it has not charged yet.

    Raises `UsageError` for an unknown provider.
    """
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    row = require_provider(project, provider, runs)
    with project.read() as connection:
        return {(c.prediction_key, c.ordinal): c.severity for c in iter_charged(connection, row.key)}


def output_scores(project: Project, query: Query, provider: str) -> dict[int, float]:
    """Prediction key -> semCER under a provider, of outputs whose edits all have a severity. Lower is better."""
    severities = edit_severities(project, query, provider)
    scores: dict[int, float] = {}
    with project.read() as connection:
        for output in pool_outputs(connection, query):
            charged = [severities.get((output.prediction_key, n)) for n in range(output.edits or 0)]
            known = [severity for severity in charged if severity is not None]
            if output.gold_length and len(known) == len(charged):
                scores[output.prediction_key] = sum(known) / output.gold_length
    return scores


def cell_item_ids(project: Project, query: Query, cells: Sequence[Cell]) -> tuple[str, ...]:
    """Ids of the items in one or several cells of the grid, in the order of import."""
    placing = open_placing(project, query)
    places = {place_of(cell) for cell in cells}
    keys = [k for k, place in zip(placing.keys.tolist(), placing.places.tolist(), strict=True) if place in places]
    with project.read() as connection:
        return tuple(item.id for item in read_item_fields(connection, keys))
