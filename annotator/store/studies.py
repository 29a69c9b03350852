"""Studies and their tasks: create, find, count. Every function takes an open connection; the caller owns the transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from annotator.errors import UsageError
from annotator.store.study_records import EditMark, Maker, Study, TaskDraft, TaskRow

_STUDY = "SELECT study_key, name, kind, state, overlap, seed, settings, method, created_at FROM study"
TASK_COLUMNS = (
    "t.task_key, t.number, t.item_key, t.item_id, t.language, t.band, t.gold, t.standard, t.predicted, t.predicted_b, "
    "t.op, t.gold_index, t.predicted_index, t.gold_edit, t.predicted_edit, t.attention, t.expected, t.repeats, t.taken"
)


def insert_study(
    connection: sqlite3.Connection,
    *,
    name: str,
    kind: str,
    overlap: int,
    seed: int,
    settings: Mapping[str, Any],
    method: str,
    revision: int,
    at: float,
) -> int:
    """Store a draft study and return its key. Raises `UsageError` when the name is taken."""
    if connection.execute("SELECT 1 FROM study WHERE name = ?", (name,)).fetchone():
        raise UsageError(f"a study named {name!r} is there already; expected a new name. See: annotator study status")
    cursor = connection.execute(
        "INSERT INTO study (name, kind, overlap, seed, settings, method, created_at, created_revision) VALUES (?,?,?,?,?,?,?,?)",
        (name, kind, overlap, seed, json.dumps(dict(settings), ensure_ascii=False), method, at, revision),
    )
    return int(cursor.lastrowid or 0)


def insert_tasks(connection: sqlite3.Connection, study_key: int, drafts: Iterable[TaskDraft]) -> int:
    """Store tasks in the order given, numbered from 1; return how many."""
    number = 0
    for number, draft in enumerate(drafts, 1):
        edit = draft.edit
        marked = (
            (None,) * 5 if edit is None else (edit.op, edit.gold_index, edit.predicted_index, edit.gold, edit.predicted)
        )
        cursor = connection.execute(
            "INSERT INTO task (study_key, number, item_key, item_id, language, band, gold, standard, predicted, predicted_b, "
            "op, gold_index, predicted_index, gold_edit, predicted_edit, attention, expected, repeats) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                study_key,
                number,
                draft.item_key,
                draft.item_id,
                draft.language,
                draft.band,
                draft.gold,
                draft.standard,
                draft.predicted,
                draft.predicted_b,
                *marked,
                int(draft.attention),
                "|".join(draft.expected),
                int(draft.repeats),
            ),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO task_system (task_key, side, system, condition) VALUES (?,?,?,?)",
            [(cursor.lastrowid, m.side, m.system, m.condition) for m in draft.makers],
        )
    return number


def find_study(connection: sqlite3.Connection, name: str) -> Study:
    """The study of that name. Raises `UsageError` naming the studies that are there."""
    row = connection.execute(f"{_STUDY} WHERE name = ?", (name,)).fetchone()
    if row is None:
        names = [r[0] for r in connection.execute("SELECT name FROM study ORDER BY name LIMIT 20")]
        there = ", ".join(names) if names else "none yet (annotator study create KIND --name N makes one)"
        raise UsageError(f"no study named {name!r}; expected one of: {there}")
    return _study(row)


def study_by_key(connection: sqlite3.Connection, key: int) -> Study:
    """The study with that key, which the caller has from another row."""
    return _study(connection.execute(f"{_STUDY} WHERE study_key = ?", (key,)).fetchone())


def all_studies(connection: sqlite3.Connection) -> tuple[Study, ...]:
    """Every study, oldest first."""
    return tuple(_study(row) for row in connection.execute(f"{_STUDY} ORDER BY study_key"))


def set_state(connection: sqlite3.Connection, key: int, state: str) -> None:
    """Move a study to draft, open or closed."""
    connection.execute("UPDATE study SET state = ? WHERE study_key = ?", (state, key))


def set_settings(connection: sqlite3.Connection, key: int, settings: Mapping[str, Any]) -> None:
    """Replace a study's settings."""
    document = json.dumps(dict(settings), ensure_ascii=False)
    connection.execute("UPDATE study SET settings = ? WHERE study_key = ?", (document, key))


def study_tasks(connection: sqlite3.Connection, study_key: int) -> tuple[TaskRow, ...]:
    """Every task, ordered by item (order of import), then number."""
    rows = connection.execute(
        f"SELECT {TASK_COLUMNS} FROM task t WHERE t.study_key = ? ORDER BY t.item_key IS NULL, t.item_key, t.item_id, t.number",
        (study_key,),
    )
    return tuple(task_row(row) for row in rows)


def task_makers(connection: sqlite3.Connection, study_key: int) -> dict[int, tuple[Maker, ...]]:
    """Owner only: the systems behind each task."""
    makers: dict[int, list[Maker]] = {}
    rows = connection.execute(
        "SELECT s.task_key, s.system, s.condition, s.side FROM task_system s JOIN task t USING (task_key) "
        "WHERE t.study_key = ? ORDER BY s.task_key, s.side, s.system, s.condition",
        (study_key,),
    )
    for key, system, condition, side in rows:
        makers.setdefault(key, []).append(Maker(system, condition, side))
    return {key: tuple(value) for key, value in makers.items()}


def task_counts(connection: sqlite3.Connection, study: Study, now: float) -> dict[str, int]:
    """Tasks by state: `untouched`, `held`, `partly`, `done`, `above` (more answers than the overlap), and `tasks`."""
    row = connection.execute(
        "SELECT count(*), sum(taken >= :k), sum(taken > :k), sum(taken > 0 AND taken < :k), sum(taken = 0), "
        "sum(EXISTS (SELECT 1 FROM lease l WHERE l.task_key = t.task_key AND l.repeat = 0 AND l.until > :now)) "
        "FROM task t WHERE study_key = :s AND attention = 0",
        {"k": study.overlap, "s": study.key, "now": now},
    ).fetchone()
    names = ("tasks", "done", "above", "partly", "untouched", "held")
    return {name: int(value or 0) for name, value in zip(names, row, strict=True)}


def edit_mark(row: sqlite3.Row) -> EditMark | None:
    """The marked edit of a task row, if it has one."""
    if row["op"] is None:
        return None
    return EditMark(row["op"], row["gold_index"], row["predicted_index"], row["gold_edit"], row["predicted_edit"])


def task_row(row: sqlite3.Row) -> TaskRow:
    """A row of `TASK_COLUMNS` as a record."""
    return TaskRow(
        key=row["task_key"],
        number=row["number"],
        item_key=row["item_key"],
        item_id=row["item_id"],
        language=row["language"],
        band=row["band"],
        gold=row["gold"],
        standard=row["standard"],
        predicted=row["predicted"],
        predicted_b=row["predicted_b"],
        edit=edit_mark(row),
        attention=bool(row["attention"]),
        expected=split_expected(row["expected"]),
        repeats=bool(row["repeats"]),
        taken=row["taken"],
    )


def split_expected(text: str) -> tuple[str, ...]:
    """The accepted values of an attention task."""
    return tuple(text.split("|")) if text else ()


def _study(row: sqlite3.Row) -> Study:
    return Study(
        key=row["study_key"],
        name=row["name"],
        kind=row["kind"],
        state=row["state"],
        overlap=row["overlap"],
        seed=row["seed"],
        settings=json.loads(row["settings"]),
        method=row["method"],
        created_at=row["created_at"],
    )
