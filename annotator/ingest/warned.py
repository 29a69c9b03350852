"""Rows worth a warning, gathered by kind while a file is checked."""

from __future__ import annotations

from annotator.errors import Problem
from annotator.ingest.report import SHOWN, Warned


class WarningLog:
    """Counts warnings by kind and keeps the first of each. The words may use `{count}`, `{s}` (plural), `{rows}`."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._first: dict[str, list[Problem]] = {}
        self._words: dict[str, str] = {}
        self._rows: dict[str, list[int]] = {}

    def add(self, kind: str, words: str, problem: Problem, row: int = 0) -> None:
        """One more row of `kind`. `words` says what this means; those of the first row stand. `row` is its number."""
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count == 1:
            self._words[kind] = words
            self._first[kind], self._rows[kind] = [], []
        if count <= SHOWN:
            self._rows[kind].append(row)
            self._first[kind].append(problem)

    def warnings(self) -> tuple[Warned, ...]:
        """Every kind in the order in which it first came up."""
        return tuple(
            Warned(
                kind,
                count,
                self._words[kind].format(count=f"{count:,}", s="" if count == 1 else "s", rows=self._named(kind)),
                tuple(self._first[kind]),
            )
            for kind, count in self._counts.items()
        )

    def _named(self, kind: str) -> str:
        rows, more = self._rows[kind], self._counts[kind] > SHOWN
        return ("row " if len(rows) == 1 else "rows ") + ", ".join(map(str, rows)) + (" ..." if more else "")
