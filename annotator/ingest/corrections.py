"""Mark gold wrong, correct it, take it back: old values are kept, and predictions are realigned."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.errors import UsageError
from annotator.ingest.realign import realign_items
from annotator.store.corrections import undo_correction, write_correction
from annotator.store.detail import find_item
from annotator.store.project import Project, read_revision

MARKS = ("", "gold-wrong", "unreadable")


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did. `history_keys` undo it, newest first; empty when nothing changed."""

    item_id: str
    history_keys: tuple[int, ...]
    realigned: int
    project_revision: int


def mark_item(project: Project, item_id: str, mark: str, source: str = "owner") -> Corrected:
    """Mark an item `gold-wrong` or `unreadable` (left out of every rate, counted), or take the mark back with "".

    Raises `UsageError` for an unknown item or mark.
    """
    if mark not in MARKS:
        raise UsageError(f"mark of an item: found {mark!r}; expected gold-wrong, unreadable or nothing")
    return _write(project, item_id, {"mark": mark}, source)


def correct_item(
    project: Project, item_id: str, gold: str, standard: str | None = None, source: str = "owner"
) -> Corrected:
    """Replace an item's gold (and its standard form when given); every prediction of it is aligned anew.

    Raises `UsageError` for an unknown item and for text with a lone surrogate.
    """
    values: dict[str, str | None] = {"gold": gold}
    if standard is not None:
        values["standard"] = standard
    for name, text in values.items():
        _refuse_surrogates(item_id, name, text or "")
    return _write(project, item_id, values, source)


def undo(project: Project, history_key: int) -> Corrected:
    """Put the value back that a correction replaced.

    Raises `UsageError` when there is no such correction, or a later one of the same field stands on it.
    """
    with project.write() as connection:
        revision = read_revision(connection)
        found = undo_correction(connection, history_key, revision, project.clock())
        if found is None:
            raise UsageError(
                f"correction {history_key} cannot be undone: it is undone already, unknown, or a later correction of the "
                "same field stands on it (undo that one first)"
            )
        key, field = found
        realigned = realign_items(connection, [key], revision) if field == "gold" else 0
        (item_id,) = connection.execute("SELECT id FROM item WHERE item_key = ?", (key,)).fetchone()
    return Corrected(str(item_id), (), realigned, revision)


def _write(project: Project, item_id: str, values: dict[str, str | None], source: str) -> Corrected:
    with project.write() as connection:
        revision = read_revision(connection)
        item = find_item(connection, item_id)
        if item is None:
            raise UsageError(f"no item has the id {item_id!r}")
        at = project.clock()
        written = [
            write_correction(connection, item.key, name, value, source, revision, at) for name, value in values.items()
        ]
        realigned = (
            realign_items(connection, [item.key], revision) if written[0] is not None and "gold" in values else 0
        )
    return Corrected(item_id, tuple(key for key in reversed(written) if key is not None), realigned, revision)


def _refuse_surrogates(item_id: str, name: str, text: str) -> None:
    if any("\ud800" <= ch <= "\udfff" for ch in text):
        raise UsageError(f"item {item_id!r}, {name}: found a lone surrogate; expected text that can be stored as UTF-8")
