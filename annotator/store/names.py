"""The names that a project holds: what a filter can offer."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """Names in order of import (systems, conditions) or of the alphabet, and the size of the project.

    `oracle` are the conditions marked so. `images` counts items that name an image, `with_gold` those whose gold is there (an empty one too).
    """

    revision: int
    items: int
    with_gold: int
    with_standard: int
    images: int
    predictions: int
    systems: tuple[str, ...]
    conditions: tuple[str, ...]
    runs: tuple[tuple[str, str], ...]
    benchmarks: tuple[str, ...]
    languages: tuple[str, ...]
    oracle: tuple[str, ...] = ()


def read_names(connection: sqlite3.Connection, revision: int) -> ProjectNames:
    """Read every name and count; an empty project gives empty tuples and zeros."""
    counts = connection.execute(
        "SELECT count(*), count(gold), sum(standard != ''), sum(image != '') FROM item"
    ).fetchone()
    runs = [
        (str(system), str(condition))
        for system, condition in connection.execute(
            "SELECT name, condition FROM run JOIN system USING (system_key) ORDER BY system_key, run_key"
        )
    ]
    predictions = connection.execute("SELECT count(*) FROM prediction").fetchone()[0]
    return ProjectNames(
        revision=revision,
        items=int(counts[0]),
        with_gold=int(counts[1]),
        with_standard=int(counts[2] or 0),
        images=int(counts[3] or 0),
        predictions=int(predictions),
        systems=tuple(dict.fromkeys(system for system, _ in runs)),
        conditions=tuple(dict.fromkeys(condition for _, condition in runs)),
        runs=tuple(runs),
        benchmarks=_distinct(connection, "benchmark"),
        languages=_distinct(connection, "language"),
        oracle=_oracle(connection),
    )


def has_gold(connection: sqlite3.Connection) -> bool:
    """Whether some item has a gold that is more than white space."""
    return any(str(gold).strip() for (gold,) in connection.execute("SELECT gold FROM item WHERE gold != ''"))


def _distinct(connection: sqlite3.Connection, column: str) -> tuple[str, ...]:
    rows = connection.execute(f"SELECT DISTINCT {column} FROM item WHERE {column} != '' ORDER BY {column}")
    return tuple(str(row[0]) for row in rows)


def _oracle(connection: sqlite3.Connection) -> tuple[str, ...]:
    rows = connection.execute("SELECT DISTINCT condition FROM run WHERE role = 'oracle' ORDER BY condition")
    return tuple(str(row[0]) for row in rows)
