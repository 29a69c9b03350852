"""Edits of runs grouped by what became what."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """How often `gold` became `predicted` in runs: edits and distinct items. One side is "" for an insertion or deletion."""

    op: str
    gold: str
    predicted: str
    count: int
    items: int


def read_confusions(
    connection: sqlite3.Connection, run_keys: Sequence[int], keep_marked: bool, item_keys: Sequence[int] | None = None
) -> tuple[ConfusionRow, ...]:
    """Every kind of edit in the runs, most frequent first; items with a mark left out unless `keep_marked`.

    `item_keys` keeps the edits of these items alone.
    """
    rows = connection.execute(
        "SELECT e.op, e.gold, e.predicted, count(*), count(DISTINCT p.item_key) FROM edit e "
        f"JOIN prediction p USING (prediction_key) {_where(run_keys, item_keys)} GROUP BY e.op, e.gold, e.predicted "
        "ORDER BY count(*) DESC, e.op, e.gold, e.predicted",
        (keep_marked,),
    )
    return tuple(ConfusionRow(*row) for row in rows)


def items_with_edit(
    connection: sqlite3.Connection,
    run_keys: Sequence[int],
    edit: tuple[str, str, str],
    keep_marked: bool = True,
    item_keys: Sequence[int] | None = None,
) -> tuple[tuple[int, str], ...]:
    """Key and id of the items in which a run made this edit (op, gold, predicted), in order of import."""
    rows = connection.execute(
        "SELECT DISTINCT i.item_key, i.id FROM edit e JOIN prediction p USING (prediction_key) "
        f"{_where(run_keys, item_keys)} AND e.op = ? AND e.gold = ? AND e.predicted = ? ORDER BY i.item_key",
        (keep_marked, *edit),
    )
    return tuple((int(key), str(item_id)) for key, item_id in rows)


def _where(run_keys: Sequence[int], item_keys: Sequence[int] | None) -> str:
    items = "" if item_keys is None else f" AND p.item_key IN ({_listed(item_keys)})"
    return f"JOIN item i USING (item_key) WHERE p.run_key IN ({_listed(run_keys)}) AND (i.mark = '' OR ?){items}"


def _listed(keys: Sequence[int]) -> str:
    return ", ".join(str(int(key)) for key in keys) or "0"
