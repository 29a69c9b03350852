"""Numbers that came with predictions and items: confidences, and any numeric column."""

from __future__ import annotations

import sqlite3

import msgspec


def read_confidences(connection: sqlite3.Connection, run_key: int) -> dict[int, float]:
    """The confidence of every answer of a run, by item key; answers without one are left out."""
    rows = connection.execute(
        "SELECT item_key, confidence FROM prediction WHERE run_key = ? AND confidence IS NOT NULL", (run_key,)
    )
    return {int(key): float(value) for key, value in rows}


def read_char_confidences(connection: sqlite3.Connection, run_key: int) -> dict[int, list[float | None]]:
    """The confidences per code point of every answer of a run that has some, by item key."""
    decoder = msgspec.json.Decoder(list[float | None])
    rows = connection.execute(
        "SELECT p.item_key, d.char_confidence FROM prediction p JOIN prediction_detail d USING (prediction_key) "
        "WHERE p.run_key = ? AND d.char_confidence IS NOT NULL",
        (run_key,),
    )
    return {int(key): decoder.decode(text) for key, text in rows}


def read_extra(connection: sqlite3.Connection, run_key: int, name: str) -> dict[int, str]:
    """The values of one more column of a run's predictions, as text, by item key."""
    rows = connection.execute(
        "SELECT p.item_key, e.value FROM prediction p JOIN prediction_detail d USING (prediction_key), json_each(d.extra) e "
        "WHERE p.run_key = ? AND e.key = ? AND e.value != ''",
        (run_key, name),
    )
    return {int(key): str(value) for key, value in rows}


def any_candidates(connection: sqlite3.Connection) -> bool:
    """Whether any answer of the project carries candidates."""
    return (
        connection.execute("SELECT 1 FROM prediction_detail WHERE candidates IS NOT NULL LIMIT 1").fetchone()
        is not None
    )


def read_candidates(connection: sqlite3.Connection, run_key: int) -> dict[int, list[tuple[str, float | None]]]:
    """The beam of every answer of a run that has one, by item key."""
    decoder = msgspec.json.Decoder(list[tuple[str, float | None]])
    rows = connection.execute(
        "SELECT p.item_key, d.candidates FROM prediction p JOIN prediction_detail d USING (prediction_key) "
        "WHERE p.run_key = ? AND d.candidates IS NOT NULL",
        (run_key,),
    )
    return {int(key): decoder.decode(text) for key, text in rows}


def extra_names(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The names of the further columns that predictions came with."""
    rows = connection.execute(
        "SELECT DISTINCT e.key FROM prediction_detail d, json_each(d.extra) e WHERE d.extra IS NOT NULL ORDER BY e.key"
    )
    return tuple(str(row[0]) for row in rows)
