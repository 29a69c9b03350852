"""The health of a project's database: what is broken, stale or lost; consistent copies; systems deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from annotator.errors import ProjectReadOnlyError
from annotator.store.project import DATABASE, Project


def integrity_faults(connection: sqlite3.Connection) -> list[str]:
    """What SQLite itself finds wrong, at most 20 lines; empty for a sound file."""
    lines = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
    found = [] if lines == ["ok"] else lines
    strays = connection.execute("PRAGMA foreign_key_check").fetchall()
    return found + [f"{row[0]} row {row[1]} points to a missing {row[2]}" for row in strays[:20]]


def stale_alignments(connection: sqlite3.Connection, version: str) -> int:
    """Predictions aligned by another version than `version`."""
    row = connection.execute("SELECT count(*) FROM prediction WHERE alignment_version != ?", (version,)).fetchone()
    return int(row[0])


def broken_alignments(connection: sqlite3.Connection) -> list[int]:
    """Keys of predictions whose counts do not agree with their edits, or with there being a gold."""
    rows = connection.execute(
        "SELECT prediction_key FROM prediction JOIN item USING (item_key) LEFT JOIN "
        "(SELECT prediction_key, count(*) AS edits FROM edit GROUP BY prediction_key) USING (prediction_key) "
        "WHERE (gold IS NULL) != (matches IS NULL) "
        "OR coalesce(substitutions + deletions + insertions, 0) != coalesce(edits, 0) "
        "OR matches + substitutions + deletions != gold_length ORDER BY prediction_key"
    )
    return [int(row[0]) for row in rows]


def iter_images(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str, str, str]]:
    """(item key, id, image, image root, problem) of every item that names an image."""
    rows = connection.execute(
        "SELECT item_key, id, image, coalesce(path, ''), image_problem FROM item LEFT JOIN image_root USING (root_key) "
        "WHERE image != '' ORDER BY item_key"
    )
    for row in rows:
        yield tuple(row)


def copy_database(project: Project, target: Path) -> None:
    """Write a consistent copy of the database while others read and write. `target` must not exist yet.

    Raises `ProjectReadOnlyError` when the disk is full; what was written then is of no use.
    """
    for left in ("", "-journal", "-wal", "-shm"):  # of a copy that was killed: SQLite would play its log into this one
        target.with_name(target.name + left).unlink(missing_ok=True)
    with project.read() as source:
        copy = sqlite3.connect(target)
        try:
            # All in one step, from the snapshot of this transaction: a copy in steps begins anew at every write by others.
            source.execute("SELECT count(*) FROM project").fetchone()
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            raise ProjectReadOnlyError(
                f"cannot write {target}: {error}. Free disk space or give another place."
            ) from error
        finally:
            copy.close()


@contextmanager
def temporary_copy(project: Project) -> Iterator[Project]:
    """The project's database in a temporary folder that is deleted when the block ends; pictures stay where they are."""
    with TemporaryDirectory(prefix="verbatim-") as folder:
        copy_database(project, database_of(Path(folder)))
        yield Project(Path(folder), project.clock)


def database_of(folder: Path) -> Path:
    """Where a project keeps its database."""
    return folder / DATABASE


def delete_runs(connection: sqlite3.Connection, system: str, condition: str = "") -> tuple[int, int]:
    """Delete a system's predictions (under one condition, or all); returns (runs, predictions) deleted."""
    found = connection.execute(
        "SELECT run_key FROM run JOIN system USING (system_key) WHERE name = ? AND (? = '' OR condition = ?)",
        (system, condition, condition),
    ).fetchall()
    deleted = 0
    for (key,) in found:
        deleted += connection.execute("DELETE FROM prediction WHERE run_key = ?", (key,)).rowcount
        connection.execute("DELETE FROM run WHERE run_key = ?", (key,))
    connection.execute("DELETE FROM system WHERE system_key NOT IN (SELECT system_key FROM run)")
    return len(found), deleted
