"""Ratings that were made elsewhere: raters without a link, answers without a lease."""

from __future__ import annotations

import secrets
import sqlite3

from annotator.store.study_raters import insert_rater


def find_or_add_rater(
    connection: sqlite3.Connection, study_key: int, label: str, at: float, kind: str = "import"
) -> int:
    """The key of the rater with that label; made with a link that nobody knows when there is none."""
    row = connection.execute(
        "SELECT rater_key FROM rater WHERE study_key = ? AND label = ?", (study_key, label)
    ).fetchone()
    if row is not None:
        return int(row[0])
    return insert_rater(connection, study_key, secrets.token_urlsafe(24), seed=0, at=at, kind=kind, label=label).key


def stored_value(connection: sqlite3.Connection, task_key: int, rater_key: int, repeat: int = 0) -> str | None:
    """The rater's current value of a task; `None` when there is none."""
    row = connection.execute(
        "SELECT value FROM rating WHERE task_key = ? AND rater_key = ? AND repeat = ?", (task_key, rater_key, repeat)
    ).fetchone()
    return None if row is None else row[0]


def insert_imported(
    connection: sqlite3.Connection,
    study_key: int,
    task_key: int,
    rater_key: int,
    value: str,
    event: str,
    at: float,
    *,
    repeat: int = 0,
    shown_first: str = "",
    rationale: str = "",
    details: str = "{}",
    takes_slot: bool = True,
) -> None:
    """Store an answer with its event. `takes_slot` counts it towards the task's overlap (people's answers only)."""
    cursor = connection.execute(
        "INSERT INTO rating_event (event, study_key, task_key, rater_key, repeat, kind, value, rationale, shown_first, at, "
        "details) VALUES (?,?,?,?,?,'answer',?,?,?,?,?)",
        (event, study_key, task_key, rater_key, repeat, value, rationale, shown_first, at, details),
    )
    connection.execute(
        "INSERT INTO rating (study_key, task_key, rater_key, repeat, position, value, answered_at, event_key) "
        "SELECT ?, ?, ?, ?, coalesce(max(position), 0) + 1, ?, ?, ? FROM rating WHERE rater_key = ?",
        (study_key, task_key, rater_key, repeat, value, at, cursor.lastrowid, rater_key),
    )
    if takes_slot and not repeat:
        connection.execute("UPDATE task SET taken = taken + 1 WHERE task_key = ? AND attention = 0", (task_key,))


def replace_value(
    connection: sqlite3.Connection, study_key: int, task_key: int, rater_key: int, value: str, event: str, at: float
) -> None:
    """Change the current value of a rater's first answer; the old one stays in the history."""
    (old,) = connection.execute(
        "SELECT event_key FROM rating WHERE task_key = ? AND rater_key = ? AND repeat = 0", (task_key, rater_key)
    ).fetchone()
    cursor = connection.execute(
        "INSERT INTO rating_event (event, study_key, task_key, rater_key, repeat, kind, value, at, replaces) "
        "VALUES (?,?,?,?,0,'change',?,?,?)",
        (event, study_key, task_key, rater_key, value, at, old),
    )
    connection.execute(
        "UPDATE rating SET value = ?, event_key = ? WHERE task_key = ? AND rater_key = ? AND repeat = 0",
        (value, cursor.lastrowid, task_key, rater_key),
    )
