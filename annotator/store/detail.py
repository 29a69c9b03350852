"""Everything the store knows of single items: fields, image, answers, history, notes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.images.paths import inside
from annotator.records import Box


@dataclass(frozen=True, slots=True)
class ItemFields:
    """One item as stored. `image` is relative; `image_problem` says why it cannot be shown."""

    key: int
    id: str
    gold: str | None
    standard: str
    image: str
    image_problem: str
    benchmark: str
    language: str
    split: str
    document: str
    box: Box | None
    attributes: Mapping[str, str]
    mark: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One system's answer to an item under a condition, as stored."""

    key: int
    run_key: int
    system: str
    condition: str
    predicted: str
    raw: str | None
    confidence: float | None
    confidence_kind: str
    char_confidence: tuple[float | None, ...] | None
    own_gold: str | None
    reasoning: str | None
    extra: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A correction or mark that was made; `undone` when it was taken back."""

    key: int
    field: str
    old: str | None
    new: str | None
    source: str
    revision: int
    at: float
    undone: bool


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader wrote beside an item."""

    note: str = ""
    tags: tuple[str, ...] = ()


_ITEM = (
    "SELECT item_key, id, gold, standard, image, image_problem, benchmark, language, split, document, "
    "box_x, box_y, box_width, box_height, attributes, mark FROM item"
)


def read_item_fields(connection: sqlite3.Connection, keys: Sequence[int]) -> tuple[ItemFields, ...]:
    """The items with these keys, in the order of `keys`; unknown keys are left out."""
    found: dict[int, ItemFields] = {}
    for start in range(0, len(keys), 500):
        part = [int(key) for key in keys[start : start + 500]]
        marks = ", ".join("?" * len(part))
        for row in connection.execute(f"{_ITEM} WHERE item_key IN ({marks})", part):
            found[row[0]] = _item(row)
    return tuple(found[int(key)] for key in keys if int(key) in found)


def find_item(connection: sqlite3.Connection, item_id: str) -> ItemFields | None:
    """The item called `item_id`, or `None`."""
    row = connection.execute(f"{_ITEM} WHERE id = ?", (item_id,)).fetchone()
    return None if row is None else _item(row)


def _item(row: sqlite3.Row) -> ItemFields:
    x, y, width, height = row[10:14]
    box = None if x is None or width is None else Box(x, y, width, height)
    fields: list[Any] = [*tuple(row)[:10], box, json.loads(row[14]), row[15]]
    return ItemFields(*fields)


def read_answers(connection: sqlite3.Connection, item_key: int) -> tuple[AnswerRow, ...]:
    """All answers to an item, in the order in which systems and conditions came into the project."""
    rows = connection.execute(
        "SELECT p.prediction_key, p.run_key, s.name, r.condition, p.predicted, p.raw, p.confidence, s.confidence_kind, "
        "d.char_confidence, p.own_gold, d.reasoning, d.extra "
        "FROM prediction p JOIN run r USING (run_key) JOIN system s USING (system_key) "
        "LEFT JOIN prediction_detail d USING (prediction_key) WHERE p.item_key = ? ORDER BY s.system_key, r.run_key",
        (item_key,),
    )
    return tuple(_answer(row) for row in rows)


def _answer(row: sqlite3.Row) -> AnswerRow:
    chars = None if row[8] is None else tuple(json.loads(row[8]))
    fields: list[Any] = [*tuple(row)[:8], chars, row[9], row[10], json.loads(row[11]) if row[11] else {}]
    return AnswerRow(*fields)


def read_predicted(
    connection: sqlite3.Connection, run_keys: Sequence[int], item_keys: Sequence[int]
) -> dict[tuple[int, int], str]:
    """The texts that runs returned for a page of items, by (run, item)."""
    texts: dict[tuple[int, int], str] = {}
    items = ", ".join(str(int(key)) for key in item_keys)
    for run_key in run_keys:
        rows = connection.execute(
            f"SELECT item_key, predicted FROM prediction WHERE run_key = ? AND item_key IN ({items})", (run_key,)
        )
        texts.update({(run_key, int(key)): text for key, text in rows})
    return texts


def read_history(connection: sqlite3.Connection, item_key: int) -> tuple[HistoryRow, ...]:
    """Corrections and marks of an item, latest first."""
    rows = connection.execute(
        "SELECT history_key, field, old, new, source, revision, at, undone_at IS NOT NULL FROM item_history "
        "WHERE item_key = ? ORDER BY history_key DESC",
        (item_key,),
    )
    return tuple(HistoryRow(*row) for row in rows)


def read_note(connection: sqlite3.Connection, item_key: int) -> Note:
    """The note and tags of an item; empty when there is none."""
    row = connection.execute("SELECT note, tags FROM item_note WHERE item_key = ?", (item_key,)).fetchone()
    return Note() if row is None else Note(row[0], tuple(json.loads(row[1])))


def read_tags(connection: sqlite3.Connection) -> dict[str, frozenset[int]]:
    """Every tag in use, with the keys of its items."""
    tagged: dict[str, set[int]] = {}
    for key, text in connection.execute("SELECT item_key, tags FROM item_note WHERE tags != '[]'"):
        for tag in json.loads(text):
            tagged.setdefault(tag, set()).add(key)
    return {tag: frozenset(keys) for tag, keys in sorted(tagged.items())}


def write_note(connection: sqlite3.Connection, item_key: int, note: Note, at: float) -> None:
    """Keep a note; an empty one is removed."""
    if not note.note and not note.tags:
        connection.execute("DELETE FROM item_note WHERE item_key = ?", (item_key,))
        return
    connection.execute(
        "INSERT OR REPLACE INTO item_note (item_key, note, tags, at) VALUES (?, ?, ?, ?)",
        (item_key, note.note, json.dumps(list(note.tags), ensure_ascii=False), at),
    )


def image_file(connection: sqlite3.Connection, folder: Path, item_key: int, condition: str = "default") -> Path | None:
    """The image of an item under a condition, never outside its root; `None` when there is none.

    Conditions other than `default` lie in the project folder; where a condition has no image of its own, the item's
    image stands in for it only under `default`.
    """
    if condition != "default":
        row = connection.execute(
            "SELECT path FROM condition_image WHERE item_key = ? AND condition = ?", (item_key, condition)
        ).fetchone()
        found = None if row is None else inside(folder, row[0])
    else:
        row = connection.execute(
            "SELECT image, path FROM item LEFT JOIN image_root USING (root_key) WHERE item_key = ? AND image_problem = ''",
            (item_key,),
        ).fetchone()
        found = None if row is None or not row[1] else inside(folder / row[1], row[0])
    return found if found is not None and found.is_file() else None
