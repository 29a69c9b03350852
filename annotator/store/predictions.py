"""Predictions written and compared: systems, runs, answers, their details and the edits of their alignment."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.text.align import Alignment


@dataclass(frozen=True, slots=True)
class Answer:
    """A prediction as it is stored. The last four are JSON text, or `None`."""

    predicted: str
    raw: str | None = None
    confidence: float | None = None
    own_gold: str | None = None
    char_confidence: str | None = None
    candidates: str | None = None
    reasoning: str | None = None
    extra: str | None = None

    @property
    def has_details(self) -> bool:
        """Whether it has a row among the details."""
        return not (
            self.char_confidence is None and self.candidates is None and self.reasoning is None and self.extra is None
        )


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """A prediction to write. `alignment` is `None` when the item has no gold."""

    run_key: int
    item_key: int
    answer: Answer
    parser_version: str | None
    alignment: Alignment | None


def find_run(connection: sqlite3.Connection, system: str, condition: str) -> int | None:
    """The key of a system under a condition, `None` when there is none."""
    row = connection.execute(
        "SELECT run_key FROM run JOIN system USING (system_key) WHERE name = ? AND condition = ?", (system, condition)
    ).fetchone()
    return None if row is None else int(row[0])


def ensure_run(connection: sqlite3.Connection, system: str, condition: str, revision: int) -> int:
    """The key of a system under a condition, made when it is new; its revision is raised to `revision`."""
    connection.execute("INSERT OR IGNORE INTO system (name) VALUES (?)", (system,))
    (system_key,) = connection.execute("SELECT system_key FROM system WHERE name = ?", (system,)).fetchone()
    connection.execute(
        "INSERT INTO run (system_key, condition, changed_revision) VALUES (?, ?, ?) "
        "ON CONFLICT (system_key, condition) DO UPDATE SET changed_revision = excluded.changed_revision",
        (system_key, condition, revision),
    )
    row = connection.execute(
        "SELECT run_key FROM run WHERE system_key = ? AND condition = ?", (system_key, condition)
    ).fetchone()
    return int(row[0])


def read_answers(connection: sqlite3.Connection, run_key: int) -> dict[int, tuple[int, Answer]]:
    """Every stored prediction of a run by item key, with its own key."""
    rows = connection.execute(
        "SELECT item_key, prediction_key, predicted, raw, confidence, own_gold, char_confidence, candidates, reasoning, "
        "extra FROM prediction LEFT JOIN prediction_detail USING (prediction_key) WHERE run_key = ?",
        (run_key,),
    )
    return {row[0]: (row[1], Answer(*row[2:])) for row in rows}


def delete_predictions(connection: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Delete predictions by key, their details and edits with them."""
    connection.executemany("DELETE FROM prediction WHERE prediction_key = ?", ((key,) for key in keys))


def insert_predictions(
    connection: sqlite3.Connection,
    answers: Iterable[NewAnswer],
    version: str,
    import_key: int | None,
    batch: int = 5000,
    into: str = "main.",
) -> int:
    """Insert predictions with counts and edits, `batch` at a time; return how many. `into` begins the tables' names."""
    (last,) = connection.execute(f"SELECT coalesce(max(prediction_key), 0) FROM {into}prediction").fetchone()
    key = first = int(last)
    waiting: list[tuple[int, NewAnswer]] = []
    for new in answers:
        key += 1
        waiting.append((key, new))
        if len(waiting) >= batch:
            _insert_batch(connection, waiting, version, import_key, into)
            waiting = []
    _insert_batch(connection, waiting, version, import_key, into)
    return key - first


def _insert_batch(
    connection: sqlite3.Connection,
    waiting: Sequence[tuple[int, NewAnswer]],
    version: str,
    import_key: int | None,
    into: str,
) -> None:
    connection.executemany(
        f"INSERT INTO {into}prediction (prediction_key, run_key, item_key, predicted, raw, confidence, own_gold, parser_version, "
        "matches, substitutions, deletions, insertions, gold_length, predicted_length, alignment_version, import_key) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_prediction_values(key, new, version, import_key) for key, new in waiting),
    )
    connection.executemany(
        f"INSERT INTO {into}prediction_detail (prediction_key, char_confidence, candidates, reasoning, extra) "
        "VALUES (?, ?, ?, ?, ?)",
        (
            (key, new.answer.char_confidence, new.answer.candidates, new.answer.reasoning, new.answer.extra)
            for key, new in waiting
            if new.answer.has_details
        ),
    )
    insert_edits(connection, ((key, new.alignment) for key, new in waiting), into)


