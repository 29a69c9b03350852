"""Marks and corrections of gold and standard form, with the values that they replaced."""

from __future__ import annotations

import sqlite3

FIELDS = ("gold", "standard", "mark")


def write_correction(
    connection: sqlite3.Connection, item_key: int, field: str, new: str | None, source: str, revision: int, at: float
) -> int | None:
    """Set one of gold, standard, mark; keep the old value. Returns the history key, `None` when nothing changes."""
    assert field in FIELDS, field
    (old,) = connection.execute(f"SELECT {field} FROM item WHERE item_key = ?", (item_key,)).fetchone()
    if old == new:
        return None
    _set(connection, item_key, field, new, revision)
    return connection.execute(
        "INSERT INTO item_history (item_key, field, old, new, source, revision, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (item_key, field, old, new, source, revision, at),
    ).lastrowid


def undo_correction(
    connection: sqlite3.Connection, history_key: int, revision: int, at: float
) -> tuple[int, str] | None:
    """Put the old value back; returns (item key, field).

    `None` when there is no such correction, it is undone already, or a later one of the same field still stands.
    """
    row = connection.execute(
        "SELECT item_key, field, old FROM item_history h WHERE history_key = ? AND undone_at IS NULL AND NOT EXISTS "
        "(SELECT 1 FROM item_history l WHERE l.item_key = h.item_key AND l.field = h.field AND l.history_key > "
        "h.history_key AND l.undone_at IS NULL)",
        (history_key,),
    ).fetchone()
    if row is None:
        return None
    item_key, field, old = row
    _set(connection, item_key, field, old, revision)
    connection.execute("UPDATE item_history SET undone_at = ? WHERE history_key = ?", (at, history_key))
    return int(item_key), str(field)


def _set(connection: sqlite3.Connection, item_key: int, field: str, value: str | None, revision: int) -> None:
    connection.execute(
        f"UPDATE item SET {field} = ?, changed_revision = ? WHERE item_key = ?", (value, revision, item_key)
    )
    connection.execute("UPDATE project SET value = ? WHERE key = 'items_revision'", (str(revision),))


def standing_corrections(connection: sqlite3.Connection, source: str) -> tuple[int, ...]:
    """History keys of the corrections by `source` that were not undone, newest first."""
    rows = connection.execute(
        "SELECT history_key FROM item_history WHERE source = ? AND undone_at IS NULL ORDER BY history_key DESC",
        (source,),
    )
    return tuple(int(row[0]) for row in rows)
