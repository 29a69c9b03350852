"""Reports remembered in the app: keyed by project, revision and query, so that an unchanged page is drawn from memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from annotator.analyses.overview import Overview, report_overview
from annotator.analyses.references import list_references, wordfreq_languages
from annotator.analyses.severity.loading import are_charged
from annotator.analyses.severity.providers import DEFAULT_PROVIDER
from annotator.analyses.strata.marginals import MarginalReport, report_marginals
from annotator.analyses.strata.modes import ModeReport, report_modes
from annotator.analyses.strata.ngrams import NgramReport, report_ngrams
from annotator.analyses.strata.report import StrataReport, report_strata
from annotator.analyses.strata.suspects import SuspectReport, report_suspects
from annotator.metrics.rates import Metric
from annotator.records import Cell, Query
from annotator.store.project import Project
from components.state import Key

REPORTS_KEPT = 32


def all_systems(query: Query) -> Query:
    """The same question about every system and condition."""
    return replace(query, systems=(), conditions=())


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Placing labels on the grid and resampling …")
def _strata(folder: str, revision: int, query: Query, metric: str, _project: Project) -> StrataReport:
    return report_strata(_project, query, metric)


def strata(project: Project, query: Query, metric: str) -> StrataReport:
    """The stratified diagnostic of every system; the system that a page shows does not change it."""
    # The default metric has the empty name, so that the overview and this page share one stored report.
    asked = "" if metric == Metric.STR_ACCURACY else metric
    return _strata(str(project.folder), project.revision(), all_systems(query), asked, project)


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Reading the grid …")
def _read_out(
    name: str, folder: str, revision: int, query: Query, asked: tuple[str, ...], cell: Cell | None, _project: Project
) -> Any:
    if name == "marginals":
        return report_marginals(_project, query, asked[0])
    if name == "modes":
        return report_modes(_project, query, cell)
    if name == "suspects":
        return report_suspects(_project, query, int(asked[0]))
    assert cell is not None, name
    return report_ngrams(_project, query, asked[0], asked[1], cell)


def _remembered(name: str, project: Project, query: Query, *asked: str, cell: Cell | None = None) -> Any:
    return _read_out(name, str(project.folder), project.revision(), query, asked, cell, project)


def marginals(project: Project, query: Query, metric: str) -> MarginalReport:
    """The marginal curves of every system."""
    report: MarginalReport = _remembered("marginals", project, all_systems(query), metric)
    return report


def modes(project: Project, query: Query, cell: Cell | None) -> ModeReport:
    """The error modes of the query's system in a cell, or in the whole grid."""
    report: ModeReport = _remembered("modes", project, query, cell=cell)
    return report


def ngrams(project: Project, query: Query, first: str, second: str, cell: Cell) -> NgramReport:
    """The failures of two runs per n-gram of a cell."""
    report: NgramReport = _remembered("ngrams", project, query, first, second, cell=cell)
    return report


def suspects(project: Project, query: Query, agree: int = 0) -> SuspectReport:
    """Items on which at least `agree` systems (0: more than half) agree against gold."""
    report: SuspectReport = _remembered("suspects", project, query, str(agree))
    return report


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Scoring and resampling …")
def _overview(folder: str, revision: int, query: Query, provider: str, _project: Project) -> Overview:
    return report_overview(_project, query, provider)


def overview(project: Project, query: Query, provider: str = DEFAULT_PROVIDER) -> Overview:
    """Every system side by side; without a provider before any edit is charged."""
    return _overview(str(project.folder), project.revision(), replace(query, systems=()), provider, project)


def is_charged(project: Project, query: Query) -> bool:
    """Whether the edits behind semCER are charged, so that the overview needs no wait for them."""
    return are_charged(project, replace(query, systems=()), DEFAULT_PROVIDER)


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
