"""Small projects for tests, written row by row."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.store.project import Project, open_project, read_revision
from annotator.text.align import align_texts, alignment_version


def build_project(
    folder: Path,
    items: Sequence[Mapping[str, Any]],
    answers: Mapping[str, Mapping[str, str]] = {},
) -> Project:
    """A project with `items` (columns of the item table; `attributes` a dict) and `answers` {run: {item id: predicted}}.

    A run is `system` or `system@condition`. Items without an answer are missing for that run.
    """
    project = open_project(folder, create=True)
    with project.write() as connection:
        revision = read_revision(connection)
        for item in items:
            _item(connection, item, revision)
        for run, texts in answers.items():
            _run(connection, run, texts, revision)
    return project


def _item(connection: sqlite3.Connection, item: Mapping[str, Any], revision: int) -> None:
    row = {**item, "attributes": json.dumps(item.get("attributes", {})), "changed_revision": revision}
    names = ", ".join(row)
    connection.execute(f"INSERT INTO item ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))


def _run(connection: sqlite3.Connection, run: str, texts: Mapping[str, str], revision: int) -> None:
    system, _, condition = run.partition("@")
    connection.execute("INSERT OR IGNORE INTO system (name) VALUES (?)", (system,))
    (system_key,) = connection.execute("SELECT system_key FROM system WHERE name = ?", (system,)).fetchone()
    run_key = connection.execute(
        "INSERT INTO run (system_key, condition, changed_revision) VALUES (?, ?, ?)",
        (system_key, condition or "default", revision),
    ).lastrowid
    for item_id, predicted in texts.items():
        key, gold = connection.execute("SELECT item_key, gold FROM item WHERE id = ?", (item_id,)).fetchone()
        a = align_texts(gold or "", predicted)
        counts = (a.matches, a.substitutions, a.deletions, a.insertions, a.gold_length, a.predicted_length)
        prediction = connection.execute(
            "INSERT INTO prediction (run_key, item_key, predicted, alignment_version, matches, substitutions, deletions, "
            "insertions, gold_length, predicted_length) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (run_key, key, predicted, alignment_version(), *(counts if gold is not None else [None] * 6)),
        ).lastrowid
        for ordinal, e in enumerate(a.edits if gold is not None else ()):
            connection.execute(
                "INSERT INTO edit VALUES (?, ?, ?, ?, ?, ?, ?)",
                (prediction, ordinal, e.op, e.gold_index, e.predicted_index, e.gold, e.predicted),
            )
