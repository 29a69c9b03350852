"""Leases and answers: exactly once, never above the overlap, never a task left behind."""

from __future__ import annotations

import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from annotator.store.project import Project, hold_open, open_project
from annotator.store.studies import study_by_key
from annotator.store.study_assign import look_ahead
from annotator.store.study_raters import rater_by_key
from annotator.store.study_records import Answer
from annotator.studies.aggregates import study_aggregates
from annotator.studies.kinds import StudyKind
from annotator.studies.settings import assignment_rule
from annotator.studies.withdraw import restore, withdraw
from annotator.studies.work import current_desk, give_answer, new_event, undo
from tests.studies.builders import PLAIN, Clock, answer, open_study, seat, text_project

LEASE = 15 * 60


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def project(tmp_path: Path, clock: Clock) -> Project:
    folder = text_project(tmp_path / "p").folder
    return open_project(folder, clock=clock)


def rows(project: Project, sql: str, *values: object) -> list[sqlite3.Row]:
    with project.read() as connection:
        return connection.execute(sql, values).fetchall()


def most_held(project: Project, now: float) -> int:
    return int(
        rows(
            project,
            "SELECT max(t.taken + (SELECT count(*) FROM lease l WHERE l.task_key = t.task_key AND l.repeat = 0 AND l.until > ?))"
            " FROM task t",
            now,
        )[0][0]
    )


def work_all(folder: Path, raters: list[int], each: int) -> list[str]:
    """Let raters answer `each` tasks in one thread apiece; return the events that were acknowledged."""
    project = open_project(folder)

    def work(rater: int) -> list[str]:
        done = []
        for _turn in range(each):
            desk = current_desk(project, rater)
            if desk.task is None:
                break
            event = new_event()
            if answer(project, rater, str(rater % 5), desk, event=event).outcome == "stored":
                done.append(event)
        return done

    with ThreadPoolExecutor(len(raters)) as pool:
        return [event for events in pool.map(work, raters) for event in events]


def check_exactly_once(project: Project, acknowledged: list[str], overlap: int) -> None:
    events = [row[0] for row in rows(project, "SELECT event FROM rating_event")]
    assert sorted(events) == sorted(acknowledged)
    assert len(rows(project, "SELECT 1 FROM rating")) == len(acknowledged)
    per_task = Counter(row[0] for row in rows(project, "SELECT task_key FROM rating WHERE surplus = 0"))
    assert max(per_task.values()) <= overlap
    assert dict(per_task) == {k: n for k, n in rows(project, "SELECT task_key, taken FROM task") if n}


def test_twenty_threads_store_every_answer_once(tmp_path: Path) -> None:
    project = text_project(tmp_path, items=500)
    open_study(project, overlap=5)
    raters = [seat(project) for _n in range(20)]
    acknowledged = work_all(project.folder, raters, 100)
    assert len(acknowledged) == 2000
    check_exactly_once(project, acknowledged, overlap=5)


def test_four_processes_of_five_threads_store_every_answer_once(tmp_path: Path) -> None:
    project = text_project(tmp_path, items=130)
    open_study(project, overlap=4)
    raters = [seat(project) for _n in range(20)]
    with get_context("spawn").Pool(4) as pool:
        parts = pool.starmap(work_all, [(project.folder, raters[i::4], 20) for i in range(4)])
    acknowledged = [event for part in parts for event in part]
    assert len(acknowledged) == 400
    check_exactly_once(project, acknowledged, overlap=4)


def test_raters_who_arrive_at_once_never_hold_more_than_the_overlap(project: Project, clock: Clock) -> None:
    open_study(project, size=3, overlap=2)
    raters = [seat(project) for _n in range(10)]
    with ThreadPoolExecutor(10) as pool:
        desks = list(pool.map(lambda rater: current_desk(project, rater), raters))
    assert sum(desk.task is not None for desk in desks) == 6
    assert all(desk.waiting for desk in desks if desk.task is None)
    assert most_held(project, clock.now) == 2


def test_an_expired_lease_goes_to_another_and_no_task_is_left(project: Project, clock: Clock) -> None:
    open_study(project, size=1, overlap=1)
    first, second = seat(project), seat(project)
    assert current_desk(project, first).task is not None
    assert current_desk(project, second).task is None
    clock.now += LEASE + 1
    assert answer(project, second).outcome == "stored"
    assert current_desk(project, first).task is None


def test_activity_renews_a_lease(project: Project, clock: Clock) -> None:
    open_study(project, size=1, overlap=1)
    first, second = seat(project), seat(project)
    for _turn in range(3):
        current_desk(project, first)
        clock.now += LEASE - 1
    assert current_desk(project, second).task is None


def test_a_late_answer_takes_its_slot_when_that_is_free(project: Project, clock: Clock) -> None:
    open_study(project, size=1, overlap=1)
    rater = seat(project)
    desk = current_desk(project, rater)
    clock.now += 10 * LEASE
    stored = answer(project, rater, "3", desk)
    assert (stored.outcome, stored.surplus) == ("stored", False)


