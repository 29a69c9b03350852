"""Stored error classes of a run, and what the user said of conditions."""

from __future__ import annotations

import io
import sqlite3
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.store.reading import read_items


@dataclass(frozen=True, slots=True)
class ErrorBlock:
    """The error events of a run, one row each, in order of item key; `classes` number the members of `ErrorClass`."""

    item_keys: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]


def load_error_block(
    connection: sqlite3.Connection, run_key: int, script: str, own_gold: bool, stamp: str
) -> ErrorBlock | None:
    """The stored events of a run, or `None` when there are none for this stamp."""
    row = connection.execute(
        "SELECT data FROM error_block WHERE run_key = ? AND script = ? AND own_gold = ? AND stamp = ?",
        (run_key, script, own_gold, stamp),
    ).fetchone()
    if row is None:
        return None
    table = np.load(io.BytesIO(row[0]), allow_pickle=False).astype(np.int64)
    return ErrorBlock(table[0], table[1])


def save_error_block(
    connection: sqlite3.Connection, run_key: int, script: str, own_gold: bool, stamp: str, block: ErrorBlock
) -> None:
    """Store the events of a run in place of older ones."""
    buffer = io.BytesIO()
    np.save(buffer, np.stack([block.item_keys, block.classes]).astype(np.int32), allow_pickle=False)
    connection.execute(
        "INSERT OR REPLACE INTO error_block (run_key, script, own_gold, stamp, data) VALUES (?, ?, ?, ?, ?)",
        (run_key, script, own_gold, stamp, buffer.getvalue()),
    )


@dataclass(frozen=True, slots=True)
class TextPair:
    """An answer beside the gold that it is held against."""

    item_key: int
    gold: str
    predicted: str


def read_pairs(
    connection: sqlite3.Connection, run_key: int, own_gold: bool, item_keys: frozenset[int] | None = None
) -> list[TextPair]:
    """The answers of a run whose gold is not blank, in order of item key; those to `item_keys` where given."""
    items = read_items(connection)
    golds = dict(zip(items.keys.tolist(), items.gold, strict=True))
    rows = connection.execute(
        "SELECT item_key, predicted, own_gold FROM prediction WHERE run_key = ? ORDER BY item_key", (run_key,)
    )
    pairs = (
        TextPair(key, (golds[key] if mine is None or not own_gold else mine) or "", predicted)
        for key, predicted, mine in rows
        if item_keys is None or key in item_keys
    )
    return [pair for pair in pairs if pair.gold.strip()]


def set_condition_role(connection: sqlite3.Connection, condition: str, role: str) -> int:
    """Say of a condition that it is `realistic`, `oracle`, or (empty) neither; returns how many runs have it."""
    return connection.execute("UPDATE run SET role = ? WHERE condition = ?", (role, condition)).rowcount
