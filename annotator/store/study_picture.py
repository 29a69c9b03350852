"""Which image belongs to a task, for a rater who has it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from annotator.records import Box


@dataclass(frozen=True, slots=True)
class TaskItem:
    """The item behind a task, and its target box."""

    item_key: int
    box: Box | None


_ITEM = "SELECT i.item_key, i.box_x, i.box_y, i.box_width, i.box_height FROM task t JOIN item i USING (item_key) "


def task_item(connection: sqlite3.Connection, rater_key: int, task_key: int) -> TaskItem | None:
    """The item of a task that the rater holds or has answered; `None` for any other task."""
    row = connection.execute(
        _ITEM + "WHERE t.task_key = :t AND (EXISTS (SELECT 1 FROM lease l WHERE l.task_key = :t AND l.rater_key = :r) "
        "OR EXISTS (SELECT 1 FROM rating g WHERE g.task_key = :t AND g.rater_key = :r))",
        {"t": task_key, "r": rater_key},
    ).fetchone()
    return None if row is None else _item(row)


def upcoming_item(connection: sqlite3.Connection, task_key: int) -> TaskItem | None:
    """The item of a task that `look_ahead` named."""
    row = connection.execute(_ITEM + "WHERE t.task_key = ?", (task_key,)).fetchone()
    return None if row is None else _item(row)


def _item(row: sqlite3.Row) -> TaskItem:
    sides = (row["box_x"], row["box_y"], row["box_width"], row["box_height"])
    return TaskItem(row["item_key"], None if None in sides else Box(*sides))
