"""A project: a folder with `verbatim.db`. Short connections, WAL, `BEGIN IMMEDIATE`, a revision that every write raises."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from annotator.errors import ProjectMissingError, ProjectReadOnlyError, StoreError
from annotator.store.migrate import apply_migrations, pending_migrations

DATABASE = "verbatim.db"
BUSY_SECONDS = 10.0
RATER_SECONDS = 120.0  # a rater's answer outwaits an import of a million rows


@dataclass(frozen=True, slots=True)
class Project:
    """An open project. Holds paths only: every call opens its own short connection, so it may be shared by threads."""

    folder: Path
    clock: Callable[[], float] = field(default=time.time, compare=False)

    @property
    def database(self) -> Path:
        return self.folder / DATABASE

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection inside one read transaction: everything read belongs to one revision."""
        with _words(self.database):
            connection = _connect(self.database)
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.close()

    @contextmanager
    def write(
        self,
        *,
        raises_revision: bool = True,
        patience: float | None = None,
        durable: bool = False,
        before: Callable[[sqlite3.Connection], None] | None = None,
    ) -> Iterator[sqlite3.Connection]:
        """A connection inside `BEGIN IMMEDIATE`: all of the block is written, or nothing.

        The project's revision goes up by one, unless the block writes what no report reads (caches, leases, ratings).
        While another process writes, this waits for `patience` seconds (10 without it), then raises `StoreError`.
        What is written survives the end of any process; `durable` also outlives a loss of power, for one sync of the disk.
        `before` gets the connection before anybody has to wait: it may fill temporary tables.
        """
        seconds = BUSY_SECONDS if patience is None else patience
        with _words(self.database, seconds):
            connection = _connect(self.database, seconds)
            if durable:
                connection.execute("PRAGMA synchronous = FULL")
            try:
                if before is not None:
                    before(connection)
                connection.execute("BEGIN IMMEDIATE")
                if raises_revision:
                    connection.execute("UPDATE project SET value = value + 1 WHERE key = 'revision'")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                connection.close()

    def revision(self) -> int:
        """The number of writes so far that a report can see."""
        with self.read() as connection:
            return read_revision(connection)


def hold_open(project: Project) -> sqlite3.Connection:
    """An idle connection for a process that serves for long. It holds no lock and no snapshot.

    Without it every short connection is the last one, and SQLite writes the whole log back, with a sync, as it closes:
    ten milliseconds where an answer takes one.
    """
    connection = sqlite3.connect(project.database, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("SELECT count(*) FROM project").fetchone()
    return connection


def read_revision(connection: sqlite3.Connection) -> int:
    """The project's revision as this transaction sees it (after `write` raised it, the new one)."""
    return int(connection.execute("SELECT value FROM project WHERE key = 'revision'").fetchone()[0])


def open_project(folder: Path, *, create: bool = False, clock: Callable[[], float] = time.time) -> Project:
    """Open the project in `folder`, bringing its schema up to date.

    `create` makes the folder and an empty project when there is none. Raises `ProjectMissingError` when there is none
    and `create` is false, `ProjectTooNewError` when a later version wrote it, `StoreError` when the file is not a project.
    """
    project = Project(folder.absolute(), clock)
    if not project.database.exists():
        if not create:
            raise ProjectMissingError(
                f"no project at {folder}: expected the file {DATABASE} in it. "
                "Import items to make one (annotator import items FILE --project DIR), or build the demo (annotator demo)."
            )
        _make_folder(project.folder)
    with _words(project.database):
        _prepare(project)
    return project


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectReadOnlyError(f"cannot make the project folder {folder}: {error.strerror}") from error


def _prepare(project: Project) -> None:
    connection = _connect(project.database)
    try:
        if not pending_migrations(connection):
            return
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        apply_migrations(connection, project.clock())
        connection.execute("INSERT OR IGNORE INTO project (key, value) VALUES ('revision', 0)")
        connection.execute("INSERT OR IGNORE INTO project (key, value) VALUES ('items_revision', 0)")
        connection.execute("INSERT OR IGNORE INTO project (key, value) VALUES ('created_at', ?)", (project.clock(),))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.close()


def _connect(database: Path, patience: float | None = None) -> sqlite3.Connection:
    seconds = BUSY_SECONDS if patience is None else patience
    connection = sqlite3.connect(database, timeout=seconds, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


@contextmanager
def _words(database: Path, waited: float | None = None) -> Iterator[None]:
    """Turn SQLite's own errors into ours: what happened, and what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "readonly" in text or "disk is full" in text or "disk I/O" in text or "unable to open" in text:
            raise ProjectReadOnlyError(
                f"cannot write {database}: {text}. Nothing was changed. Free disk space or make the folder writable."
            ) from error
        if "locked" in text:
            raise StoreError(
                f"{database} was busy for {BUSY_SECONDS if waited is None else waited:.0f} s: another import or process is "
                "writing. Nothing was changed. Try again when it is done."
            ) from error
        raise
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
            raise
        raise StoreError(
            f"{database} is not a Verbatim project, or it is damaged: {error}. Restore it from a backup (annotator backup)."
        ) from error
