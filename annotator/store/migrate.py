"""Numbered migrations: `migrations/NNNN_name.sql`, each applied once, all in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from annotator.errors import ProjectTooNewError

FOLDER = Path(__file__).with_name("migrations")


@cache
def known_migrations() -> tuple[str, ...]:
    """Names of the migrations that ship with this version, in the order in which they apply."""
    return tuple(sorted(path.stem for path in FOLDER.glob("[0-9]*_*.sql")))


def pending_migrations(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Migrations that the database still lacks. Raises `ProjectTooNewError` when it holds unknown ones."""
    has_table = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migration'").fetchone()
    applied = {row[0] for row in connection.execute("SELECT name FROM migration")} if has_table else set()
    unknown = sorted(applied - set(known_migrations()))
    if unknown:
        raise ProjectTooNewError(
            f"this project was written by a later version of Verbatim: found the migration {unknown[-1]}, "
            f"expected at most {known_migrations()[-1]}. Update Verbatim, then open it again."
        )
    return tuple(name for name in known_migrations() if name not in applied)


def apply_migrations(connection: sqlite3.Connection, at: float) -> tuple[str, ...]:
    """Apply what is missing inside the caller's `BEGIN IMMEDIATE`; return the names applied."""
    connection.execute("CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, at REAL NOT NULL)")
    names = pending_migrations(connection)
    for name in names:
        for statement in statements((FOLDER / f"{name}.sql").read_text(encoding="utf-8")):
            connection.execute(statement)
        connection.execute("INSERT INTO migration (name, at) VALUES (?, ?)", (name, at))
    return names


def statements(script: str) -> Iterator[str]:
    """Split a script into statements; `executescript` would commit the caller's transaction."""
    buffer = ""
    for line in script.splitlines(keepends=True):
        buffer += line
        if sqlite3.complete_statement(buffer):
            yield buffer
            buffer = ""
    if buffer.strip() and not all(line.strip().startswith("--") for line in buffer.strip().splitlines()):
        yield buffer
