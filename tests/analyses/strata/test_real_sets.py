"""The report on the real scene words, through the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.strata import StrataReport, cell_items, report_strata
from annotator.ingest.items import import_items
from annotator.ingest.predictions import import_predictions
from annotator.metrics.strata.grid import CORNER
from annotator.records import Query
from annotator.store.project import Project, open_project

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def project(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = open_project(tmp_path_factory.mktemp("str"), create=True)
    import_items(project, shared_data / "str" / "items.tsv")
    for path in sorted((shared_data / "str").glob("predictions_*.jsonl")):
        import_predictions(project, path)
    return project


@pytest.fixture(scope="module")
def report(project: Project) -> StrataReport:
    return report_strata(project, Query(resamples=1_000))


def test_every_systems_corner_lies_below_its_centre_and_the_interval_says_so(report: StrataReport) -> None:
    assert report.placing.kept == 5798
    assert dict(report.placing.dropped_by_benchmark) == {
        "iiit5k": 583,
        "ic15": 182,
        "cute80": 53,
        "svtp": 22,
        "svt": 19,
    }
    assert len(report.systems) == 4
    for system in report.systems:
        assert (system.gap.n_corner, system.gap.n_centre) == (615, 294)
        assert system.gap.high is not None
        assert system.gap.high < 0
        assert system.gap_stratified.high is not None
        assert system.gap_stratified.high < 0
        assert system.interaction.marginal_ngram.why == "nothing measured in cell 1-5"


@pytest.mark.parametrize(
    ("system", "aggregate", "gap", "stratified"),
    [
        ("ppocrv6_small", 89.29, -10.71, -9.84),
        ("ppocrv4_ch", 81.84, -9.11, -8.06),
        ("easyocr_crnn", 57.01, -9.34, -8.29),
        ("tesseract_dict", 59.83, -21.23, -20.14),
    ],
)
def test_the_gap_table(report: StrataReport, system: str, aggregate: float, gap: float, stratified: float) -> None:
    (row,) = (row for row in report.systems if row.system == system)
    found = (row.aggregate.value, row.gap.value, row.gap_stratified.value)
    assert tuple(round(100 * value, 2) for value in found if value is not None) == (aggregate, gap, stratified)


def test_the_failures_of_the_corner(project: Project) -> None:
    page = cell_items(project, Query(resamples=1_000), "ppocrv6_small", "default", CORNER)
    assert (page.total, page.n, page.kept) == (114, 615, 5798)
