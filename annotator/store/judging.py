"""Stored answers of severity judges, by what was asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.store.severities import Probabilities


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One answer. `levels` is `None` when the judge stayed undecided."""

    question: bytes
    prompt: str
    model: str
    temperature: float
    levels: Probabilities | None
    from_logprobs: bool
    tries: int
    said: str


def read_answers(connection: sqlite3.Connection, questions: Sequence[bytes]) -> dict[bytes, Probabilities | None]:
    """The answers there are to questions: levels, or `None` for undecided; questions not asked yet are missing."""
    found: dict[bytes, Probabilities | None] = {}
    for start in range(0, len(questions), 500):
        part = questions[start : start + 500]
        marks = ", ".join("?" * len(part))
        for row in connection.execute(
            f"SELECT question, p0, p1, p2, p3, p4 FROM judge_answer WHERE question IN ({marks})", part
        ):
            key, p0, p1, p2, p3, p4 = tuple(row)
            found[bytes(key)] = None if p0 is None else (p0, p1, p2, p3, p4)
    return found


def write_answers(connection: sqlite3.Connection, answers: Iterable[StoredAnswer], at: float) -> None:
    """Store answers; one to the same question is replaced."""
    connection.executemany(
        "INSERT OR REPLACE INTO judge_answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                a.question,
                a.prompt,
                a.model,
                a.temperature,
                *(a.levels or (None,) * 5),
                a.from_logprobs,
                a.tries,
                a.said,
                at,
            )
            for a in answers
        ),
    )
