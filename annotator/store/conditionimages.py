"""Pictures made of items under a condition: one for each item and condition."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ConditionImage:
    """A finished picture: `path` relative to the project folder; `details` is its row of the manifest."""

    item_key: int
    condition: str
    path: str
    sha256: str
    source_sha256: str
    details: Mapping[str, Any]


def put_condition_images(connection: sqlite3.Connection, images: Iterable[ConditionImage]) -> None:
    """Store pictures in place of earlier ones of the same item and condition."""
    connection.executemany(
        "INSERT OR REPLACE INTO condition_image (item_key, condition, path, sha256, source_sha256, details) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [
            (one.item_key, one.condition, one.path, one.sha256, one.source_sha256, json.dumps(dict(one.details)))
            for one in images
        ],
    )


def read_condition_images(connection: sqlite3.Connection, condition: str) -> dict[int, ConditionImage]:
    """The pictures of a condition by item key."""
    rows = connection.execute(
        "SELECT item_key, condition, path, sha256, source_sha256, details FROM condition_image WHERE condition = ?",
        (condition,),
    )
    return {
        int(key): ConditionImage(key, name, path, sha256, source, json.loads(details))
        for key, name, path, sha256, source, details in rows
    }


def count_condition_images(connection: sqlite3.Connection) -> dict[str, int]:
    """How many pictures each condition has, in order of name."""
    rows = connection.execute("SELECT condition, count(*) FROM condition_image GROUP BY condition ORDER BY condition")
    return {str(name): int(count) for name, count in rows}
