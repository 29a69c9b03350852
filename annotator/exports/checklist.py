"""The list of what to check first as a table."""

from __future__ import annotations

import numpy as np

from annotator.analyses.severity.checking import choose_edits, edit_order, walk_edits
from annotator.analyses.severity.readable import without_writing
from annotator.exports.writing import Cell, Table
from annotator.records import Query
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
    order = edit_order(project, query, provider)
    chosen = choose_edits(project, query, order)
    total = float(order.edits.severities[chosen.at].sum())
    at = chosen.at[~chosen.marked] if hide_done else chosen.at
    caught = np.minimum(np.cumsum(order.edits.severities[at]) / total, 1.0).tolist() if total else [None] * len(at)
    rows: list[tuple[Cell, ...]] = [()] * len(at)
    for number, edit in walk_edits(project, order, at):
        place = (edit.op, edit.gold_index, edit.predicted_index, edit.gold_edit, edit.predicted_edit)
        charge = (edit.severity, int(edit.imputed), caught[number], edit.state, edit.gold, edit.predicted)
        rows[number] = (number + 1, edit.item_id, edit.system, edit.condition, *place, *charge)
    hidden = len(chosen.at) - len(rows)
    return Table("check-first", CHECKLIST_COLUMNS, rows, {"marked done or gold wrong": hidden} if hidden else {})
