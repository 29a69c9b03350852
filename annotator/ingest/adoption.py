"""Taking the settled texts of a transcription study over as gold and standard form, all in one write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.ingest.realign import realign_items
from annotator.store.corrections import standing_corrections, undo_correction, write_correction
from annotator.store.detail import find_item
from annotator.store.project import Project, read_revision


@dataclass(frozen=True, slots=True)
class SettledText:
    """What a study says of one item. `standard` is empty where it equals `gold`."""

    item_id: str
    gold: str
    standard: str = ""


@dataclass(frozen=True, slots=True)
class Adopted:
    """What an adoption, or its undoing, did: items changed, predictions aligned anew, items no longer there."""

    rows: int
    realigned: int
    missing: tuple[str, ...]
    project_revision: int


def adopt_texts(project: Project, texts: Sequence[SettledText], source: str) -> Adopted:
    """Write the texts as gold and standard form. Old values are kept under `source` and can be put back."""
    with project.write() as connection:
        revision, at = read_revision(connection), project.clock()
        changed, golds, missing = 0, [], []
        for text in texts:
            item = find_item(connection, text.item_id)
            if item is None:
                missing.append(text.item_id)
                continue
            gold = write_correction(connection, item.key, "gold", text.gold, source, revision, at)
            standard = write_correction(connection, item.key, "standard", text.standard, source, revision, at)
            changed += gold is not None or standard is not None
            if gold is not None:
                golds.append(item.key)
        realigned = realign_items(connection, golds, revision) if golds else 0
    return Adopted(changed, realigned, tuple(missing), revision)


def undo_adoption(project: Project, source: str) -> Adopted:
    """Put back what `adopt_texts` replaced under `source`, except where a later correction stands on it."""
    with project.write() as connection:
        revision = read_revision(connection)
        items, golds = set(), []
        for key in standing_corrections(connection, source):
            found = undo_correction(connection, key, revision, project.clock())
            if found is not None:
                items.add(found[0])
                if found[1] == "gold":
                    golds.append(found[0])
        realigned = realign_items(connection, golds, revision) if golds else 0
    return Adopted(len(items), realigned, (), revision)
