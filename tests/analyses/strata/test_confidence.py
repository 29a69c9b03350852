"""Confidence per cell, router and probe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.analyses.strata.confidence import report_confidence
from annotator.analyses.strata.probe import read_activations, report_probe
from annotator.analyses.strata.router import report_router
from annotator.errors import FileError, UsageError
from annotator.store.project import Project
from tests.analyses.strata.builders import QUERY, give_confidence, grid_items, grid_project, right_but


@pytest.fixture
def items() -> list[dict[str, Any]]:
    return grid_items(copies=4)


def test_confidence_is_split_by_right_and_wrong(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    answers = right_but(items, {"5-5-0": "x", "5-5-1": "x", "3-3-0": "x"})
    project = grid_project(tmp_path, items, {"one": answers})
    given = {"5-5-0": [0.9, None, 0.7], "5-5-1": 1.0, "5-5-2": 0.5, "3-3-0": 0.25, "3-3-1": [0.75]}
    give_confidence(project, "one", given)
    report = report_confidence(project, QUERY)
    rows = {row.cell: row for row in report.rows}
    corner = rows["5-5"]
    assert (corner.n, corner.given, corner.accuracy, corner.n_wrong) == (4, 3, 0.5, 2)
    assert corner.mean == pytest.approx((0.8 + 1.0 + 0.5) / 3)
    assert corner.mean_correct == 0.5
    assert corner.mean_wrong == pytest.approx(0.9)
    assert (corner.n_correct, corner.mean_correct_low, corner.mean_correct_high) == (1, 0.5, 0.5)
    assert corner.mean_low is not None
    assert corner.mean_high is not None
    assert 0.5 <= corner.mean_low < corner.mean < corner.mean_high <= 1.0
    nothing = "no answer carries a confidence"
    assert rows["1-1"].why == {"mean": nothing, "mean_correct": nothing, "mean_wrong": nothing}
    assert rows["3-3"].why == {}
    assert rows["all"].n == 100
    (gap,) = report.wrong_gaps
    assert gap.gap == pytest.approx(0.9 - 0.25)


def test_intervals_of_confidence_resample_whole_documents(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    pages = [{**item, "document": str(k % 10)} for k, item in enumerate(items)]
    values = {str(item["id"]): 0.2 if k % 10 < 5 else 0.9 for k, item in enumerate(items)}
    widths = []
    for name, given in (("apart", items), ("pages", pages)):
        project = grid_project(tmp_path / name, given, {"one": right_but(given, {})})
        give_confidence(project, "one", values)
        every = next(row for row in report_confidence(project, QUERY).rows if row.cell == "all")
        assert every.mean_high is not None
        assert every.mean_low is not None
        widths.append(every.mean_high - every.mean_low)
    assert widths[1] > 2 * widths[0]


def test_the_field_may_be_chosen(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    project = grid_project(tmp_path, items, {"one": right_but(items, {})})
    give_confidence(project, "one", {"5-5-0": [0.9], "5-5-1": 0.3})
    rows = {row.cell: row for row in report_confidence(project, QUERY, "confidence").rows}
    assert (rows["5-5"].given, rows["5-5"].mean) == (1, 0.3)
    with pytest.raises(UsageError, match="expected one of"):
        report_confidence(project, QUERY, "entropy")


def routed_project(tmp_path: Path, items: list[dict[str, Any]]) -> Project:
    """Each system fails on its own items, and is unsure there."""
    ids = [str(item["id"]) for item in items]
    wrong_one = dict.fromkeys(ids[::5], "q")
    wrong_two = dict.fromkeys(ids[2::5], "q")
    one, two = right_but(items, wrong_one), right_but(items, wrong_two)
    project = grid_project(tmp_path, items, {"one": one, "two": two, "three": one})
    for name, wrong in (("one", wrong_one), ("two", wrong_two), ("three", wrong_one)):
        give_confidence(project, name, {item_id: 0.3 if item_id in wrong else 0.95 for item_id in ids})
    return project


def test_the_router_follows_confidence_where_it_tells(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    report = report_router(routed_project(tmp_path, items), QUERY, ["one", "two"])
    overall = report.rows[0]
    assert (overall.scope, overall.n, overall.single) == ("all", 100, (0.8, 0.8))
    assert (overall.oracle, overall.routed) == (1.0, 1.0)
    assert overall.gain == pytest.approx(0.2)
    assert (report.disagreements, report.trained_on, report.folds) == (40, 40, 5)
    assert sum(report.shares) == pytest.approx(1.0)
    assert report.coefficients[0].weight != 0


def test_three_systems_are_routed_by_their_own_chances(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    report = report_router(routed_project(tmp_path, items), QUERY, ["one", "two", "three"])
    assert report.trained_on == 100
    assert report.rows[0].routed == 1.0
    assert len(report.shares) == 3


def test_without_disagreements_everything_goes_to_the_better_system(
    tmp_path: Path, items: list[dict[str, Any]]
) -> None:
    right = right_but(items, {})
    project = grid_project(tmp_path, items, {"one": right, "two": right})
    for name in ("one", "two"):
        give_confidence(project, name, {str(item["id"]): 0.9 for item in items})
    report = report_router(project, QUERY, ["one", "two"])
    assert report.why.startswith("exactly one is right on 0 items")
    assert (report.rows[0].routed, report.rows[0].gain) == (1.0, 0.0)


@pytest.mark.parametrize("systems", [["one"], ["one", "one"], ["one", "two", "three", "four"], ["one", "two"]])
def test_other_numbers_of_systems_or_no_confidence_are_refused(
    tmp_path: Path, items: list[dict[str, Any]], systems: list[str]
) -> None:
    project = grid_project(tmp_path, items, {"one": right_but(items, {}), "two": right_but(items, {})})
    with pytest.raises(UsageError, match="router"):
        report_router(project, QUERY, systems)


def test_a_layer_that_knows_the_corner_is_told_from_one_that_does_not(tmp_path: Path) -> None:
    items = grid_items(copies=12)
    project = grid_project(tmp_path, items, {"one": right_but(items, {})})
    rng = np.random.default_rng(7)
    ids = [str(item["id"]) for item in items] + ["stranger"]
    signal = np.array([[float(item_id.startswith("5-5"))] for item_id in ids]) + rng.normal(0, 0.05, (len(ids), 1))
    path = tmp_path / "layers.npz"
    np.savez(path, ids=np.array(ids), knows=signal, noise=rng.normal(size=(len(ids), 2)))
    report = report_probe(project, QUERY, path)
    rows = {row.layer: row for row in report.rows}
    assert (report.n, report.unknown) == (300, 1)
    assert (rows["knows"].auc, rows["knows"].balanced_accuracy) == (1.0, 1.0)
    assert rows["knows"].n_train + rows["knows"].n_test == 300
    assert rows["noise"].auc is not None
    assert rows["noise"].auc < 0.9
    assert report == report_probe(project, QUERY, path)


def test_without_the_corner_in_both_parts_a_probe_is_undefined(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    project = grid_project(tmp_path, items, {})
    path = tmp_path / "layers.npz"
    np.savez(path, ids=np.array(["1-1-0", "2-2-0"]), layer=np.ones((2, 1)))
    (row,) = report_probe(project, QUERY, path).rows
    assert (row.auc, row.why) == (None, "the corner and the rest must both be in the training and in the test part")


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"layer": np.ones((2, 1))}, "one array of ids"),
        ({"ids": np.array(["a", "b"])}, "at least one layer"),
        ({"ids": np.array(["a", "b"]), "layer": np.ones((3, 1))}, "2 rows x features"),
        ({"ids": np.array(["a", "b"]), "layer": np.array([[1.0], [np.nan]])}, "not finite"),
    ],
)
def test_activations_that_do_not_fit_are_refused(tmp_path: Path, arrays: dict[str, Any], told: str) -> None:
    path = tmp_path / "layers.npz"
    np.savez(path, **arrays)
    with pytest.raises(FileError, match=told):
        read_activations(path)


def test_a_file_that_is_no_archive_or_holds_objects_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "layers.npz"
    path.write_bytes(b"not an archive")
    with pytest.raises(FileError, match="cannot be read"):
        read_activations(path)
    np.savez(path, ids=np.array(["a"], dtype=object), layer=np.ones((1, 1)))
    with pytest.raises(FileError, match="cannot be read"):
        read_activations(path)
