"""What an import of items will change: new rows, changed rows, and rows that are there already."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from annotator.errors import Problem
from annotator.ingest.imagefolder import COPIED
from annotator.ingest.prepared import PreparedItems
from annotator.ingest.realign import realign_items
from annotator.ingest.tables import refused
from annotator.records import ItemRow
from annotator.store.items import (
    NewItem,
    StoredItem,
    end_corrections,
    image_root_key,
    insert_items,
    update_image_problems,
    update_items,
)
from annotator.store.undo import keep_items

_COMPARED = ("gold", "standard", "image", "benchmark", "language", "split", "document", "box")


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """`images` are unchanged items whose image was found or lost since: (item key, problem)."""

    new: tuple[ItemRow, ...]
    changed: tuple[tuple[StoredItem, ItemRow], ...]
    unchanged: int
    images: tuple[tuple[int, str], ...]
    looks_at_images: bool = True

    @property
    def nothing(self) -> bool:
        """Whether nothing is to be written."""
        return not (self.new or self.changed or self.images)


def plan_items(
    prepared: PreparedItems, stored: Mapping[str, StoredItem], may_replace: bool, *, fills: bool = False
) -> ItemPlan:
    """Compare with the items of the project, in the fields that the file has.

    `fills` lets rows fill what is empty in the project. Raises `FileError` with every other row that differs, unless
    `may_replace`.
    """
    new, changed, images, unchanged = [], [], [], 0
    problems: list[Problem] = []
    for row in prepared.rows:
        old = stored.get(row.id)
        if old is None:
            new.append(row)
            continue
        differs = _differences(old, row, prepared)
        fault = prepared.image_problems.get(row.id, "")
        if not differs:
            unchanged += 1
            if "image" in prepared.given and old.root == str(prepared.root) and fault != old.image_problem:
                images.append((old.key, fault))
        elif may_replace or (fills and not any(before for _, before, _ in differs)):
            changed.append((old, row))
        else:
            name, before, after = next((each for each in differs if each[1] or not fills), differs[0])
            found = f"item {row.id} with another {name} than in the project: {after!r:.60}, there {before!r:.60}"
            problems.append(Problem(prepared.file, row.line, name, found, "the same row, or --replace"))
    if problems:
        raise refused(prepared.file, problems)
    at_home = any(row.id in stored and stored[row.id].root == str(prepared.root) for row in prepared.rows)
    return ItemPlan(tuple(new), tuple(changed), unchanged, tuple(images), bool(new or changed) or at_home)


def _differences(old: StoredItem, row: ItemRow, prepared: PreparedItems) -> list[tuple[str, object, object]]:
    found: list[tuple[str, object, object]] = []
    corrected = {"gold": old.gold, "standard": old.standard}  # an export of the project holds these
    for name in _COMPARED:
        said, there = getattr(row, name), getattr(old.row, name)
        if name in prepared.given and said not in (there, corrected.get(name, there)):
            found.append((name, there, said))
    if _has_moved(old, row, prepared):
        found.append(("image folder", old.root, str(prepared.root)))
    had = dict(old.row.attributes)
    found.extend((name, had.get(name, ""), value) for name, value in row.attributes if had.get(name, "") != value)
    return found


def _has_moved(old: StoredItem, row: ItemRow, prepared: PreparedItems) -> bool:
    """Whether the image is found below another folder.

    One that is not found there is still the project's own, and so is one that was copied into the project.
    """
    elsewhere = "image" in prepared.given and bool(row.image) and old.root not in (str(prepared.root), COPIED)
    return elsewhere and row.id not in prepared.image_problems


def write_item_plan(
    connection: sqlite3.Connection, prepared: PreparedItems, plan: ItemPlan, import_key: int, revision: int, at: float
) -> None:
    """Write the planned items inside the caller's transaction; predictions of items whose gold changed are realigned."""
    root_key = image_root_key(connection, str(prepared.root)) if "image" in prepared.given else None
    new = (NewItem(row, root_key, prepared.image_problems.get(row.id, "")) for row in plan.new)
    insert_items(connection, new, import_key, revision)
    update_image_problems(connection, plan.images)
    if not plan.changed:
        return
    keep_items(connection, [stored.key for stored, _ in plan.changed], import_key)
    merged = [(stored, _merged(stored, row, prepared, root_key)) for stored, row in plan.changed]
    update_items(connection, [(stored.key, new) for stored, new in merged], revision)
    end_corrections(connection, _replaced_texts(plan, prepared), at)
    realign_items(connection, [stored.key for stored, new in merged if stored.gold != new.row.gold], revision)


def _merged(stored: StoredItem, row: ItemRow, prepared: PreparedItems, root_key: int | None) -> NewItem:
    """The row over what is stored: fields and attributes that the file lacks stay, corrections of unchanged texts too."""
    kept = {name: getattr(stored.row, name) for name in _COMPARED if name not in prepared.given}
    for name in ("gold", "standard"):
        if name in kept or getattr(stored.row, name) == getattr(row, name):
            kept[name] = getattr(stored, name)
    attributes = tuple({**dict(stored.row.attributes), **dict(row.attributes)}.items())
    has_image = "image" in prepared.given
    return NewItem(
        replace(row, **kept, attributes=attributes),
        root_key if has_image else stored.root_key,
        prepared.image_problems.get(row.id, "") if has_image else stored.image_problem,
    )


def _replaced_texts(plan: ItemPlan, prepared: PreparedItems) -> Iterator[tuple[int, str]]:
    """(item key, field) of the golds and standard forms that the file has changed."""
    for stored, row in plan.changed:
        for name in ("gold", "standard"):
            if name in prepared.given and getattr(stored.row, name) != getattr(row, name):
                yield stored.key, name
