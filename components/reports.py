"""Reports remembered in the app: keyed by project, revision and query, so that an unchanged page is drawn from memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from annotator.analyses.overview import Overview, report_overview
from annotator.analyses.references import list_references, wordfreq_languages
from annotator.analyses.strata.report import StrataReport, report_strata
from annotator.records import Query
from annotator.store.project import Project
from components.state import Key

REPORTS_KEPT = 32


def all_systems(query: Query) -> Query:
    """The same question about every system and condition."""
    return replace(query, systems=(), conditions=())


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Placing labels on the grid and resampling …")
def _strata(folder: str, revision: int, query: Query, _project: Project) -> StrataReport:
    return report_strata(_project, query)


def strata(project: Project, query: Query) -> StrataReport:
    """The stratified diagnostic of every system; the system that a page shows does not change it."""
    return _strata(str(project.folder), project.revision(), all_systems(query), project)


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Scoring and resampling …")
def _overview(folder: str, revision: int, query: Query, _project: Project) -> Overview:
    return report_overview(_project, query)


def overview(project: Project, query: Query) -> Overview:
    """Every system side by side."""
    return _overview(str(project.folder), project.revision(), replace(query, systems=()), project)


def strata_choices(project: Project) -> Mapping[Key, tuple[str, Sequence[str], str]]:
    """The reference corpora that a grid can be placed against."""
    own = [reference.name for reference in list_references(project)]
    return {Key.REFERENCE: ("Reference corpus", [*own, *_wordfreq()], "wordfreq, the items' language")}


@st.cache_resource(show_spinner=False)
def _wordfreq() -> tuple[str, ...]:
    return tuple(f"wordfreq-{language}" for language in wordfreq_languages())


def strata_facts(report: StrataReport) -> dict[str, object]:
    """What the numbers of the strata page rest on."""
    placing = report.placing
    return {
        "reference": placing.reference,
        "language": placing.language,
        "axes": placing.axes,
        "metric": report.metric,
        "kept": f"{placing.kept:,}",
        "gold marked wrong": report.gold_wrong,
        "seed": report.seed,
        "resamples": f"{report.resamples:,}",
        "revision": report.project_revision,
        "alignment": report.alignment_version,
    }
