"""Raters and their links. Tokens are stored as SHA-256 only: the link itself is shown once and cannot be read back."""

from __future__ import annotations

import hashlib
import sqlite3

from annotator.errors import AccessDeniedError, UsageError
from annotator.store.study_records import Rater

_RATER = (
    "SELECT rater_key, study_key, number, label, kind, stage, locale, seed, check_tries, hotkeys, created_at, withdrawn_at "
    "FROM rater"
)
LABEL_LENGTH = 40


def token_hash(token: str) -> str:
    """What is stored of a token. Tokens have 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def insert_invite(connection: sqlite3.Connection, study_key: int, token: str, *, one_time: bool, at: float) -> None:
    """Store a study link."""
    connection.execute(
        "INSERT INTO invite (study_key, token_hash, one_time, created_at) VALUES (?,?,?,?)",
        (study_key, token_hash(token), int(one_time), at),
    )


def use_invite(connection: sqlite3.Connection, token: str) -> int:
    """Spend a study link and return its study's key. Raises `AccessDeniedError` when it is unknown, revoked or used up."""
    row = connection.execute(
        "SELECT invite_key, study_key, one_time, used, revoked_at FROM invite WHERE token_hash = ?",
        (token_hash(token),),
    ).fetchone()
    if row is None or row["revoked_at"] is not None:
        raise AccessDeniedError("this study link is not valid. Check that it was copied whole, or ask for a new one.")
    if row["one_time"] and row["used"]:
        raise AccessDeniedError(
            "this study link was for one person and has been used. Open your personal link instead."
        )
    connection.execute("UPDATE invite SET used = used + 1 WHERE invite_key = ?", (row["invite_key"],))
    return int(row["study_key"])


def revoke_invites(connection: sqlite3.Connection, study_key: int, at: float) -> int:
    """Make every study link of the study invalid; personal links stay. Returns how many."""
    cursor = connection.execute(
        "UPDATE invite SET revoked_at = ? WHERE study_key = ? AND revoked_at IS NULL", (at, study_key)
    )
    return cursor.rowcount


def insert_rater(
    connection: sqlite3.Connection,
    study_key: int,
    token: str,
    *,
    seed: int,
    at: float,
    kind: str = "person",
    label: str = "",
) -> Rater:
    """Make a rater with the next free pseudonym (`rater-03`), or with `label` where the caller has one."""
    number = connection.execute(
        "SELECT coalesce(max(number), 0) + 1 FROM rater WHERE study_key = ?", (study_key,)
    ).fetchone()[0]
    taken = {r[0] for r in connection.execute("SELECT label FROM rater WHERE study_key = ?", (study_key,))}
    name = label or next(n for i in range(number, number + len(taken) + 1) if (n := f"rater-{i:02d}") not in taken)
    cursor = connection.execute(
        "INSERT INTO rater (study_key, number, label, kind, token_hash, seed, created_at) VALUES (?,?,?,?,?,?,?)",
        (study_key, number, name, kind, token_hash(token), seed, at),
    )
    return rater_by_key(connection, int(cursor.lastrowid or 0))


def rater_by_token(connection: sqlite3.Connection, token: str) -> Rater:
    """The rater of a personal link. Raises `AccessDeniedError` when there is none."""
    row = connection.execute(f"{_RATER} WHERE token_hash = ?", (token_hash(token),)).fetchone()
    if row is None:
        raise AccessDeniedError(
            "this personal link is not valid. Check that it was copied whole, or ask for a new one."
        )
    return _rater(row)


def rater_by_key(connection: sqlite3.Connection, key: int) -> Rater:
    """The rater with that key, which the caller has from another row."""
    return _rater(connection.execute(f"{_RATER} WHERE rater_key = ?", (key,)).fetchone())


def study_raters(connection: sqlite3.Connection, study_key: int) -> tuple[Rater, ...]:
    """The study's raters, in the order in which they came."""
    rows = connection.execute(f"{_RATER} WHERE study_key = ? ORDER BY number", (study_key,))
    return tuple(_rater(row) for row in rows)


