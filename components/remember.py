"""Any report, remembered in the app: keyed by its name, the project, its revision and what was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from annotator.analyses.sampling import resampling_note
from annotator.records import Query
from annotator.store.project import Project

REPORTS_KEPT = 64
Report = TypeVar("Report")


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Comparing and resampling …")
def _kept(name: str, folder: str, revision: int, asked: tuple[Any, ...], _build: Callable[[], Any]) -> Any:
    return _build()


def kept(project: Project, name: str, asked: tuple[Any, ...], build: Callable[[], Report]) -> Report:
    """The report that `build` makes, from memory when the project and what was asked are the same."""
    report: Report = _kept(name, str(project.folder), project.revision(), asked, build)
    return report


def resampling(project: Project, query: Query) -> str:
    """That items were resampled where documents are too few, for the line under the figures; else ""."""
    return kept(project, "resampling", (query,), lambda: resampling_note(project, query))


@st.cache_resource(max_entries=2, show_spinner="Ordering the edits …")
def _settled(name: str, folder: str, asked: tuple[Any, ...], _build: Callable[[], Any]) -> Any:
    return _build()


def settled(project: Project, name: str, asked: tuple[Any, ...], build: Callable[[], Report]) -> Report:
    """What `build` makes, from memory while `asked` is the same, whatever else is written to the project. It may be large:
    the last two are kept."""
    report: Report = _settled(name, str(project.folder), asked, build)
    return report
