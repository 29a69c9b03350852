"""Export of a cell of the grid, or of any list of items: the items' columns, then one column per system."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.analyses.dataset import load_items
from annotator.analyses.strata.cells import open_placing
from annotator.analyses.strata.grids import place_of
from annotator.exports.tables import items_table
from annotator.exports.writing import Cell as Value
from annotator.exports.writing import Table
from annotator.records import Cell, Query
from annotator.store.detail import read_predicted
from annotator.store.project import Project
from annotator.store.reading import read_runs

_CHUNK = 500


def cell_table(project: Project, query: Query, cells: Sequence[Cell]) -> Table:
    """The items of one or several cells with what every system of `query` returned."""
    placing = open_placing(project, query)
    places = {place_of(cell) for cell in cells}
    keys = [key for key, place in zip(placing.keys.tolist(), placing.places.tolist(), strict=True) if place in places]
    names = "+".join(str(cell) for cell in cells)
    return list_table(project, query, keys, f"cell {names}")


def list_table(project: Project, query: Query, keys: Sequence[int] | None = None, name: str = "list") -> Table:
    """Chosen items (all of `query` without `keys`), in order, with one column per run; a missing answer is absent."""
    chosen = load_items(project, query).items.keys.tolist() if keys is None else list(keys)
    table = items_table(project, query, chosen)
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
        said: dict[tuple[int, int], str] = {}
        for start in range(0, len(chosen), _CHUNK):
            said.update(read_predicted(connection, [run.key for run in runs], chosen[start : start + _CHUNK]))
    rows: list[tuple[Value, ...]] = [
        (*row, *(said.get((run.key, key)) for run in runs)) for row, key in zip(table.rows, chosen, strict=True)
    ]
    return Table(name, (*table.columns, *(run.name for run in runs)), rows)
