"""A figure that stands in several reports is one figure: value and interval alike, at one seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.analyses.attributes import report_attributes
from annotator.analyses.overview import report_overview
from annotator.analyses.scores import report_scores
from annotator.analyses.severity.report import report_severity
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project

QUERY = Query(resamples=400, seed=5)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    rng = np.random.default_rng(3)
    words = ["station", "Garage", "open 9-5", "hôtel", "Market", "exit", "café", "Police"]
    items = [
        {"id": f"i{k}", "gold": f"{words[k % 8]} {k}", "language": "en", "benchmark": "ab"[k % 2]} for k in range(60)
    ]
    answers = {row["id"]: row["gold"].replace("a", str(rng.choice(["a", "o", "A"]))) for row in items}
    return build_project(tmp_path / "p", items, {"one": answers})


def test_the_overview_has_the_figures_of_scores_and_severity(project: Project) -> None:
    (overview,) = report_overview(project, QUERY).rows
    (scores,) = report_scores(project, QUERY).rows
    (severity,) = report_severity(project, QUERY, "rubric").rows
    names = ("cer", "cer_low", "cer_high", "semcer", "semcer_low", "semcer_high")
    assert [getattr(overview, name) for name in names] == [getattr(scores, name) for name in names]
    assert [getattr(severity, name) for name in names] == [getattr(scores, name) for name in names]
    assert scores.cer_low < scores.cer < scores.cer_high
    normalized = ("normalized_cer", "normalized_cer_low", "normalized_cer_high")
    assert [getattr(overview, name) for name in normalized] == [getattr(severity, name) for name in normalized]


def test_attributes_have_the_figures_of_scores_by_group(project: Project) -> None:
    groups = {
        row.group: (row.n, row.cer, row.cer_low, row.cer_high)
        for row in report_scores(project, QUERY, "benchmark").rows
    }
    rows = report_attributes(project, QUERY, "benchmark", metric="cer").rows
    assert {row.values["benchmark"]: (row.n, row.value, row.low, row.high) for row in rows} == groups
