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


def imports_on(connection: sqlite3.Connection, import_key: int) -> tuple[int, ...]:
    """Later imports that stand on this one: predictions of its items, or replacements of its rows. Latest first."""
    rows = connection.execute(
        "SELECT DISTINCT p.import_key FROM prediction p JOIN item i USING (item_key) "
        "WHERE i.import_key = :key AND p.import_key > :key "
        "UNION SELECT DISTINCT b.import_key FROM import_before b JOIN import_log l USING (import_key) "
        "WHERE l.undone_at IS NULL AND b.import_key > :key AND json_extract(b.row, '$.import_key') = :key "
        "ORDER BY 1 DESC",
        {"key": import_key},
    )
    return tuple(int(row[0]) for row in rows)


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back: rows deleted and rows restored; `regolded` are items whose predictions need aligning anew."""

    deleted: int
    restored: int
    item_keys: tuple[int, ...]
    prediction_keys: tuple[int, ...]
    run_keys: tuple[int, ...]


def undo_rows(connection: sqlite3.Connection, import_key: int, at: float) -> Undone:
    """Delete what an import added, put back what it replaced, and mark it undone. Restored predictions lack alignments."""
    runs = {
        int(row[0])
        for row in connection.execute("SELECT DISTINCT run_key FROM prediction WHERE import_key = ?", (import_key,))
    }
    deleted = connection.execute("DELETE FROM prediction WHERE import_key = ?", (import_key,)).rowcount
    deleted += connection.execute("DELETE FROM item WHERE import_key = ?", (import_key,)).rowcount
    items: list[int] = []
    predictions: list[int] = []
    for kind, key, text in connection.execute(
        "SELECT kind, key, row FROM import_before WHERE import_key = ?", (import_key,)
    ).fetchall():
        row = json.loads(text)
        (_restore_item if kind == "item" else _restore_prediction)(connection, row)
        (items if kind == "item" else predictions).append(int(key))
    connection.execute("DELETE FROM import_before WHERE import_key = ?", (import_key,))
    connection.execute("UPDATE import_log SET undone_at = ? WHERE import_key = ?", (at, import_key))
    drop_empty_runs(connection, runs)
    return Undone(deleted, len(items) + len(predictions), tuple(items), tuple(predictions), tuple(sorted(runs)))


def _restore_item(connection: sqlite3.Connection, row: dict[str, object]) -> None:
    names = [name for name in row if name != "item_key"]
    assignments = ", ".join(f"{name} = ?" for name in names)
    connection.execute(
        f"UPDATE item SET {assignments} WHERE item_key = ?", [*(row[name] for name in names), row["item_key"]]
    )


_DETAILS = ("char_confidence", "candidates", "reasoning", "extra")


def _restore_prediction(connection: sqlite3.Connection, row: dict[str, object]) -> None:
    details = [row.pop(name) for name in _DETAILS]
    names = ", ".join(row)
    connection.execute(f"INSERT INTO prediction ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
    if any(value is not None for value in details):
        connection.execute(
            f"INSERT INTO prediction_detail (prediction_key, {', '.join(_DETAILS)}) VALUES (?, ?, ?, ?, ?)",
            [row["prediction_key"], *details],
        )


def drop_empty_runs(connection: sqlite3.Connection, run_keys: Iterable[int]) -> None:
    """Drop those of the runs that have no predictions any more, and their systems when nothing is left of them."""
    for key in run_keys:
        if connection.execute("SELECT 1 FROM prediction WHERE run_key = ? LIMIT 1", (key,)).fetchone() is None:
            connection.execute("DELETE FROM run WHERE run_key = ?", (key,))
    connection.execute("DELETE FROM system WHERE system_key NOT IN (SELECT system_key FROM run)")