def test_a_late_answer_whose_slot_has_gone_is_surplus(project: Project, clock: Clock) -> None:
    open_study(project, size=1, overlap=1)
    slow, quick = seat(project), seat(project)
    desk = current_desk(project, slow)
    clock.now += LEASE + 1
    answer(project, quick, "1")
    stored = answer(project, slow, "4", desk)
    assert (stored.outcome, stored.surplus) == ("stored", True)
    table = study_aggregates(project, "s")
    assert table.rows[0][table.columns.index("mean")] == 1.0
    assert dict(table.left_out) == {"beyond the overlap": 1}


def test_surplus_takes_the_slot_that_a_withdrawn_rater_frees(project: Project, clock: Clock) -> None:
    open_study(project, size=1, overlap=1)
    slow, quick = seat(project), seat(project)
    desk = current_desk(project, slow)
    clock.now += LEASE + 1
    answer(project, quick, "1")
    answer(project, slow, "4", desk)
    assert withdraw(project, "s", "rater-02") == 1
    table = study_aggregates(project, "s")
    assert table.rows[0][table.columns.index("mean")] == 4.0
    assert current_desk(project, seat(project)).task is None


def test_one_event_is_stored_once(project: Project) -> None:
    open_study(project)
    rater = seat(project)
    desk = current_desk(project, rater)
    outcomes = [answer(project, rater, "2", desk, event="e1").outcome for _n in range(3)]
    assert outcomes == ["stored", "duplicate", "duplicate"]
    assert len(rows(project, "SELECT 1 FROM rating_event")) == 1


def test_two_tabs_store_one_answer(project: Project) -> None:
    open_study(project)
    rater = seat(project)
    desk = current_desk(project, rater)
    assert answer(project, rater, "2", desk).outcome == "stored"
    assert answer(project, rater, "4", desk).outcome == "already"
    assert [r[0] for r in rows(project, "SELECT value FROM rating")] == ["2"]


def test_a_task_that_was_never_shown_is_not_rated(project: Project) -> None:
    open_study(project)
    rater = seat(project)
    shown = current_desk(project, rater).task
    assert shown is not None
    other = next(r[0] for r in rows(project, "SELECT task_key FROM task") if r[0] != shown.task_key)
    assert give_answer(project, rater, Answer("e", other, value="1")).outcome == "refused"
    assert not rows(project, "SELECT 1 FROM rating")


def test_another_study_cannot_be_answered_with_a_shared_key(project: Project) -> None:
    open_study(project, name="s")
    open_study(project, name="t")
    mine, other = seat(project, "s"), seat(project, "t")
    desk = current_desk(project, other)
    assert answer(project, mine, "1", desk).outcome == "refused"


def test_a_change_keeps_the_old_value_in_the_history(project: Project) -> None:
    open_study(project)
    rater = seat(project)
    desk = current_desk(project, rater)
    answer(project, rater, "1", desk, event="first")
    assert answer(project, rater, "4", desk, replaces="first").outcome == "changed"
    assert answer(project, rater, "0", desk, replaces="first").outcome == "already"
    assert [r[0] for r in rows(project, "SELECT value FROM rating")] == ["4"]
    assert [tuple(r) for r in rows(project, "SELECT kind, value FROM rating_event ORDER BY event_key")] == [
        ("answer", "1"),
        ("change", "4"),
    ]


def test_undo_empties_the_value_and_gives_the_task_back(project: Project) -> None:
    open_study(project)
    rater = seat(project)
    first = current_desk(project, rater).task
    answer(project, rater, "1")
    undone = undo(project, rater, "u1")
    assert undone is not None
    again = current_desk(project, rater).task
    assert first is not None
    assert again is not None
    assert (undone.outcome, again.task_key, again.value) == ("undone", first.task_key, None)
    assert not rows(project, "SELECT 1 FROM rating")
    assert [r[0] for r in rows(project, "SELECT kind FROM rating_event ORDER BY event_key")] == ["answer", "undo"]
    assert undo(project, rater, "u1") is not None  # replayed
    assert undo(project, rater) is None
    assert len(rows(project, "SELECT 1 FROM rating_event")) == 2


def test_undo_keeps_the_slot(project: Project, clock: Clock) -> None:
    open_study(project, size=1, overlap=1)
    rater, other = seat(project), seat(project)
    answer(project, rater)
    undo(project, rater)
    assert current_desk(project, other).task is None
    assert answer(project, rater, "3").outcome == "stored"
    assert most_held(project, clock.now) == 1


def test_cannot_judge_is_stored_and_frees_the_slot(project: Project) -> None:
    open_study(project, size=1, overlap=1)
    rater, other = seat(project), seat(project)
    assert answer(project, rater, None, cannot="image").outcome == "stored"
    assert current_desk(project, rater).task is None
    assert answer(project, other, "2").outcome == "stored"
    table = study_aggregates(project, "s")
    assert table.rows[0][table.columns.index("n_raters")] == 1
    assert dict(table.left_out) == {"cannot judge": 1}


