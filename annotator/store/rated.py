"""Severities of the edits that a study's tasks show."""

from __future__ import annotations

import sqlite3

EditKey = tuple[int, str, str, int, int]
"""Item key, predicted text, op, gold index, predicted index: one edit in its context."""


def task_severities(connection: sqlite3.Connection, provider_key: int, study_key: int) -> dict[EditKey, float]:
    """What a provider charges the edits of all answers to a study's items; equal answers have equal edits."""
    rows = connection.execute(
        "SELECT p.item_key, p.predicted, e.op, e.gold_index, e.predicted_index, v.severity "
        "FROM prediction p JOIN edit e USING (prediction_key) "
        "JOIN severity v ON v.prediction_key = e.prediction_key AND v.ordinal = e.ordinal "
        "WHERE v.provider_key = ? AND p.item_key IN (SELECT item_key FROM task WHERE study_key = ?)",
        (provider_key, study_key),
    )
    return {(item, text, op, gold, predicted): severity for item, text, op, gold, predicted, severity in rows}


def answer_severities(
    connection: sqlite3.Connection, provider_key: int, study_key: int
) -> dict[tuple[int, str], tuple[int, int, float]]:
    """Edits, charged edits and the sum of their severities of all answers to a study's items, by item key and text."""
    rows = connection.execute(
        "SELECT p.item_key, p.predicted, count(e.ordinal), count(v.severity), coalesce(sum(v.severity), 0) "
        "FROM prediction p LEFT JOIN edit e USING (prediction_key) LEFT JOIN severity v "
        "ON v.provider_key = ? AND v.prediction_key = e.prediction_key AND v.ordinal = e.ordinal "
        "WHERE p.item_key IN (SELECT item_key FROM task WHERE study_key = ?) GROUP BY p.prediction_key",
        (provider_key, study_key),
    )
    return {(item, text): (edits, charged, total) for item, text, edits, charged, total in rows}
