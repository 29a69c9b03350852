"""Decisions of the owner on written answers: appended, never changed."""

from __future__ import annotations

import sqlite3

from annotator.errors import UsageError


def insert_adjudication(
    connection: sqlite3.Connection, study_key: int, number: int, value: str, by: str, at: float
) -> None:
    """Append a decision for the task with that number. Raises `UsageError` when the study has no such task."""
    cursor = connection.execute(
        "INSERT INTO adjudication (study_key, task_key, value, by, at) "
        "SELECT study_key, task_key, ?, ?, ? FROM task WHERE study_key = ? AND number = ?",
        (value, by, at, study_key, number),
    )
    if not cursor.rowcount:
        raise UsageError(f"found no task {number} in this study; expected a number from its task list")


def latest_adjudications(connection: sqlite3.Connection, study_key: int) -> dict[int, str]:
    """Task key -> the value of its last decision."""
    rows = connection.execute(
        "SELECT task_key, value FROM adjudication WHERE study_key = ? ORDER BY adjudication_key", (study_key,)
    )
    return {row["task_key"]: row["value"] for row in rows}
