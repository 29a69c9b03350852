"""Handing out tasks. At most `overlap` raters hold or have answered a task; a lease that expires frees its slot.

Every function that writes must run inside `BEGIN IMMEDIATE` (`Project.write`): two raters who arrive at once are then
served one after the other.
"""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass

from annotator.store.studies import edit_mark
from annotator.store.study_records import Rater, Shown

_MERSENNE = 2_147_483_647  # prime above any task count: (number * a + b) mod p orders tasks differently for every rater


@dataclass(frozen=True, slots=True)
class AssignmentRule:
    """How one study hands out its tasks. `attention_every` and `limit` 0 mean never and no limit."""

    study_key: int
    overlap: int
    lease_seconds: float = 900.0
    attention_every: int = 0
    repeat_gap: int = 10
    limit: int = 0
    swap_repeats: bool = False


@dataclass(frozen=True, slots=True)
class _Pick:
    task_key: int
    repeat: int
    shown_first: str


def hand_out(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, now: float, *, reopen: bool = False
) -> Shown | None:
    """The task that this rater should do now, under a lease; `None` when there is none for them at the moment.

    What the rater holds comes first (the last shown), then a due attention task, a due repeat, a fresh task (fewest
    answers first, then the rater's own random order), and at the end repeats that were not due yet. `reopen` restarts
    the task's clock: the rater opened the page anew.
    """
    held = _held(connection, rule, rater, now)
    if held is not None:
        connection.execute(
            "UPDATE lease SET until = ?, shown_at = CASE WHEN ? THEN ? ELSE shown_at END "
            "WHERE task_key = ? AND rater_key = ? AND repeat = ?",
            (now + rule.lease_seconds, reopen, now, held.task_key, rater.key, held.repeat),
        )
        return shown_task(connection, rater.key, held.task_key, held.repeat)
    pick = _next_pick(connection, rule, rater, now)
    if pick is None:
        return None
    connection.execute(
        "INSERT INTO lease (task_key, rater_key, repeat, until, shown_at, shown_first) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT DO UPDATE SET until = excluded.until, shown_at = excluded.shown_at",
        (pick.task_key, rater.key, pick.repeat, now + rule.lease_seconds, now, pick.shown_first),
    )
    return shown_task(connection, rater.key, pick.task_key, pick.repeat)


def look_ahead(connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, now: float) -> int | None:
    """The task that `hand_out` would give next if what the rater holds were answered now. A guess: nothing is leased, and
    another rater may take its slot first. `None` when there is none, or when the rater holds nothing."""
    held = _held(connection, rule, rater, now)
    pick = None if held is None else _next_pick(connection, rule, rater, now, besides=held.task_key)
    return None if pick is None else pick.task_key


def renew_lease(
    connection: sqlite3.Connection, rule: AssignmentRule, rater_key: int, task_key: int, now: float
) -> None:
    """Activity on a task: a live lease lasts longer; an expired one is left, its slot may be another's by now."""
    connection.execute(
        "UPDATE lease SET until = max(until, ?) WHERE rater_key = ? AND task_key = ? AND until > ?",
        (now + rule.lease_seconds, rater_key, task_key, now),
    )


def slot_free(connection: sqlite3.Connection, task_key: int, overlap: int, now: float, *, besides: int) -> bool:
    """Whether fewer than `overlap` raters other than `besides` hold a live lease on the task or have answered it."""
    row = connection.execute(
        "SELECT t.taken + (SELECT count(*) FROM lease l WHERE l.task_key = t.task_key AND l.repeat = 0 AND l.until > ? "
        "AND l.rater_key <> ?) FROM task t WHERE t.task_key = ?",
        (now, besides, task_key),
    ).fetchone()
    return bool(row is not None and row[0] < overlap)


def shown_task(connection: sqlite3.Connection, rater_key: int, task_key: int, repeat: int) -> Shown | None:
    """A task that this rater holds or has answered, with their own answer; `None` when it was never theirs."""
    row = connection.execute(
        "SELECT t.task_key, t.number, t.language, t.gold, t.predicted, t.predicted_b, t.op, t.gold_index, t.predicted_index, "
        "t.gold_edit, t.predicted_edit, l.shown_first AS lease_first, l.shown_at, r.value, r.cannot, r.event_key, "
        "e.event, e.rationale, e.shown_first AS event_first, e.at "
        "FROM task t LEFT JOIN lease l ON l.task_key = t.task_key AND l.rater_key = :r AND l.repeat = :n "
        "LEFT JOIN rating r ON r.task_key = t.task_key AND r.rater_key = :r AND r.repeat = :n "
        "LEFT JOIN rating_event e ON e.event_key = r.event_key WHERE t.task_key = :t",
        {"r": rater_key, "t": task_key, "n": repeat},
    ).fetchone()
    if row is None or (row["shown_at"] is None and row["event_key"] is None):
        return None
    return Shown(
        task_key=row["task_key"],
        number=row["number"],
        repeat=repeat,
        language=row["language"],
        gold=row["gold"],
        predicted=row["predicted"],
        predicted_b=row["predicted_b"],
        edit=edit_mark(row),
        shown_first=row["event_first"] or row["lease_first"] or "",
        shown_at=row["shown_at"] if row["shown_at"] is not None else row["at"],
        value=row["value"],
        cannot=row["cannot"] or "",
        rationale=row["rationale"] or "",
        event=row["event"] or "",
    )


