"""What is known of a system beside its name: its family, and what its confidence is."""

from __future__ import annotations

import sqlite3


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
