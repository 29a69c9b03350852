"""The list of what to check first as a table."""

from __future__ import annotations

from annotator.analyses.severity.checking import list_damage, list_scope
from annotator.analyses.severity.readable import without_writing
from annotator.exports.writing import Cell, Table
from annotator.records import Query
from annotator.store.checklist import iter_worst
from annotator.store.project import Project

CHECKLIST_COLUMNS = (
    "rank", "id", "system", "condition", "op", "gold_index", "predicted_index", "gold_edit", "predicted_edit", "severity",
    "imputed", "caught", "state", "gold", "predicted",
)  # fmt: skip


@without_writing
def checklist_table(project: Project, query: Query, provider: str, hide_done: bool = False) -> Table:
    """Every charged edit, worst first, with the share of all damage in the edits down to it and what it was marked.

    With `hide_done` marked edits are left out, and counted.
    """
    whole = list_damage(project, query, provider)
    scope = list_scope(project, query, provider, hide_done)
    rows: list[tuple[Cell, ...]] = []
    running = 0.0
    with project.read() as connection:
        for rank, edit in enumerate(iter_worst(connection, scope), 1):
            running += edit.severity
            caught = min(running / whole.severity, 1.0) if whole.severity else None
            place = (edit.op, edit.gold_index, edit.predicted_index, edit.gold_edit, edit.predicted_edit)
            charge = (edit.severity, int(edit.imputed), caught, edit.state, edit.gold, edit.predicted)
            rows.append((rank, edit.item_id, edit.system, edit.condition, *place, *charge))
    hidden = whole.edits - len(rows)
    return Table("check-first", CHECKLIST_COLUMNS, rows, {"marked done or gold wrong": hidden} if hidden else {})
