"""The log of imports: what was asked, from which file, with what result."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any


def log_import(
    connection: sqlite3.Connection,
    kind: str,
    file: str,
    sha256: str,
    options: Mapping[str, Any],
    revision: int,
    at: float,
) -> int:
    """Write one row of the log and return its key. `finish_import` adds the report."""
    cursor = connection.execute(
        "INSERT INTO import_log (revision, kind, file, sha256, options, at) VALUES (?, ?, ?, ?, ?, ?)",
        (revision, kind, file, sha256, json.dumps(options, ensure_ascii=False, sort_keys=True), at),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def finish_import(connection: sqlite3.Connection, import_key: int, report: Mapping[str, Any]) -> None:
    """Store the report of an import that has been written."""
    document = json.dumps(report, ensure_ascii=False)
    connection.execute("UPDATE import_log SET report = ? WHERE import_key = ?", (document, import_key))


def set_key(connection: sqlite3.Connection, key: str, value: str | int) -> None:
    """Set one of the project's own values (`items_revision`, `alignment_version`)."""
    connection.execute("INSERT OR REPLACE INTO project (key, value) VALUES (?, ?)", (key, value))


def was_imported(connection: sqlite3.Connection, kind: str, sha256: str) -> bool:
    """Whether a file with these bytes was imported and not undone since."""
    found = connection.execute(
        "SELECT 1 FROM import_log WHERE kind = ? AND sha256 = ? AND undone_at IS NULL LIMIT 1", (kind, sha256)
    ).fetchone()
    return found is not None
