"""Wide predictions (one column per system) as long ones."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from annotator.errors import Problem
from annotator.ingest.fields import PREDICTION_FIELDS, PREDICTION_ID_STAND_INS, folded
from annotator.ingest.tables import ABSENT, Cells, Table, refused

_KEPT = ("id", "condition", "own_gold")


def widened(table: Table, explicit: Sequence[tuple[str, str]]) -> Table:
    """One row per item and system. Columns for id, condition and own gold keep their meaning; each other is a system.

    A key that a JSON row lacks is a missing prediction, as null is. Raises `FileError` when no column is left.
    """
    shared = _shared_positions(table, explicit)
    systems = [(position, name.strip()) for position, name in enumerate(table.columns) if position not in shared]
    if not systems:
        raise refused(
            table.file, [Problem(table.file, 1, None, "no column left for a system", "one column per system")]
        )
    columns = (*(table.columns[position] for position in shared), "system", "predicted")
    lines, rows = array("Q"), list[Cells]()
    for line, cells in zip(table.lines, table.rows, strict=True):
        before = tuple(cells[position] for position in shared)
        for position, name in systems:
            lines.append(line)
            rows.append((*before, name, None if cells[position] is ABSENT else cells[position]))
    notes = (*table.notes, f"wide: one system per column: {', '.join(name for _, name in systems)}")
    return Table(table.file, columns, lines, rows, table.typed, table.sha256, table.separator, table.problems, notes)


def _shared_positions(table: Table, explicit: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    names = {folded(column): position for position, column in enumerate(table.columns)}
    chosen = {folded(column) for _, column in explicit}
    for field in PREDICTION_FIELDS:
        if field.name in _KEPT:
            chosen.update((field.name, *field.aliases))
    if not chosen & {"id", "item_id", "image_id"} & set(names):
        chosen.update(PREDICTION_ID_STAND_INS)
    return tuple(sorted(position for name, position in names.items() if name in chosen))