def _prediction_values(key: int, new: NewAnswer, version: str, import_key: int | None) -> tuple[object, ...]:
    answer = new.answer
    said = (key, new.run_key, new.item_key, answer.predicted, answer.raw, answer.confidence, answer.own_gold)
    return (*said, new.parser_version, *_counts(new.alignment), version, import_key)


def _counts(alignment: Alignment | None) -> tuple[int | None, ...]:
    if alignment is None:
        return (None,) * 6
    return (
        alignment.matches,
        alignment.substitutions,
        alignment.deletions,
        alignment.insertions,
        alignment.gold_length,
        alignment.predicted_length,
    )


def insert_edits(
    connection: sqlite3.Connection, alignments: Iterable[tuple[int, Alignment | None]], into: str = "main."
) -> None:
    """Insert the edits of alignments by prediction key; `None` has none. `into` begins the table's name."""
    connection.executemany(
        f"INSERT INTO {into}edit (prediction_key, ordinal, op, gold_index, predicted_index, gold, predicted) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (key, ordinal, edit.op.value, edit.gold_index, edit.predicted_index, edit.gold, edit.predicted)
            for key, alignment in alignments
            if alignment is not None
            for ordinal, edit in enumerate(alignment.edits)
        ),
    )


def read_aligned_pairs(
    connection: sqlite3.Connection, item_keys: Sequence[int] | None = None, stale_against: str | None = None
) -> list[tuple[int, int, str | None, str]]:
    """(prediction key, run key, gold, predicted) of the predictions of some items, or of all.

    `stale_against` keeps only those aligned by another version.
    """
    query = "SELECT prediction_key, run_key, gold, predicted FROM prediction JOIN item USING (item_key)"
    if item_keys is not None:
        found: list[tuple[int, int, str | None, str]] = []
        for key in item_keys:
            found.extend(tuple(row) for row in connection.execute(f"{query} WHERE item_key = ?", (key,)))
        return found
    where, values = ("", ()) if stale_against is None else (" WHERE alignment_version != ?", (stale_against,))
    return [tuple(row) for row in connection.execute(query + where + " ORDER BY prediction_key", values)]


def read_pairs_of(
    connection: sqlite3.Connection, prediction_keys: Sequence[int]
) -> list[tuple[int, int, str | None, str]]:
    """The same for single predictions."""
    query = (
        "SELECT prediction_key, run_key, gold, predicted FROM prediction JOIN item USING (item_key) "
        "WHERE prediction_key = ?"
    )
    return [tuple(row) for key in prediction_keys for row in connection.execute(query, (key,))]


def rewrite_alignments(
    connection: sqlite3.Connection, alignments: Iterable[tuple[int, Alignment | None]], version: str
) -> None:
    """Put new counts and edits in the place of the old, by prediction key."""
    fresh = list(alignments)
    for table in ("edit", "severity", "edit_check"):  # charges and checks belong to the edits that go
        connection.executemany(f"DELETE FROM {table} WHERE prediction_key = ?", ((key,) for key, _ in fresh))
    connection.executemany(
        "UPDATE prediction SET matches = ?, substitutions = ?, deletions = ?, insertions = ?, gold_length = ?, "
        "predicted_length = ?, alignment_version = ? WHERE prediction_key = ?",
        ((*_counts(alignment), version, key) for key, alignment in fresh),
    )
    insert_edits(connection, fresh)


def touch_runs(connection: sqlite3.Connection, run_keys: Iterable[int], revision: int) -> None:
    """Note that runs changed at `revision`."""
    connection.executemany(
        "UPDATE run SET changed_revision = ? WHERE run_key = ?", ((revision, key) for key in sorted(set(run_keys)))
    )