def test_withdraw_frees_slots_and_restore_may_bring_a_task_above_the_overlap(project: Project) -> None:
    open_study(project, size=1, overlap=1)
    first = seat(project)
    answer(project, first, "0")
    second = seat(project)
    assert current_desk(project, second).task is None
    assert withdraw(project, "s", "rater-01") == 1
    assert withdraw(project, "s", "rater-01") == 0
    answer(project, second, "4")
    assert restore(project, "s", "rater-01") == (1, 1)
    table = study_aggregates(project, "s")
    mean = table.rows[0][table.columns.index("mean")]
    assert mean == 0.0  # the first answer by time is used


def test_a_withdrawn_rater_stores_nothing(project: Project) -> None:
    open_study(project)
    rater = seat(project)
    desk = current_desk(project, rater)
    withdraw(project, "s", "rater-01")
    assert answer(project, rater, "2", desk).outcome == "refused"
    assert current_desk(project, rater).task is None


def test_fewest_answers_come_first(project: Project) -> None:
    open_study(project, size=6, overlap=3)
    for _rater in range(2):
        rater = seat(project)
        for _turn in range(3):
            answer(project, rater)
    assert [r[0] for r in rows(project, "SELECT taken FROM task")] == [1] * 6


def test_a_rater_sees_every_task_once_in_an_own_order(project: Project) -> None:
    open_study(project, overlap=5)
    orders = []
    for _n in range(3):
        rater = seat(project)
        order = []
        while (task := current_desk(project, rater).task) is not None:
            order.append(task.task_key)
            answer(project, rater)
        orders.append(tuple(order))
    assert all(len(set(order)) == len(order) == len(orders[0]) for order in orders)
    assert len(set(orders)) == 3


def test_planned_repeats_come_later_and_once(project: Project) -> None:
    open_study(project, size=6, overlap=1, repeats=2)
    rater = seat(project)
    seen = []
    while (task := current_desk(project, rater).task) is not None:
        seen.append((task.task_key, task.repeat))
        answer(project, rater)
    assert len(seen) == 8
    assert sorted(n for _key, n in seen) == [0] * 6 + [1] * 2
    assert {n for _key, n in seen[:6]} == {0}


@pytest.mark.parametrize(("repeats", "attention", "overlap"), [(0, 0, 2), (2, 0, 1), (2, 4, 1)])
def test_looking_ahead_names_the_next_task_and_leases_nothing(
    project: Project, repeats: int, attention: int, overlap: int
) -> None:
    settings = replace(PLAIN, attention_every=3 if attention else 0, repeat_gap=2)
    open_study(project, size=8, overlap=overlap, repeats=repeats, attention=attention, settings=settings)
    rater = seat(project)
    guess: int | None = None
    seen = 0
    while (task := current_desk(project, rater).task) is not None:
        assert guess in (None, task.task_key)
        with project.read() as connection:
            found = rater_by_key(connection, rater)
            rule = assignment_rule(study_by_key(connection, found.study_key))
            guess = look_ahead(connection, rule, found, project.clock())
        assert len(rows(project, "SELECT 1 FROM lease")) == 1
        answer(project, rater)
        seen += 1
    assert guess is None or repeats
    assert seen >= 8 + repeats


def test_swapped_repeats_turn_the_sides(project: Project) -> None:
    open_study(project, StudyKind.PREFERENCE, size=4, repeats=4)
    rater = seat(project)
    first: dict[int, str] = {}
    while (task := current_desk(project, rater).task) is not None:
        if task.repeat:
            assert {first[task.task_key], task.shown_first} == {"a", "b"}
        first[task.task_key] = task.shown_first
        answer(project, rater, "a")
    assert len(first) == 4


def test_events_cannot_be_changed_or_deleted(project: Project) -> None:
    open_study(project)
    answer(project, seat(project))
    for sql in ("UPDATE rating_event SET value = '0'", "DELETE FROM rating_event"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"), project.write() as connection:
            connection.execute(sql)


def test_a_clock_that_jumps_back_loses_nothing(project: Project, clock: Clock) -> None:
    open_study(project, size=2, overlap=1)
    rater = seat(project)
    current_desk(project, rater)
    clock.now -= 86_400
    assert answer(project, rater).outcome == "stored"
    assert rows(project, "SELECT seconds FROM rating_event")[0][0] == 0.0


def test_an_idle_connection_neither_blocks_nor_pins_the_past(project: Project) -> None:
    idle = hold_open(project)
    open_study(project)
    answer(project, seat(project))
    assert idle.execute("SELECT count(*) FROM rating").fetchone()[0] == 1
    idle.close()


def test_tokens_are_stored_hashed(project: Project) -> None:
    open_study(project)
    seat(project)
    hashes = [r[0] for r in rows(project, "SELECT token_hash FROM rater UNION ALL SELECT token_hash FROM invite")]
    assert all(len(text) == 64 for text in hashes)
    dump = project.database.read_bytes()
    assert b"join=" not in dump
