"""What results and the owner read of a study: current ratings, progress, events. Raters' pages use only the first part."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from annotator.store.studies import split_expected
from annotator.store.study_records import Rater, RatingRow, Study


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """How far one rater is: answers given (repeats and attention tasks too), and tasks that they could still do."""

    done: int
    left: int
    last_at: float | None
    seconds_per_answer: float | None


@dataclass(frozen=True, slots=True)
class Past:
    """One earlier answer of a rater, for their own list."""

    task_key: int
    repeat: int
    position: int
    gold: str | None
    predicted: str | None
    value: str | None
    cannot: str
    event: str
    at: float


def rater_progress(connection: sqlite3.Connection, study: Study, rater: Rater) -> RaterProgress:
    """Counts for the rater's progress line. The pace is the mean of their last 20 answers."""
    done, last = connection.execute(
        "SELECT count(*), max(answered_at) FROM rating WHERE rater_key = ?", (rater.key,)
    ).fetchone()
    free = connection.execute(
        "SELECT count(*) FROM task WHERE study_key = ? AND attention = 0 AND taken < ?", (study.key, study.overlap)
    ).fetchone()[0]
    mine = connection.execute(
        "SELECT count(*) FROM rating r JOIN task t USING (task_key) WHERE r.rater_key = ? AND r.repeat = 0 "
        "AND t.attention = 0 AND t.taken < ?",
        (rater.key, study.overlap),
    ).fetchone()[0]
    pace = connection.execute(
        "SELECT avg(min(seconds, 120)) FROM (SELECT e.seconds FROM rating r JOIN rating_event e USING (event_key) "
        "WHERE r.rater_key = ? AND e.seconds IS NOT NULL ORDER BY r.position DESC LIMIT 20)",
        (rater.key,),
    ).fetchone()[0]
    return RaterProgress(done, max(0, free - mine), last, pace)


def past_answers(connection: sqlite3.Connection, rater_key: int, limit: int = 50) -> tuple[Past, ...]:
    """The rater's own answers, last first."""
    rows = connection.execute(
        "SELECT r.task_key, r.repeat, r.position, t.gold, t.predicted, r.value, r.cannot, e.event, r.answered_at AS at "
        "FROM rating r JOIN task t USING (task_key) JOIN rating_event e USING (event_key) "
        "WHERE r.rater_key = ? ORDER BY r.position DESC LIMIT ?",
        (rater_key, limit),
    )
    return tuple(Past(**dict(row)) for row in rows)


def neighbour_answer(
    connection: sqlite3.Connection, rater_key: int, position: int, step: int
) -> tuple[int, int] | None:
    """(task key, repeat) of the rater's answer before (`step` -1) or after (+1) a position."""
    order, sign = ("DESC", "<") if step < 0 else ("ASC", ">")
    row = connection.execute(
        f"SELECT task_key, repeat FROM rating WHERE rater_key = ? AND position {sign} ? ORDER BY position {order} LIMIT 1",
        (rater_key, position),
    ).fetchone()
    return None if row is None else (row["task_key"], row["repeat"])


def answer_position(connection: sqlite3.Connection, rater_key: int, task_key: int, repeat: int) -> int | None:
    """Where this answer stands among the rater's own, 1 = first; `None` when the task is not answered."""
    row = connection.execute(
        "SELECT position FROM rating WHERE rater_key = ? AND task_key = ? AND repeat = ?", (rater_key, task_key, repeat)
    ).fetchone()
    return None if row is None else int(row[0])


def study_ratings(connection: sqlite3.Connection, study: Study) -> tuple[RatingRow, ...]:
    """Owner only: every current value of the study, in order of task, then of slot (surplus last), then of time."""
    rows = connection.execute(
        "SELECT r.*, t.number, t.item_id, t.attention, t.expected, p.label, p.kind AS rater_kind, p.withdrawn_at, "
        "e.event, e.rationale, e.shown_first, "
        "(SELECT f.seconds FROM rating_event f WHERE f.task_key = r.task_key AND f.rater_key = r.rater_key "
        " AND f.repeat = r.repeat AND f.seconds IS NOT NULL ORDER BY f.event_key DESC LIMIT 1) AS seconds, "
        "coalesce((SELECT g.event FROM rating_event g WHERE g.event_key = e.replaces), '') AS replaces "
        "FROM rating r JOIN task t USING (task_key) JOIN rater p USING (rater_key) JOIN rating_event e USING (event_key) "
        "WHERE r.study_key = ? ORDER BY t.number, r.surplus, r.answered_at, r.event_key",
        (study.key,),
    )
    return tuple(_rating(row, study.name) for row in rows)


def events_stamp(connection: sqlite3.Connection, study_key: int) -> int:
    """Grows with every event of the study: a cache key for everything computed from ratings."""
    row = connection.execute(
        "SELECT coalesce(max(event_key), 0) FROM rating_event WHERE study_key = ?", (study_key,)
    ).fetchone()
    return int(row[0])


def _rating(row: sqlite3.Row, study: str) -> RatingRow:
    return RatingRow(
        study=study,
        task_key=row["task_key"],
        task=row["number"],
        item_id=row["item_id"],
        rater_key=row["rater_key"],
        rater=row["label"],
        rater_kind=row["rater_kind"],
        repeat=row["repeat"],
        position=row["position"],
        value=row["value"],
        cannot=row["cannot"],
        surplus=bool(row["surplus"]),
        withdrawn=row["withdrawn_at"] is not None,
        attention=bool(row["attention"]),
        expected=split_expected(row["expected"]),
        answered_at=row["answered_at"],
        rationale=row["rationale"],
        shown_first=row["shown_first"],
        seconds=row["seconds"],
        event=row["event"],
        replaces=row["replaces"],
    )
