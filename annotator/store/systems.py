"""What is known of a system beside its name: its family, and what its confidence is."""

from __future__ import annotations

import sqlite3

from annotator.records import Box


def describe_system(
    connection: sqlite3.Connection, name: str, *, family: str = "", confidence_kind: str = "unknown"
) -> bool:
    """Note family and kind of confidence (softmax, engine-score, unknown) of a system; what is noted already stays.

    Returns whether anything changed; an unknown system changes nothing.
    """
    cursor = connection.execute(
        "UPDATE system SET family = CASE WHEN family = '' THEN ? ELSE family END, "
        "confidence_kind = CASE WHEN confidence_kind = 'unknown' THEN ? ELSE confidence_kind END "
        "WHERE name = ? AND ((family = '' AND ? != '') OR (confidence_kind = 'unknown' AND ? != 'unknown'))",
        (family, confidence_kind, name, family, confidence_kind),
    )
    return cursor.rowcount > 0


def set_family(connection: sqlite3.Connection, system: str, family: str) -> bool:
    """Store the family of a system; whether there is such a system."""
    cursor = connection.execute("UPDATE system SET family = ? WHERE name = ?", (family, system))
    return cursor.rowcount > 0


def set_confidence_kind(connection: sqlite3.Connection, system: str, kind: str) -> bool:
    """Store what a system's confidences are (softmax, engine-score, unknown); whether there is such a system."""
    cursor = connection.execute("UPDATE system SET confidence_kind = ? WHERE name = ?", (kind, system))
    return cursor.rowcount > 0


def read_reasoning(connection: sqlite3.Connection, run_key: int) -> dict[int, str]:
    """The reasoning of a run's answers by item key; answers without one are not in it."""
    rows = connection.execute(
        "SELECT item_key, reasoning FROM prediction JOIN prediction_detail USING (prediction_key) "
        "WHERE run_key = ? AND reasoning IS NOT NULL AND reasoning != ''",
        (run_key,),
    )
    return {int(key): str(text) for key, text in rows}


def read_boxes(connection: sqlite3.Connection) -> dict[int, Box]:
    """The target boxes by item key; items without one are not in it."""
    rows = connection.execute(
        "SELECT item_key, box_x, box_y, box_width, box_height FROM item WHERE box_width IS NOT NULL ORDER BY item_key"
    )
    return {int(key): Box(x, y, width, height) for key, x, y, width, height in rows}
