"""Calibration of runs: what is given for a probability, what for an engine score, and the errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.analyses.confidence.answersure import say_confidence_kind
from annotator.analyses.confidence.calibration import report_calibration
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from tests.analyses.strata.builders import give_confidence
from tests.builders import build_project

QUERY = Query(resamples=200)


def project_of(folder: Path, sure: list[Any], wrong: set[int]) -> Project:
    """Items 0, 1 ... with gold `word`, answered right or (in `wrong`) with `wird`, each with its confidence."""
    items = [{"id": str(k), "gold": "word"} for k in range(len(sure))]
    answers = {str(k): "wird" if k in wrong else "word" for k in range(len(sure))}
    project = build_project(folder / "p", items, {"one": answers})
    give_confidence(project, "one", {str(k): value for k, value in enumerate(sure) if value is not None})
    return project


def test_a_probability_is_judged_as_one(tmp_path: Path) -> None:
    project = project_of(tmp_path, [0.9] * 8 + [0.3] * 2 + [None], {0, 1, 8})
    say_confidence_kind(project, "one", "softmax")
    (row,) = report_calibration(project, QUERY).rows
    assert (row.kind, row.n, row.without, row.n_correct, row.n_wrong) == ("softmax", 10, 1, 7, 3)
    assert row.accuracy == 0.7
    assert row.ece == pytest.approx((8 * abs(6 / 8 - 0.9) + 2 * abs(1 / 2 - 0.3)) / 10)
    assert row.mean_wrong == pytest.approx((0.9 + 0.9 + 0.3) / 3)
    assert row.note == ""
    assert row.ece_fitted is None
    assert "found 7 and 3" in row.why["ece_fitted"]
    assert [(point.n, point.accuracy) for point in row.coverage] == [(8, 0.75), (10, 0.7)]


def test_an_engine_score_gets_a_fit_and_no_error_of_its_own(tmp_path: Path) -> None:
    sure = [0.9 + k / 1000 for k in range(60)]
    project = project_of(tmp_path, sure, set(range(0, 30, 2)))
    say_confidence_kind(project, "one", "engine-score")
    (row,) = report_calibration(project, QUERY).rows
    assert (row.ece, row.ece_low, row.bins) == (None, None, ())
    assert "engine score is no probability" in row.why["ece"]
    assert row.ece_fitted is not None
    assert row.ece_fitted_low is not None
    assert row.auroc is not None
    assert row.auroc > 0.8
    assert sum(one.n for one in row.fitted_bins) == 60
    assert row.fit[0].score >= 0.9
    assert row.coverage[-1].accuracy == 0.75


def test_an_unknown_kind_is_said(tmp_path: Path) -> None:
    (row,) = report_calibration(project_of(tmp_path, [0.9, 0.8], {1}), QUERY).rows
    assert row.kind == "unknown"
    assert row.ece == pytest.approx((abs(1 - 0.9) + abs(0 - 0.8)) / 2)
    assert "unknown" in row.note


def test_errors_come_surest_first(tmp_path: Path) -> None:
    report = report_calibration(project_of(tmp_path, [0.2, 0.95, 0.6, 0.7], {1, 2}), QUERY, limit=5)
    assert [(e.rank, e.item_id, e.predicted, e.confidence, e.right_below) for e in report.errors] == [
        (1, "1", "wird", 0.95, 2),
        (2, "2", "wird", 0.6, 1),
    ]
    assert report_calibration(project_of(tmp_path / "b", [0.2], {0}), QUERY, limit=0).errors == ()


def test_characters_are_combined_as_asked(tmp_path: Path) -> None:
    project = project_of(tmp_path, [[0.5, 0.8, None, 1.0], 0.6], {1})
    for combine, expected in (("mean", 2.3 / 3), ("min", 0.5), ("product", 0.4)):
        (row,) = report_calibration(project, QUERY, combine=combine).rows
        assert row.mean_correct == pytest.approx(expected)
        assert row.mean_wrong == 0.6


def test_without_confidence_everything_says_why(tmp_path: Path) -> None:
    (row,) = report_calibration(project_of(tmp_path, [None, None], {1}), QUERY).rows
    assert (row.n, row.without, row.accuracy, row.ece, row.auroc, row.coverage) == (0, 2, None, None, None, ())
    assert set(row.why) == {"accuracy", "mean", "mean_correct", "mean_wrong", "ece", "ece_fitted", "auroc"}


def test_a_number_beyond_one_is_no_probability(tmp_path: Path) -> None:
    project = build_project(
        tmp_path / "p", [{"id": "a", "gold": "x", "attributes": {"size": "40"}}], {"one": {"a": "x"}}
    )
    (row,) = report_calibration(project, QUERY, field="size").rows
    assert (row.mean, row.ece) == (40.0, None)
    assert "outside 0 to 1" in row.why["ece"]


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    project = project_of(tmp_path, [0.5], set())
    with pytest.raises(UsageError, match="right or wrong"):
        report_calibration(project, QUERY, metric="cer")
    with pytest.raises(UsageError, match="mean, min, product"):
        report_calibration(project, QUERY, combine="median")
    with pytest.raises(UsageError, match="softmax, engine-score, unknown"):
        say_confidence_kind(project, "one", "sure")
    with pytest.raises(UsageError, match="unknown system"):
        say_confidence_kind(project, "two", "softmax")
