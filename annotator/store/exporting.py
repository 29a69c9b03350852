"""Rows for exports, whole and in order."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FullPrediction:
    """A prediction with everything that came with it. The three `…_json` are JSON text, `None` where there is none."""

    item_key: int
    predicted: str
    raw: str | None
    confidence: float | None
    char_confidence_json: str | None
    candidates_json: str | None
    own_gold: str | None
    reasoning: str | None
    extra: dict[str, str]


def iter_full_predictions(connection: sqlite3.Connection, run_key: int) -> Iterator[FullPrediction]:
    """The predictions of a run in order of item key, streamed."""
    rows = connection.execute(
        "SELECT item_key, predicted, raw, confidence, char_confidence, candidates, own_gold, reasoning, extra "
        "FROM prediction LEFT JOIN prediction_detail USING (prediction_key) WHERE run_key = ? ORDER BY item_key",
        (run_key,),
    )
    for row in rows:
        said: list[Any] = [*tuple(row)[:8], json.loads(row[8]) if row[8] else {}]
        yield FullPrediction(*said)


def extra_names(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Names of the other columns of all predictions, in order of first appearance."""
    rows = connection.execute("SELECT DISTINCT extra FROM prediction_detail WHERE extra IS NOT NULL")
    names: dict[str, None] = {}
    for (text,) in rows:
        names.update(dict.fromkeys(json.loads(text)))
    return tuple(names)
