"""The working list of what to check first: charged edits by severity, and what a reviewer marked done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class WorstEdit:
    """An edit in the order of what to check first, with what a reader needs to see it."""

    prediction_key: int
    ordinal: int
    item_key: int
    item_id: str
    language: str
    system: str
    condition: str
    op: str
    gold_index: int
    predicted_index: int
    gold_edit: str
    predicted_edit: str
    severity: float
    imputed: bool
    gold: str
    predicted: str
    state: str


@dataclass(frozen=True, slots=True)
class EditTable:
    """Every edit that a provider has charged, as parallel columns: highest severity first, then in the order of import."""

    predictions: npt.NDArray[np.int64]
    ordinals: npt.NDArray[np.int64]
    severities: npt.NDArray[np.float64]
    runs: npt.NDArray[np.int64]
    items: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.predictions)


def read_order(connection: sqlite3.Connection, provider_key: int) -> EditTable:
    """All edits that a provider has charged. Read in the order of the table and sorted here: a walk in the order of
    severity would fetch each answer from another place of the file."""
    rows = connection.execute(
        "SELECT v.prediction_key, v.ordinal, v.severity, p.run_key, p.item_key FROM prediction p CROSS JOIN severity v "
        "ON v.provider_key = ? AND v.prediction_key = p.prediction_key ORDER BY p.prediction_key",
        (provider_key,),
    )
    columns = np.fromiter(
        (tuple(row) for row in rows),
        dtype=[("p", np.int64), ("o", np.int64), ("s", np.float64), ("r", np.int64), ("i", np.int64)],
    )
    order = np.lexsort((columns["o"], columns["p"], -columns["s"]))
    return EditTable(*(columns[name][order] for name in "posri"))


def read_marks(connection: sqlite3.Connection) -> npt.NDArray[np.int64]:
    """(prediction key, ordinal) of every edit that a reviewer has marked, as rows."""
    rows = connection.execute(
        "SELECT prediction_key, ordinal FROM edit_check ORDER BY prediction_key, ordinal"
    ).fetchall()
    return np.array([tuple(row) for row in rows], dtype=np.int64).reshape(-1, 2)


def read_marked_items(connection: sqlite3.Connection) -> npt.NDArray[np.int64]:
    """The keys of the items that are marked as of wrong gold, or unreadable."""
    return np.array(
        [row[0] for row in connection.execute("SELECT item_key FROM item WHERE mark != ''")], dtype=np.int64
    )


_COLUMNS = (
    "e.prediction_key, e.ordinal, i.item_key, i.id, i.language, s.name, r.condition, e.op, e.gold_index, "
    "e.predicted_index, e.gold, e.predicted, v.severity, v.imputed != 0, i.gold, p.predicted, coalesce(c.state, '') "
)
_REST = (
    "JOIN item i ON i.item_key = p.item_key JOIN run r ON r.run_key = p.run_key "
    "JOIN system s ON s.system_key = r.system_key "
    "LEFT JOIN edit_check c ON c.prediction_key = e.prediction_key AND c.ordinal = e.ordinal "
)
EDITS_SQL = (
    f"SELECT {_COLUMNS} FROM json_each(?) j CROSS JOIN edit e "
    "ON e.prediction_key = json_extract(j.value, '$[0]') AND e.ordinal = json_extract(j.value, '$[1]') "
    "JOIN severity v ON v.provider_key = ? AND v.prediction_key = e.prediction_key AND v.ordinal = e.ordinal "
    f"JOIN prediction p ON p.prediction_key = e.prediction_key {_REST} ORDER BY j.key"
)
"""The edits at places given as JSON, `[[prediction key, ordinal], ...]`, of a provider, each found by its keys."""


def iter_edits(connection: sqlite3.Connection, provider_key: int) -> Iterator[WorstEdit]:
    """Every edit that a provider has charged, by prediction and ordinal, streamed."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM prediction p CROSS JOIN severity v ON v.provider_key = ? "
        "AND v.prediction_key = p.prediction_key CROSS JOIN edit e ON e.prediction_key = v.prediction_key "
        f"AND e.ordinal = v.ordinal {_REST} ORDER BY p.prediction_key, v.ordinal",
        (provider_key,),
    )
    for row in rows:
        yield WorstEdit(*row)


def read_edits(
    connection: sqlite3.Connection, provider_key: int, places: Sequence[tuple[int, int]]
) -> tuple[WorstEdit, ...]:
    """The edits at `places` (prediction key, ordinal), in that order."""
    rows = connection.execute(EDITS_SQL, (json.dumps(places), provider_key))
    return tuple(WorstEdit(*row) for row in rows)


def mark_checked(connection: sqlite3.Connection, prediction_key: int, ordinal: int, state: str, at: float) -> None:
    """Mark an edit `done` or `gold-wrong` in the working list; an empty state takes the mark back."""
    if not state:
        connection.execute("DELETE FROM edit_check WHERE prediction_key = ? AND ordinal = ?", (prediction_key, ordinal))
        return
    connection.execute(
        "INSERT OR REPLACE INTO edit_check (prediction_key, ordinal, state, at) VALUES (?, ?, ?, ?)",
        (prediction_key, ordinal, state, at),
    )


def prediction_severities(
    connection: sqlite3.Connection, provider_key: int, prediction_keys: Sequence[int]
) -> dict[int, dict[int, float]]:
    """The charges of a provider for a few predictions: by prediction key, then by the edit's number."""
    keys = ", ".join(str(int(key)) for key in prediction_keys) or "NULL"
    found: dict[int, dict[int, float]] = {}
    for key, ordinal, severity in connection.execute(
        f"SELECT prediction_key, ordinal, severity FROM severity WHERE provider_key = ? AND prediction_key IN ({keys})",
        (provider_key,),
    ):
        found.setdefault(int(key), {})[int(ordinal)] = float(severity)
    return found
