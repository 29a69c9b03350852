"""Rows that reports read: items as columns, runs, predictions of a run, stored score blocks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.errors import UsageError

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ItemTable:
    """Items as parallel columns in import order; `keys` ascends, so that a key is found by bisection."""

    keys: Ints
    ids: tuple[str, ...]
    gold: tuple[str | None, ...]
    standard: tuple[str, ...]
    benchmark: tuple[str, ...]
    language: tuple[str, ...]
    document: tuple[str, ...]
    mark: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, positions: Sequence[int] | Ints) -> ItemTable:
        """The items at `positions`, in that order."""
        at = [int(p) for p in positions]
        return ItemTable(
            self.keys[at] if at else self.keys[:0],
            *(tuple(column[p] for p in at) for column in self._texts()),
        )

    def _texts(self) -> tuple[tuple[str, ...], ...]:
        gold: tuple[str, ...] = self.gold  # type: ignore[assignment]
        return self.ids, gold, self.standard, self.benchmark, self.language, self.document, self.mark


@dataclass(frozen=True, slots=True)
class RunRow:
    """A system under a condition. `role` is what the user said of the condition: "", realistic or oracle."""

    key: int
    system: str
    condition: str
    family: str
    role: str
    confidence_kind: str
    changed_revision: int

    @property
    def name(self) -> str:
        """`system` alone under the default condition, else `system@condition`."""
        return self.system if self.condition == "default" else f"{self.system}@{self.condition}"


def read_items(connection: sqlite3.Connection, benchmark: str = "") -> ItemTable:
    """All items, or those of one benchmark (compared without regard to case)."""
    where, values = (" WHERE lower(benchmark) = lower(?)", (benchmark,)) if benchmark else ("", ())
    rows = connection.execute(
        f"SELECT item_key, id, gold, standard, benchmark, language, document, mark FROM item{where} ORDER BY item_key",
        values,
    ).fetchall()
    columns = list(zip(*rows, strict=True)) if rows else [()] * 8
    keys, *texts = columns
    return ItemTable(np.array(keys, dtype=np.int64), *(tuple(column) for column in texts))


def read_runs(
    connection: sqlite3.Connection, systems: Sequence[str] = (), conditions: Sequence[str] = ()
) -> tuple[RunRow, ...]:
    """Runs in order of import. An empty filter means all; an unknown name raises `UsageError` with the names known."""
    rows = connection.execute(
        "SELECT run_key, name, condition, family, role, confidence_kind, changed_revision "
        "FROM run JOIN system USING (system_key) ORDER BY system_key, run_key"
    )
    runs = tuple(RunRow(*row) for row in rows)
    _refuse_unknown("system", systems, [run.system for run in runs])
    _refuse_unknown("condition", conditions, [run.condition for run in runs])
    return tuple(
        run
        for run in runs
        if (not systems or run.system in systems) and (not conditions or run.condition in conditions)
    )


def _refuse_unknown(what: str, asked: Sequence[str], known: Sequence[str]) -> None:
    for name in asked:
        if name not in known:
            names = ", ".join(dict.fromkeys(known)) or "none yet"
            raise UsageError(f"unknown {what}: found {name!r}; expected one of: {names}")


@dataclass(frozen=True, slots=True)
class RunTexts:
    """The answers of a run in order of item key. `own_gold` is `None` where it is the item's gold."""

    keys: Ints
    predicted: tuple[str, ...]
    own_gold: tuple[str | None, ...]


def read_texts(connection: sqlite3.Connection, run_key: int) -> RunTexts:
    """Every answer of a run; missing predictions have no row."""
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: a third faster than named rows
    rows = cursor.execute(
        "SELECT item_key, predicted, own_gold FROM prediction WHERE run_key = ? ORDER BY item_key", (run_key,)
    ).fetchall()
    keys, predicted, own_gold = zip(*rows, strict=True) if rows else ((), (), ())
    return RunTexts(np.array(keys, dtype=np.int64), tuple(predicted), tuple(own_gold))


@dataclass(frozen=True, slots=True)
class AlignedRows:
    """The answers of a run by what is stored of their alignment, each part in order of item key.

    `right_keys` and `right_length`: answers without an edit, and the clusters of their golds. `wrong` (shape (k, 5)): item
    key, clusters of gold, substitutions, deletions, insertions of the others, with `wrong_predicted`. `other_keys` and
    `other_predicted`: answers without an alignment of this version (an item without gold has none).
    """

    right_keys: Ints
    right_length: Ints
    wrong: Ints
    wrong_predicted: tuple[str, ...]
    other_keys: Ints
    other_predicted: tuple[str, ...]


