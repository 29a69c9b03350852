"""Predictions gathered outside any lock, in temporary tables, then moved into the project in one short write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from annotator.store.predictions import NewAnswer, insert_predictions

_TABLES = ("prediction", "prediction_detail", "edit")


def stage_predictions(connection: sqlite3.Connection, answers: Iterable[NewAnswer], version: str) -> int:
    """Fill the connection's temporary tables with predictions, counts and edits; return how many.

    Temporary tables are the connection's own: no other process waits while they are filled. `run_key` of an answer is a
    number that `move_staged` is told the run of.
    """
    for table in _TABLES:
        connection.execute(f"DROP TABLE IF EXISTS temp.staged_{table}")
        connection.execute(f"CREATE TEMP TABLE staged_{table} AS SELECT * FROM main.{table} WHERE 0")
    ours = not connection.in_transaction
    if ours:
        connection.execute("BEGIN")
    try:
        count = insert_predictions(connection, answers, version, None, into="temp.staged_")
    except BaseException:
        if ours:
            connection.execute("ROLLBACK")
        raise
    if ours:
        connection.execute("COMMIT")
    return count


def move_staged(connection: sqlite3.Connection, run_keys: Sequence[int], import_key: int | None) -> int:
    """Move what was staged into the project, inside the caller's write; return how many predictions.

    `run_keys[n]` is the run of the answers that were staged with `run_key` n.
    """
    (last,) = connection.execute("SELECT coalesce(max(prediction_key), 0) FROM main.prediction").fetchone()
    connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS staged_run (number INTEGER PRIMARY KEY, run_key INTEGER NOT NULL)"
    )
    connection.execute("DELETE FROM temp.staged_run")
    connection.executemany("INSERT INTO temp.staged_run VALUES (?, ?)", enumerate(run_keys))
    put = {
        "prediction_key": "staged.prediction_key + :last",
        "run_key": "(SELECT found.run_key FROM temp.staged_run found WHERE found.number = staged.run_key)",
        "import_key": ":import_key",
    }
    values = {"last": last, "import_key": import_key}
    for table in _TABLES:
        columns = _columns(connection, table)
        chosen = ", ".join(put.get(name, f"staged.{name}") for name in columns)
        connection.execute(
            f"INSERT INTO main.{table} ({', '.join(columns)}) SELECT {chosen} FROM temp.staged_{table} staged "
            "ORDER BY staged.rowid",
            values,
        )
    (count,) = connection.execute("SELECT count(*) FROM temp.staged_prediction").fetchone()
    return int(count)


def _columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