def find_rater(connection: sqlite3.Connection, study_key: int, label: str) -> Rater:
    """The rater with that pseudonym. Raises `UsageError` naming the ones that are there."""
    row = connection.execute(f"{_RATER} WHERE study_key = ? AND label = ?", (study_key, label)).fetchone()
    if row is None:
        there = ", ".join(r.label for r in study_raters(connection, study_key)) or "nobody yet"
        raise UsageError(f"no rater {label!r} in this study; expected one of: {there}")
    return _rater(row)


def rename_rater(connection: sqlite3.Connection, rater: Rater, label: str) -> None:
    """Change a pseudonym. Raises `UsageError` when it is empty, long, or another rater's."""
    wanted = " ".join(label.split())
    if not wanted or len(wanted) > LABEL_LENGTH or not wanted.isprintable():
        raise UsageError(f"a pseudonym needs 1 to {LABEL_LENGTH} printable characters; found {len(wanted)}")
    clash = connection.execute(
        "SELECT 1 FROM rater WHERE study_key = ? AND label = ? AND rater_key <> ?", (rater.study_key, wanted, rater.key)
    ).fetchone()
    if clash:
        raise UsageError(f"another rater of this study is called {wanted!r} already; choose another name")
    connection.execute("UPDATE rater SET label = ? WHERE rater_key = ?", (wanted, rater.key))


def set_stage(connection: sqlite3.Connection, rater_key: int, stage: str, at: float) -> None:
    """Move a rater along: new, guidelines, check, rating, refused. The first move past `new` is the consent."""
    connection.execute(
        "UPDATE rater SET stage = ?, seen_at = ?, consented_at = coalesce(consented_at, ?) WHERE rater_key = ?",
        (stage, at, at, rater_key),
    )


def add_check_try(connection: sqlite3.Connection, rater_key: int) -> None:
    """Count one more try at the check."""
    connection.execute("UPDATE rater SET check_tries = check_tries + 1 WHERE rater_key = ?", (rater_key,))


def set_preferences(connection: sqlite3.Connection, rater_key: int, *, locale: str, hotkeys: bool) -> None:
    """Remember a rater's language of guidelines and whether single keys answer."""
    connection.execute(
        "UPDATE rater SET locale = ?, hotkeys = ? WHERE rater_key = ?", (locale, int(hotkeys), rater_key)
    )


def withdraw_rater(connection: sqlite3.Connection, rater: Rater, at: float) -> int:
    """Exclude a rater: answers are kept, their slots and leases are freed. Returns the answers excluded."""
    if rater.withdrawn_at is not None:
        return 0
    connection.execute("UPDATE rater SET withdrawn_at = ? WHERE rater_key = ?", (at, rater.key))
    connection.execute("UPDATE lease SET until = 0 WHERE rater_key = ?", (rater.key,))
    return _shift_slots(connection, rater.key, -1)


def restore_rater(connection: sqlite3.Connection, rater: Rater) -> int:
    """Take a rater back: their answers count again, above the overlap where slots were refilled. Returns the answers."""
    if rater.withdrawn_at is None:
        return 0
    connection.execute("UPDATE rater SET withdrawn_at = NULL WHERE rater_key = ?", (rater.key,))
    return _shift_slots(connection, rater.key, +1)


def _shift_slots(connection: sqlite3.Connection, rater_key: int, by: int) -> int:
    cursor = connection.execute(
        "UPDATE task SET taken = taken + ? WHERE attention = 0 AND task_key IN "
        "(SELECT task_key FROM rating WHERE rater_key = ? AND repeat = 0 AND value IS NOT NULL)",
        (by, rater_key),
    )
    return cursor.rowcount


def _rater(row: sqlite3.Row) -> Rater:
    return Rater(
        key=row["rater_key"],
        study_key=row["study_key"],
        number=row["number"],
        label=row["label"],
        kind=row["kind"],
        stage=row["stage"],
        locale=row["locale"],
        seed=row["seed"],
        check_tries=row["check_tries"],
        hotkeys=bool(row["hotkeys"]),
        created_at=row["created_at"],
        withdrawn_at=row["withdrawn_at"],
    )
