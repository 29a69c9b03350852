"""The working list of what to check first: charged edits by severity, and what a reviewer marked done."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class WorstEdit:
    """An edit in the order of what to check first, with what a reader needs to see it."""

    prediction_key: int
    ordinal: int
    item_key: int
    item_id: str
    language: str
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


@dataclass(frozen=True, slots=True)
class ListScope:
    """Which charged edits are on the list: a provider's, in runs, of a benchmark and language ("" for all).

    Edits of items whose gold is marked wrong are left out unless `keep_wrong_gold`; `hide_done` leaves out marked edits.
    """

    provider_key: int
    run_keys: tuple[int, ...]
    benchmark: str = ""
    language: str = ""
    keep_wrong_gold: bool = False
    hide_done: bool = False


@dataclass(frozen=True, slots=True)
class Damage:
    """A number of edits and the sum of their severities."""

    edits: int
    severity: float


# CROSS JOIN keeps the order of the tables: the index `severity_worst` is walked, and nothing is sorted.
_FROM = (
    "FROM severity v CROSS JOIN prediction p ON p.prediction_key = v.prediction_key "
    "CROSS JOIN item i ON i.item_key = p.item_key "
    "LEFT JOIN edit_check c ON c.prediction_key = v.prediction_key AND c.ordinal = v.ordinal "
)
_ORDER = "ORDER BY v.severity DESC, v.prediction_key, v.ordinal"


def _where_sql(scope: ListScope) -> tuple[str, list[Any]]:
    runs = ", ".join(str(int(key)) for key in scope.run_keys) or "NULL"
    parts = [f"v.provider_key = ? AND p.run_key IN ({runs})"]
    bound: list[Any] = [scope.provider_key]
    for column, value in (("benchmark", scope.benchmark), ("language", scope.language)):
        if value:
            parts.append(f"lower(i.{column}) = lower(?)")
            bound.append(value)
    if not scope.keep_wrong_gold:
        parts.append("i.mark = ''")
    if scope.hide_done:
        parts.append("c.state IS NULL")
    return f"WHERE {' AND '.join(parts)} ", bound


def worst_sql(scope: ListScope) -> tuple[str, list[Any]]:
    """The query of the list and its values, without limit and offset."""
    where, values = _where_sql(scope)
    return (
        "SELECT v.prediction_key, v.ordinal, i.item_key, i.id, i.language, s.name, r.condition, e.op, e.gold_index, "
        "e.predicted_index, e.gold, e.predicted, v.severity, v.imputed != 0, i.gold, p.predicted, coalesce(c.state, '') "
        f"{_FROM} JOIN edit e ON e.prediction_key = v.prediction_key AND e.ordinal = v.ordinal "
        f"JOIN run r ON r.run_key = p.run_key JOIN system s USING (system_key) {where}{_ORDER}",
        values,
    )


def read_worst(connection: sqlite3.Connection, scope: ListScope, offset: int, limit: int) -> tuple[WorstEdit, ...]:
    """A page of the list, highest severity first, then in a stable order."""
    sql, values = worst_sql(scope)
    return tuple(WorstEdit(*row) for row in connection.execute(f"{sql} LIMIT ? OFFSET ?", (*values, limit, offset)))


def iter_worst(connection: sqlite3.Connection, scope: ListScope) -> Iterator[WorstEdit]:
    """The whole list, streamed."""
    sql, values = worst_sql(scope)
    for row in connection.execute(sql, values):
        yield WorstEdit(*row)


def damage_before(connection: sqlite3.Connection, scope: ListScope, offset: int) -> float:
    """The severities of the first `offset` edits of the list, summed."""
    if not offset:
        return 0.0
    where, values = _where_sql(scope)
    (total,) = connection.execute(
        f"SELECT coalesce(sum(severity), 0) FROM (SELECT v.severity AS severity {_FROM} {where}{_ORDER} LIMIT ?)",
        (*values, offset),
    ).fetchone()
    return float(total)


def total_damage(connection: sqlite3.Connection, scope: ListScope) -> Damage:
    """All edits of the list."""
    where, values = _where_sql(scope)
    count, total = connection.execute(
        f"SELECT count(*), coalesce(sum(v.severity), 0) {_FROM} {where}", values
    ).fetchone()
    return Damage(int(count), float(total))


def marked_damage(connection: sqlite3.Connection, scope: ListScope) -> Damage:
    """The edits of the list that are marked, whether or not the list hides them."""
    where, values = _where_sql(replace(scope, hide_done=False))
    count, total = connection.execute(
        "SELECT count(*), coalesce(sum(v.severity), 0) FROM edit_check c "
        "CROSS JOIN severity v ON c.prediction_key = v.prediction_key AND c.ordinal = v.ordinal "
        "CROSS JOIN prediction p ON p.prediction_key = v.prediction_key CROSS JOIN item i ON i.item_key = p.item_key "
        f"{where}",
        values,
    ).fetchone()
    return Damage(int(count), float(total))


def mark_checked(connection: sqlite3.Connection, prediction_key: int, ordinal: int, state: str, at: float) -> None:
    """Mark an edit `done` or `gold-wrong` in the working list; an empty state takes the mark back."""
    if not state:
        connection.execute("DELETE FROM edit_check WHERE prediction_key = ? AND ordinal = ?", (prediction_key, ordinal))
        return
    connection.execute(
        "INSERT OR REPLACE INTO edit_check (prediction_key, ordinal, state, at) VALUES (?, ?, ?, ?)",
        (prediction_key, ordinal, state, at),
    )


def prediction_severities(
    connection: sqlite3.Connection, provider_key: int, prediction_keys: Sequence[int]
) -> dict[int, dict[int, float]]:
    """The charges of a provider for a few predictions: by prediction key, then by the edit's number."""
    keys = ", ".join(str(int(key)) for key in prediction_keys) or "NULL"
    found: dict[int, dict[int, float]] = {}
    for key, ordinal, severity in connection.execute(
        f"SELECT prediction_key, ordinal, severity FROM severity WHERE provider_key = ? AND prediction_key IN ({keys})",
        (provider_key,),
    ):
        found.setdefault(int(key), {})[int(ordinal)] = float(severity)
    return found
