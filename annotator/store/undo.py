"""Imports undone: what they added is deleted, what they replaced is put back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoggedImport:
    """A row of the import log."""

    key: int
    revision: int
    kind: str
    file: str
    at: float
    undone_at: float | None
    report: dict[str, object]


def read_imports(connection: sqlite3.Connection) -> tuple[LoggedImport, ...]:
    """The import log, newest first."""
    rows = connection.execute(
        "SELECT import_key, revision, kind, file, at, undone_at, report FROM import_log ORDER BY import_key DESC"
    )
    return tuple(
        LoggedImport(key, revision, kind, file, at, undone_at, json.loads(report))
        for key, revision, kind, file, at, undone_at, report in rows
    )


def keep_items(connection: sqlite3.Connection, keys: Iterable[int], import_key: int) -> None:
    """Keep the rows of items that an import is about to change."""
    for key in keys:
        row = connection.execute("SELECT * FROM item WHERE item_key = ?", (key,)).fetchone()
        _keep(connection, import_key, "item", key, dict(row))


def keep_predictions(connection: sqlite3.Connection, keys: Iterable[int], import_key: int) -> None:
    """Keep the rows of predictions that an import is about to replace."""
    for key in keys:
        row = connection.execute(
            "SELECT p.*, char_confidence, candidates, reasoning, extra FROM prediction p "
            "LEFT JOIN prediction_detail d USING (prediction_key) WHERE p.prediction_key = ?",
            (key,),
        ).fetchone()
        _keep(connection, import_key, "prediction", key, dict(row))


def _keep(connection: sqlite3.Connection, import_key: int, kind: str, key: int, row: dict[str, object]) -> None:
    connection.execute(
        "INSERT INTO import_before (import_key, kind, key, row) VALUES (?, ?, ?, ?)",
        (import_key, kind, key, json.dumps(row, ensure_ascii=False)),
    )
