"""Writing answers: the event that is never changed and the current value, in one transaction.

Run inside `BEGIN IMMEDIATE`. An answer is acknowledged only after the caller's transaction has committed.
"""

from __future__ import annotations

import json
import sqlite3

from annotator.store.study_assign import AssignmentRule, slot_free
from annotator.store.study_records import Answer, Rater, Stored


def record_answer(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, answer: Answer, now: float
) -> Stored:
    """Store an answer once. A task that this rater was never shown is refused; a late answer is kept, as surplus when
    its slot has gone; a second answer for a task is `already` unless it names the event it `replaces`.
    """
    seen = connection.execute("SELECT at, rater_key FROM rating_event WHERE event = ?", (answer.event,)).fetchone()
    if seen is not None:
        if seen["rater_key"] != rater.key:
            return Stored("refused", answer.task_key, why="this event id belongs to another rater")
        return Stored("duplicate", answer.task_key, at=seen["at"])
    if rater.withdrawn_at is not None:
        return Stored("refused", answer.task_key, why="you were taken out of this study; nothing more is stored")
    current = connection.execute(
        "SELECT r.value, r.cannot, r.event_key, r.surplus, e.event, e.shown_first FROM rating r "
        "JOIN rating_event e USING (event_key) WHERE r.task_key = ? AND r.rater_key = ? AND r.repeat = ?",
        (answer.task_key, rater.key, answer.repeat),
    ).fetchone()
    if current is None and not answer.replaces:
        return _first(connection, rule, rater, answer, now)
    if current is None or current["event"] != answer.replaces:
        return Stored("already", answer.task_key, why="this task has its answer; open it to change it")
    return _change(connection, rule, rater, answer, now, current)


def undo_last(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, event: str, now: float
) -> Stored | None:
    """Empty the rater's last answer and give them its task again. `None` when there is nothing to undo."""
    seen = connection.execute("SELECT task_key, at FROM rating_event WHERE event = ?", (event,)).fetchone()
    if seen is not None:
        return Stored("duplicate", seen["task_key"], at=seen["at"])
    last = connection.execute(
        "SELECT r.task_key, r.repeat, r.value, r.event_key, e.shown_first FROM rating r JOIN rating_event e USING (event_key) "
        "WHERE r.rater_key = ? ORDER BY r.position DESC LIMIT 1",
        (rater.key,),
    ).fetchone()
    if last is None or rater.withdrawn_at is not None:
        return None
    key, repeat = last["task_key"], last["repeat"]
    undone = Answer(event=event, task_key=key, repeat=repeat)
    _insert_event(connection, rule, rater, undone, "undo", now, last["shown_first"], None, last["event_key"])
    connection.execute(
        "DELETE FROM rating WHERE study_key = ? AND task_key = ? AND rater_key = ? AND repeat = ?",
        (rule.study_key, key, rater.key, repeat),
    )
    if last["value"] is not None:
        _shift(connection, key, repeat, -1)
    free = _has_slot(connection, rule, rater, key, repeat, now)
    connection.execute(
        "INSERT INTO lease (task_key, rater_key, repeat, until, shown_at, shown_first) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT DO UPDATE SET until = excluded.until, shown_at = excluded.shown_at",
        (key, rater.key, repeat, now + rule.lease_seconds if free else 0.0, now, last["shown_first"]),
    )
    return Stored("undone", key, at=now)


def _first(connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, answer: Answer, now: float) -> Stored:
    lease = connection.execute(
        "SELECT l.until, l.shown_at, l.shown_first FROM lease l JOIN task t USING (task_key) "
        "WHERE l.task_key = ? AND l.rater_key = ? AND l.repeat = ? AND t.study_key = ?",
        (answer.task_key, rater.key, answer.repeat, rule.study_key),
    ).fetchone()
    if lease is None:
        return Stored("refused", answer.task_key, why="this task was not shown to you, so its answer is not stored")
    late = lease["until"] <= now and answer.value is not None
    surplus = late and not _has_slot(connection, rule, rater, answer.task_key, answer.repeat, now)
    kind = "answer" if answer.value is not None else "cannot"
    seconds = max(0.0, now - lease["shown_at"])
    key = _insert_event(connection, rule, rater, answer, kind, now, lease["shown_first"], seconds, None)
    connection.execute(
        "INSERT INTO rating (study_key, task_key, rater_key, repeat, position, value, cannot, surplus, answered_at, event_key) "
        "SELECT ?, ?, ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ? FROM rating WHERE rater_key = ?",
        (
            rule.study_key,
            answer.task_key,
            rater.key,
            answer.repeat,
            answer.value,
            answer.cannot,
            int(surplus),
            now,
            key,
            rater.key,
        ),
    )
    connection.execute(
        "DELETE FROM lease WHERE task_key = ? AND rater_key = ? AND repeat = ?",
        (answer.task_key, rater.key, answer.repeat),
    )
    if answer.value is not None:
        _shift(connection, answer.task_key, answer.repeat, +1)
    return Stored("stored", answer.task_key, at=now, surplus=surplus)


def _change(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, answer: Answer, now: float, current: sqlite3.Row
) -> Stored:
    was, will = current["value"] is not None, answer.value is not None
    surplus = bool(current["surplus"])
    if will and not was:
        surplus = not _has_slot(connection, rule, rater, answer.task_key, answer.repeat, now)
    key = _insert_event(
        connection, rule, rater, answer, "change", now, current["shown_first"], None, current["event_key"]
    )
    connection.execute(
        "UPDATE rating SET value = ?, cannot = ?, surplus = ?, event_key = ?, "
        "answered_at = CASE WHEN ? THEN ? ELSE answered_at END "
        "WHERE study_key = ? AND task_key = ? AND rater_key = ? AND repeat = ?",
        (
            answer.value,
            answer.cannot,
            int(surplus),
            key,
            will and not was,
            now,
            rule.study_key,
            answer.task_key,
            rater.key,
            answer.repeat,
        ),
    )
    if was != will:
        _shift(connection, answer.task_key, answer.repeat, +1 if will else -1)
    return Stored("changed", answer.task_key, at=now, surplus=surplus)


def _has_slot(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, task_key: int, repeat: int, now: float
) -> bool:
    if repeat:
        return True
    attention = connection.execute("SELECT attention FROM task WHERE task_key = ?", (task_key,)).fetchone()[0]
    return bool(attention) or slot_free(connection, task_key, rule.overlap, now, besides=rater.key)


def _shift(connection: sqlite3.Connection, task_key: int, repeat: int, by: int) -> None:
    if not repeat:
        connection.execute("UPDATE task SET taken = taken + ? WHERE task_key = ? AND attention = 0", (by, task_key))


def _insert_event(
    connection: sqlite3.Connection,
    rule: AssignmentRule,
    rater: Rater,
    answer: Answer,
    kind: str,
    now: float,
    shown_first: str,
    seconds: float | None,
    replaces: int | None,
) -> int:
    cursor = connection.execute(
        "INSERT INTO rating_event (event, study_key, task_key, rater_key, repeat, kind, value, rationale, shown_first, "
        "seconds, at, replaces, details) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            answer.event,
            rule.study_key,
            answer.task_key,
            rater.key,
            answer.repeat,
            kind,
            answer.value,
            answer.rationale,
            shown_first,
            seconds,
            now,
            replaces,
            json.dumps(dict(answer.details), ensure_ascii=False),
        ),
    )
    return int(cursor.lastrowid or 0)
