"""Where items lie on the rarity grid, as the project keeps it: whole for reports, by cell for pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.int64]
Places = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class StratumSet:
    """One placing of items. `keys` (rising) entered the grid at `places` = (word - 1) * 5 + ngram - 1."""

    set_key: int
    items_stamp: str
    revision: int
    summary: str
    keys: Keys
    places: Places


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One item of the grid: its place, the values and ranks of both axes, and the units that decide them."""

    item_key: int
    place: int
    word_value: float
    ngram_value: float
    word_rank: int
    ngram_rank: int
    word_unit: str
    ngram: str


_ROW = "item_key, place, word_value, ngram_value, word_rank, ngram_rank, word_unit, ngram"


def find_set(connection: sqlite3.Connection, asked: str) -> StratumSet | None:
    """The stored placing for what was asked, whatever its stamp; `None` when there is none."""
    row = connection.execute(
        "SELECT set_key, items_stamp, revision, summary, keys, places FROM stratum_set WHERE asked = ?", (asked,)
    ).fetchone()
    if row is None:
        return None
    keys, places = np.frombuffer(row[4], dtype="<i8"), np.frombuffer(row[5], dtype=np.int8)
    return StratumSet(int(row[0]), str(row[1]), int(row[2]), str(row[3]), keys.astype(np.int64), places)


def confirm_set(connection: sqlite3.Connection, set_key: int, revision: int) -> None:
    """Remember that a placing still holds at `revision`."""
    connection.execute("UPDATE stratum_set SET revision = ? WHERE set_key = ?", (revision, set_key))


def save_set(
    connection: sqlite3.Connection, asked: str, stamp: str, revision: int, summary: str, rows: Sequence[StratumRow]
) -> int:
    """Store a placing in place of an older one for the same question; `rows` come in order of item key."""
    connection.execute("DELETE FROM stratum_set WHERE asked = ?", (asked,))
    keys = np.array([row.item_key for row in rows], dtype="<i8")
    places = np.array([row.place for row in rows], dtype=np.int8)
    cursor = connection.execute(
        "INSERT INTO stratum_set (asked, items_stamp, revision, summary, keys, places) VALUES (?, ?, ?, ?, ?, ?)",
        (asked, stamp, revision, summary, keys.tobytes(), places.tobytes()),
    )
    set_key = int(cursor.lastrowid or 0)
    in_order = sorted(rows, key=lambda row: row.place)
    connection.executemany(
        f"INSERT INTO stratum (set_key, {_ROW}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (set_key, r.item_key, r.place, r.word_value, r.ngram_value, r.word_rank, r.ngram_rank, r.word_unit, r.ngram)
            for r in in_order
        ),
    )
    return set_key


def read_cell(connection: sqlite3.Connection, set_key: int, places: Iterable[int]) -> Keys:
    """The keys of the items in the cells at `places`, rising."""
    keys: list[int] = []
    for place in dict.fromkeys(places):
        found = connection.execute("SELECT item_key FROM stratum WHERE set_key = ? AND place = ?", (set_key, place))
        keys += [row[0] for row in found]
    return np.sort(np.array(keys, dtype=np.int64))


def find_stratum(connection: sqlite3.Connection, set_key: int, item_key: int) -> StratumRow | None:
    """The row of one item, `None` when it is not on the grid."""
    places = ", ".join(str(place) for place in range(25))
    row = connection.execute(
        f"SELECT {_ROW} FROM stratum WHERE set_key = ? AND place IN ({places}) AND item_key = ?", (set_key, item_key)
    ).fetchone()
    return None if row is None else StratumRow(*row)
