"""The working list of what to check first: charged edits by severity, and what a reviewer marked done."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorstEdit:
    """An edit in the order of what to check first, with what a reader needs to see it."""

    prediction_key: int
    ordinal: int
    item_key: int
    item_id: str
    system: str
    condition: str
    op: str
    gold_index: int
    predicted_index: int
    gold_edit: str
    predicted_edit: str
    severity: float
    imputed: bool
    gold: str
    predicted: str
    state: str


def read_worst(
    connection: sqlite3.Connection, provider_key: int, run_keys: Sequence[int], offset: int, limit: int, hide_done: bool
) -> tuple[WorstEdit, ...]:
    """A page of charged edits of runs, highest severity first, then in a stable order; marked items' edits left out."""
    runs = ", ".join(str(int(key)) for key in run_keys)
    hidden = "AND c.state IS NULL" if hide_done else ""
    rows = connection.execute(
        "SELECT v.prediction_key, v.ordinal, i.item_key, i.id, s.name, r.condition, e.op, e.gold_index, e.predicted_index, "
        "e.gold, e.predicted, v.severity, v.imputed != 0, i.gold, p.predicted, coalesce(c.state, '') "
        "FROM severity v JOIN prediction p USING (prediction_key) "
        "JOIN edit e ON e.prediction_key = v.prediction_key AND e.ordinal = v.ordinal "
        "JOIN run r USING (run_key) JOIN system s USING (system_key) JOIN item i USING (item_key) "
        "LEFT JOIN edit_check c ON c.prediction_key = v.prediction_key AND c.ordinal = v.ordinal "
        f"WHERE v.provider_key = ? AND p.run_key IN ({runs}) AND i.mark = '' {hidden} "
        "ORDER BY v.severity DESC, v.prediction_key, v.ordinal LIMIT ? OFFSET ?",
        (provider_key, limit, offset),
    )
    return tuple(WorstEdit(*row) for row in rows)


def damage_before(
    connection: sqlite3.Connection, provider_key: int, run_keys: Sequence[int], offset: int, hide_done: bool
) -> float:
    """The severities of the first `offset` edits of the list, summed."""
    runs = ", ".join(str(int(key)) for key in run_keys)
    hidden = "AND c.state IS NULL" if hide_done else ""
    (total,) = connection.execute(
        "SELECT coalesce(sum(severity), 0) FROM (SELECT v.severity FROM severity v JOIN prediction p USING (prediction_key) "
        "JOIN item i USING (item_key) LEFT JOIN edit_check c ON c.prediction_key = v.prediction_key AND "
        f"c.ordinal = v.ordinal WHERE v.provider_key = ? AND p.run_key IN ({runs}) AND i.mark = '' {hidden} "
        "ORDER BY v.severity DESC, v.prediction_key, v.ordinal LIMIT ?)",
        (provider_key, offset),
    ).fetchone()
    return float(total)


def total_damage(connection: sqlite3.Connection, provider_key: int, run_keys: Sequence[int]) -> tuple[int, float]:
    """How many charged edits runs have, and the sum of their severities."""
    runs = ", ".join(str(int(key)) for key in run_keys)
    count, total = connection.execute(
        "SELECT count(*), coalesce(sum(v.severity), 0) FROM severity v JOIN prediction p USING (prediction_key) "
        f"JOIN item i USING (item_key) WHERE v.provider_key = ? AND p.run_key IN ({runs}) AND i.mark = ''",
        (provider_key,),
    ).fetchone()
    return int(count), float(total)


def mark_checked(connection: sqlite3.Connection, prediction_key: int, ordinal: int, state: str, at: float) -> None:
    """Mark an edit `done` or `gold-wrong` in the working list; an empty state takes the mark back."""
    if not state:
        connection.execute("DELETE FROM edit_check WHERE prediction_key = ? AND ordinal = ?", (prediction_key, ordinal))
        return
    connection.execute(
        "INSERT OR REPLACE INTO edit_check (prediction_key, ordinal, state, at) VALUES (?, ?, ?, ?)",
        (prediction_key, ordinal, state, at),
    )