def _held(connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, now: float) -> _Pick | None:
    rows = connection.execute(
        "SELECT l.task_key, l.repeat, l.until, t.attention FROM lease l JOIN task t USING (task_key) "
        "WHERE l.rater_key = ? ORDER BY l.shown_at DESC LIMIT 20",
        (rater.key,),
    ).fetchall()
    for row in rows:
        if row["until"] > now or row["repeat"] or row["attention"]:
            return _Pick(row["task_key"], row["repeat"], "")
    for row in rows:
        if slot_free(connection, row["task_key"], rule.overlap, now, besides=rater.key):
            return _Pick(row["task_key"], row["repeat"], "")
    return None


def _next_pick(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, now: float, *, besides: int = -1
) -> _Pick | None:
    """The next task; `besides` is one that the rater holds and that counts as answered."""
    count, last = connection.execute(
        "SELECT count(*), coalesce(max(position), 0) FROM rating WHERE rater_key = ?", (rater.key,)
    ).fetchone()
    ahead = int(besides >= 0)
    count, last = count + ahead, last + ahead
    if rule.limit and count >= rule.limit:
        return None
    if rule.attention_every and count % rule.attention_every == rule.attention_every - 1:
        attention = _attention(connection, rule, rater, besides)
        if attention is not None:
            return attention
    due = _repeat(connection, rule, rater, besides, before=last - rule.repeat_gap)
    return (
        due or _fresh(connection, rule, rater, now, besides) or _repeat(connection, rule, rater, besides, before=last)
    )


def _fresh(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, now: float, besides: int
) -> _Pick | None:
    rng = random.Random(rater.seed)
    a, b = rng.randrange(1 << 20, _MERSENNE), rng.randrange(_MERSENNE)
    for taken in range(rule.overlap):  # one level of `taken` at a time: each is one range of the index
        # The two inner selects do not depend on the row: SQLite runs each once, and 10,000 tasks take a few milliseconds.
        row = connection.execute(
            "SELECT t.task_key, t.number FROM task t WHERE t.study_key = :s AND t.attention = 0 AND t.taken = :taken "
            "AND t.task_key <> :besides AND t.task_key NOT IN (SELECT task_key FROM rating WHERE rater_key = :r AND repeat = 0) "
            "AND t.task_key NOT IN (SELECT task_key FROM lease WHERE until > :now AND repeat = 0 AND rater_key <> :r "
            "GROUP BY task_key HAVING count(*) >= :k - :taken) ORDER BY (t.number * :a + :b) % :p LIMIT 1",
            {"s": rule.study_key, "r": rater.key, "now": now, "k": rule.overlap, "taken": taken, "a": a, "b": b}
            | {"p": _MERSENNE, "besides": besides},
        ).fetchone()
        if row is not None:
            return _Pick(row["task_key"], 0, first_side(rater.seed, row["number"]))
    return None


def _attention(connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, besides: int) -> _Pick | None:
    row = connection.execute(
        "SELECT t.task_key, t.number FROM task t WHERE t.study_key = ? AND t.attention = 1 AND t.task_key <> ? AND NOT EXISTS "
        "(SELECT 1 FROM rating r WHERE r.study_key = t.study_key AND r.task_key = t.task_key AND r.rater_key = ?) "
        "ORDER BY (t.number * ?) % ? LIMIT 1",
        (rule.study_key, besides, rater.key, rater.seed % _MERSENNE + 1, _MERSENNE),
    ).fetchone()
    return None if row is None else _Pick(row["task_key"], 0, first_side(rater.seed, row["number"]))


def _repeat(
    connection: sqlite3.Connection, rule: AssignmentRule, rater: Rater, besides: int, *, before: int
) -> _Pick | None:
    if before < 1:
        return None
    row = connection.execute(
        "SELECT r.task_key, e.shown_first FROM rating r JOIN task t USING (task_key) JOIN rating_event e USING (event_key) "
        "WHERE r.rater_key = ? AND r.repeat = 0 AND r.value IS NOT NULL AND t.repeats = 1 AND r.position <= ? "
        "AND r.task_key <> ? "
        "AND NOT EXISTS (SELECT 1 FROM rating s WHERE s.study_key = r.study_key AND s.task_key = r.task_key "
        "AND s.rater_key = r.rater_key AND s.repeat = 1) ORDER BY r.position LIMIT 1",
        (rater.key, before, besides),
    ).fetchone()
    if row is None:
        return None
    first = row["shown_first"]
    swapped = {"a": "b", "b": "a"}.get(first, first) if rule.swap_repeats else first
    return _Pick(row["task_key"], 1, swapped)


def first_side(seed: int, number: int) -> str:
    """Which stored output of a pair this rater sees first: a fair coin, the same each time it is asked."""
    return random.Random(f"{seed}:{number}").choice("ab")
