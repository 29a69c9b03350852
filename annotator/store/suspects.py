"""Reviews of suspect golds."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SuspectReview:
    """One reviewer's verdict on an item's gold. `binding` when it set the item's mark, else it is a proposal."""

    item_key: int
    reviewer: str
    verdict: str
    binding: bool
    at: float


def write_review(connection: sqlite3.Connection, review: SuspectReview) -> None:
    """Keep a verdict in place of the reviewer's earlier one on the item."""
    connection.execute(
        "INSERT OR REPLACE INTO suspect_review (item_key, reviewer, verdict, binding, at) VALUES (?, ?, ?, ?, ?)",
        (review.item_key, review.reviewer, review.verdict, review.binding, review.at),
    )


def read_reviews(connection: sqlite3.Connection) -> dict[int, tuple[SuspectReview, ...]]:
    """Every verdict by item, oldest first."""
    found: dict[int, list[SuspectReview]] = {}
    rows = connection.execute(
        "SELECT item_key, reviewer, verdict, binding, at FROM suspect_review ORDER BY at, reviewer"
    )
    for key, reviewer, verdict, binding, at in rows:
        found.setdefault(int(key), []).append(SuspectReview(int(key), reviewer, verdict, bool(binding), float(at)))
    return {key: tuple(reviews) for key, reviews in found.items()}


def reviews_state(connection: sqlite3.Connection) -> tuple[int, float]:
    """How many verdicts there are and when the last was given: a proposal changes no revision of the project."""
    count, last = connection.execute("SELECT count(*), coalesce(max(at), 0) FROM suspect_review").fetchone()
    return int(count), float(last)
