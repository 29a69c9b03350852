"""Items written and compared: insert, update, the keys and golds by which predictions join."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.records import Box, ItemRow
from annotator.store.imports import set_key

_COLUMNS = (
    "id, gold, standard, image, root_key, image_problem, benchmark, language, split, document, "
    "box_x, box_y, box_width, box_height, attributes, import_key, changed_revision"
)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item of the project. `row` is what its file gave; `gold` and `standard` are as they stand, corrections applied."""

    key: int
    row: ItemRow
    root: str
    root_key: int | None
    image_problem: str
    gold: str | None
    standard: str


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to write, with what was found out about its image."""

    row: ItemRow
    root_key: int | None
    image_problem: str = ""


def read_stored_items(connection: sqlite3.Connection) -> dict[str, StoredItem]:
    """Every item of the project by id."""
    originals = _originals(connection)
    rows = connection.execute(
        "SELECT item_key, id, gold, standard, image, benchmark, language, split, document, box_x, box_y, box_width, "
        "box_height, attributes, coalesce(path, ''), root_key, image_problem FROM item LEFT JOIN image_root USING (root_key) "
        "ORDER BY item_key"
    )
    stored = {}
    for key, id_, gold, standard, *plain, x, y, width, height, text, root, root_key, fault in rows:
        box = None if x is None else Box(x, y, width, height)
        attributes = () if text == "{}" else tuple(json.loads(text).items())
        image, benchmark, language, split, document = plain
        filed_gold, filed_standard = (
            originals.get((key, "gold"), gold),
            originals.get((key, "standard"), standard) or "",
        )
        row = ItemRow(id_, filed_gold, filed_standard, image, benchmark, language, split, document, box, attributes)
        stored[id_] = StoredItem(key, row, root, root_key, fault, gold, standard)
    return stored


def _originals(connection: sqlite3.Connection) -> dict[tuple[int, str], str | None]:
    """What the file said where somebody has corrected it: the oldest value of every standing correction."""
    rows = connection.execute(
        "SELECT item_key, field, old FROM item_history WHERE undone_at IS NULL AND field != 'mark' ORDER BY history_key DESC"
    )
    return {(key, field): old for key, field, old in rows}


def read_golds(connection: sqlite3.Connection) -> dict[str, tuple[int, str | None]]:
    """Key and gold of every item by id, in order of import: what predictions join."""
    return {
        id_: (key, gold)
        for key, id_, gold in connection.execute("SELECT item_key, id, gold FROM item ORDER BY item_key")
    }


def image_root_key(connection: sqlite3.Connection, path: str) -> int:
    """The key of an image root, made when it is new."""
    connection.execute("INSERT OR IGNORE INTO image_root (path) VALUES (?)", (path,))
    return int(connection.execute("SELECT root_key FROM image_root WHERE path = ?", (path,)).fetchone()[0])


def insert_items(connection: sqlite3.Connection, items: Iterable[NewItem], import_key: int, revision: int) -> None:
    """Insert items that are not there, in order. A standard form must differ from gold already (see the checks)."""
    marks = ", ".join("?" * 17)
    connection.executemany(
        f"INSERT INTO item ({_COLUMNS}) VALUES ({marks})",
        ((*_values(item), import_key, revision) for item in items),
    )
    set_key(connection, "items_revision", revision)


def update_items(connection: sqlite3.Connection, items: Sequence[tuple[int, NewItem]], revision: int) -> None:
    """Write items over those with the given keys."""
    names = _COLUMNS.split(", ")[:15]
    assignments = ", ".join(f"{name} = ?" for name in names)
    connection.executemany(
        f"UPDATE item SET {assignments}, changed_revision = ? WHERE item_key = ?",
        ((*_values(item), revision, key) for key, item in items),
    )
    set_key(connection, "items_revision", revision)


def end_corrections(connection: sqlite3.Connection, fields: Iterable[tuple[int, str]], at: float) -> None:
    """A file has replaced these (item key, field): what stood corrected there is history now."""
    connection.executemany(
        "UPDATE item_history SET undone_at = ? WHERE item_key = ? AND field = ? AND undone_at IS NULL",
        ((at, key, field) for key, field in fields),
    )


def update_image_problems(connection: sqlite3.Connection, problems: Iterable[tuple[int, str]]) -> None:
    """Note anew, by item key, why an image cannot be shown (`""`: it can)."""
    connection.executemany(
        "UPDATE item SET image_problem = ? WHERE item_key = ?", ((text, key) for key, text in problems)
    )


def _values(item: NewItem) -> tuple[object, ...]:
    row = item.row
    box: tuple[float | None, ...] = (None,) * 4
    if row.box is not None:
        box = (row.box.x, row.box.y, row.box.width, row.box.height)
    attributes = json.dumps(dict(row.attributes), ensure_ascii=False) if row.attributes else "{}"
    plain = (row.id, row.gold, row.standard, row.image, item.root_key if row.image else None, item.image_problem)
    return (*plain, row.benchmark, row.language, row.split, row.document, *box, attributes)
