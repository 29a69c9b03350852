"""What a recogniser run reads and writes beside predictions: which items are answered, and which failed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """An item that a system failed on under a condition, with the last message and how often it was tried."""

    item_id: str
    message: str
    tries: int


def read_answered(connection: sqlite3.Connection, system: str, condition: str) -> dict[int, int]:
    """Prediction key by item key of everything that a system answered under a condition."""
    rows = connection.execute(
        "SELECT item_key, prediction_key FROM prediction JOIN run USING (run_key) JOIN system USING (system_key) "
        "WHERE name = ? AND condition = ?",
        (system, condition),
    )
    return {int(item): int(key) for item, key in rows}


def note_failures(
    connection: sqlite3.Connection, system: str, condition: str, messages: Mapping[int, str], at: float
) -> None:
    """Keep why items failed, by item key; an item that failed before counts one try more."""
    connection.executemany(
        "INSERT INTO recognise_failure (system, condition, item_key, message, at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (system, condition, item_key) DO UPDATE SET message = excluded.message, tries = tries + 1, "
        "at = excluded.at",
        ((system, condition, key, message, at) for key, message in messages.items()),
    )


def clear_failures(connection: sqlite3.Connection, system: str, condition: str, item_keys: Iterable[int]) -> None:
    """Forget the failures of items that are answered now."""
    connection.executemany(
        "DELETE FROM recognise_failure WHERE system = ? AND condition = ? AND item_key = ?",
        ((system, condition, key) for key in item_keys),
    )


def read_failures(connection: sqlite3.Connection, system: str, condition: str) -> tuple[Failure, ...]:
    """Items that stand failed, in order of import."""
    rows = connection.execute(
        "SELECT id, message, tries FROM recognise_failure JOIN item USING (item_key) "
        "WHERE system = ? AND condition = ? ORDER BY item_key",
        (system, condition),
    )
    return tuple(Failure(*row) for row in rows)


def note_role(connection: sqlite3.Connection, system: str, condition: str, role: str) -> None:
    """Mark a condition of a system realistic or oracle, unless the user has said something already."""
    connection.execute(
        "UPDATE run SET role = ? WHERE role = '' AND condition = ? "
        "AND system_key = (SELECT system_key FROM system WHERE name = ?)",
        (role, condition, system),
    )