def read_aligned(connection: sqlite3.Connection, run_key: int, version: str) -> AlignedRows:
    """The answers of a run under profile raw; texts are read only where they are not gold's."""
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: a third faster than named rows
    edits = "substitutions + deletions + insertions"
    aligned = "FROM prediction WHERE run_key = ? AND alignment_version = ?"
    right = cursor.execute(
        f"SELECT item_key, gold_length {aligned} AND {edits} = 0 ORDER BY item_key", (run_key, version)
    ).fetchall()
    wrong = cursor.execute(
        f"SELECT predicted, item_key, gold_length, substitutions, deletions, insertions {aligned} AND {edits} > 0 "
        "ORDER BY item_key",
        (run_key, version),
    ).fetchall()
    other = cursor.execute(
        "SELECT item_key, predicted FROM prediction WHERE run_key = ? AND (matches IS NULL OR alignment_version != ?) "
        "ORDER BY item_key",
        (run_key, version),
    ).fetchall()
    lengths = np.array(right, dtype=np.int64).reshape(-1, 2)
    return AlignedRows(
        lengths[:, 0],
        lengths[:, 1],
        np.array([row[1:] for row in wrong], dtype=np.int64).reshape(-1, 5),
        tuple(row[0] for row in wrong),
        np.array([row[0] for row in other], dtype=np.int64),
        tuple(row[1] for row in other),
    )


def read_attribute(connection: sqlite3.Connection, name: str) -> dict[int, str]:
    """The values of one attribute by item key: a column of the item table, or a key of its attributes."""
    if name in ("benchmark", "language", "split", "document", "standard", "gold", "id", "mark"):
        rows = connection.execute(f"SELECT item_key, {name} FROM item WHERE {name} IS NOT NULL AND {name} != ''")
    else:
        rows = connection.execute(
            "SELECT item_key, value FROM item, json_each(item.attributes) WHERE json_each.key = ? AND value != ''",
            (name,),
        )
    return {int(key): str(value) for key, value in rows}


def attribute_names(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Names usable as an axis: benchmark, language, split, document where any item has one, then the attributes."""
    columns = [
        name
        for name in ("benchmark", "language", "split", "document")
        if connection.execute(f"SELECT 1 FROM item WHERE {name} != '' LIMIT 1").fetchone()
    ]
    rows = connection.execute("SELECT DISTINCT attributes FROM item WHERE attributes != '{}'")
    names: dict[str, None] = {}
    for (text,) in rows:
        names.update(dict.fromkeys(json.loads(text)))
    return (*columns, *names)


def require_attribute(connection: sqlite3.Connection, name: str) -> dict[int, str]:
    """`read_attribute`, or `UsageError` with the names known when no item has a value."""
    values = read_attribute(connection, name)
    if not values:
        names = ", ".join(attribute_names(connection)) or "none"
        raise UsageError(f"no item has the attribute {name!r}; expected one of: {names}")
    return values


def load_block(connection: sqlite3.Connection, run_key: int, profile: str, own_gold: bool, stamp: str) -> bytes | None:
    """The stored score block of a run, or `None` when there is none for this stamp."""
    row = connection.execute(
        "SELECT data FROM score_block WHERE run_key = ? AND profile = ? AND own_gold = ? AND stamp = ?",
        (run_key, profile, own_gold, stamp),
    ).fetchone()
    return None if row is None else bytes(row[0])


def save_block(
    connection: sqlite3.Connection, run_key: int, profile: str, own_gold: bool, stamp: str, data: bytes
) -> None:
    """Store a score block in place of an older one."""
    connection.execute(
        "INSERT OR REPLACE INTO score_block (run_key, profile, own_gold, stamp, data) VALUES (?, ?, ?, ?, ?)",
        (run_key, profile, own_gold, stamp, data),
    )


def load_report(connection: sqlite3.Connection, key: str, revision: int) -> str | None:
    """A finished report asked for in the same words at the same revision."""
    row = connection.execute(
        "SELECT document FROM report_cache WHERE key = ? AND revision = ?", (key, revision)
    ).fetchone()
    return None if row is None else str(row[0])


def save_report(connection: sqlite3.Connection, key: str, revision: int, document: str, at: float) -> None:
    """Store a report, and drop those of earlier revisions."""
    connection.execute("DELETE FROM report_cache WHERE revision < ?", (revision,))
    connection.execute(
        "INSERT OR REPLACE INTO report_cache (key, revision, document, at) VALUES (?, ?, ?, ?)",
        (key, revision, document, at),
    )
