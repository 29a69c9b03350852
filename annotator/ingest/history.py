"""Imports taken back, systems deleted."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.errors import UsageError
from annotator.ingest.realign import realign_items, realign_keys
from annotator.store.imports import set_key
from annotator.store.predictions import touch_runs
from annotator.store.project import Project, read_revision
from annotator.store.undo import LoggedImport, imports_on, read_imports, undo_rows
from annotator.store.upkeep import delete_runs

_UNDOABLE = ("items", "predictions", "attributes", "recognise")


@dataclass(frozen=True, slots=True)
class Changed:
    """Rows that an operation changed. `what` says it in words."""

    rows: int
    what: tuple[str, ...]
    project_revision: int


def list_imports(project: Project) -> tuple[LoggedImport, ...]:
    """The import log, newest first."""
    with project.read() as connection:
        return read_imports(connection)


def undo_imports(project: Project, revision: int | None = None) -> Changed:
    """Take back the imports of one revision (default: of the last that can be): rows added go, rows replaced return.

    Raises `UsageError` when there is none, when a later import stands on it, or when its kind cannot be taken back.
    """
    with project.write() as connection:
        now = read_revision(connection)
        log = [row for row in read_imports(connection) if row.undone_at is None]
        able = [row for row in log if row.kind in _UNDOABLE]
        wanted = (able[0].revision if able else None) if revision is None else revision
        chosen = [row for row in log if row.revision == wanted]
        if not chosen or any(row.kind not in _UNDOABLE for row in chosen):
            known = ", ".join(f"{row.revision} ({row.kind} {row.file})" for row in able[:10]) or "none"
            which = "no import" if revision is None else f"no import of revision {wanted}"
            raise UsageError(f"{which} can be undone; expected one of: {known}")
        keys = {row.key for row in chosen}
        later = [
            row
            for row in log
            if row.key not in keys and row.key in {k for key in keys for k in imports_on(connection, key)}
        ]
        if later:
            names = ", ".join(f"revision {row.revision} ({row.kind} {row.file})" for row in later)
            raise UsageError(f"later imports stand on revision {wanted}: undo {names} first")
        rows, words = 0, []
        for row in chosen:
            undone = undo_rows(connection, row.key, project.clock())
            realign_items(connection, undone.item_keys, now)
            realign_keys(connection, undone.prediction_keys, now)
            touch_runs(connection, undone.run_keys, now)
            rows += undone.deleted + undone.restored
            words.append(f"{row.kind} {row.file}: {undone.deleted:,} rows deleted, {undone.restored:,} put back")
        set_key(connection, "items_revision", now)
    return Changed(rows, tuple(words), now)


def delete_system(project: Project, system: str, condition: str = "") -> Changed:
    """Delete a system's predictions, edits and charges: under one condition, or all. Ratings in studies stay.

    Raises `UsageError` when the project has no such system or condition.
    """
    with project.write() as connection:
        now = read_revision(connection)
        runs, predictions = delete_runs(connection, system, condition)
        if not runs:
            raise UsageError(f"no system {system!r}{f' under {condition!r}' if condition else ''} in the project")
    words = (
        f"{system}: {runs} condition{'s' * (runs != 1)}, {predictions:,} prediction{'s' * (predictions != 1)} deleted"
    )
    return Changed(predictions, (words,), now)
