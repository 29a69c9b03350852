"""What an import did or would do, in the words of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotator.errors import Problem
from annotator.ingest.report import ImportReport
from annotator.text.visible import escape_controls
from components.notes import error_in_words
from components.numbers import Kind as Number
from components.state import Session
from components.tables import Column, show_table

_PROBLEM_COLUMNS = (
    Column("line", "Line", Number.COUNT),
    Column("column", "Column"),
    Column("found", "Found", Number.READ),
    Column("expected", "Expected"),
)


@dataclass(frozen=True, slots=True)
class Counted:
    """What an import did that reports counts only."""

    counts: Mapping[str, Any]

    def lines(self) -> list[str]:
        """A line each, as the command prints them."""
        return [f"{name}: {value}" for name, value in self.counts.items() if name != "problems"]


def show_report(report: ImportReport, key: str) -> None:
    """A report in the words of the command line, its named rows as a table."""
    st.code("\n".join(escape_controls(line) for line in report.lines(rows=False)), language=None, wrap_lines=True)
    show_problems(report.problems, "Rows worth a look", key)


def show_problems(problems: Sequence[Problem], caption: str, key: str) -> None:
    """Problems by line and column."""
    rows = [{"line": p.line, "column": p.column or "", "found": p.found, "expected": p.expected} for p in problems]
    if rows:
        show_table(_PROBLEM_COLUMNS, rows, key=f"problems-{key}", caption=caption)


def show_last_report() -> None:
    """The report of the import that has just been made."""
    done = st.session_state.pop(Session.IMPORTED, None)
    if done is None:
        return
    if isinstance(done, ImportReport | Counted):
        st.success("Imported.", icon=":material/check:")
    if isinstance(done, ImportReport):
        show_report(done, "done")
    elif isinstance(done, Counted):
        st.code("\n".join(escape_controls(line) for line in done.lines()), language=None, wrap_lines=True)
    else:
        error_in_words(done)
