"""Two runs side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.analyses.compare import compare_runs
from annotator.errors import UsageError
from annotator.records import Cell, Query
from annotator.store.project import Project
from tests.analyses.strata.builders import QUERY, grid_items, grid_project, right_but
from tests.builders import build_project

CORNER = Cell(5, 5)


@pytest.fixture
def items() -> list[dict[str, Any]]:
    return grid_items(copies=4)


@pytest.fixture
def project(tmp_path: Path, items: list[dict[str, Any]]) -> Project:
    one = right_but(items, {"5-5-0": "x", "5-5-1": "x"})
    two = right_but(items, {"5-5-1": "x", "5-5-2": "x", "1-1-0": "x"})
    del two["5-5-3"]
    return grid_project(tmp_path, items, {"one": one, "two@gray": two})


def test_a_cell_is_compared_on_the_items_both_answered(project: Project) -> None:
    found = compare_runs(project, QUERY, "one", "two@gray", CORNER)
    assert (found.paired.n, found.paired.a, found.paired.b) == (3, pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert found.transitions == ((0, 1), (1, 1))
    assert (found.paired.delta, found.paired.mcnemar_p, found.paired.verdict) == (0.0, 1.0, "within-noise")
    assert (found.only_first, found.only_second, found.cell) == (1, 0, "5-5")


def test_without_a_cell_all_items_count(project: Project) -> None:
    found = compare_runs(project, QUERY, "one", "two")
    assert found.paired.n == 99
    assert found.paired.delta == pytest.approx((97 - 96) / 99)
    assert found.transitions == ((95, 2), (1, 1))
    assert found.paired.mcnemar_p == 1.0


def test_error_rates_are_compared_without_turning_the_sign(project: Project) -> None:
    found = compare_runs(project, QUERY, "one", "two", CORNER, "cer")
    assert found.paired.delta == pytest.approx(0.0)
    assert compare_runs(project, QUERY, "one", "two", Cell(1, 1), "cer").paired.delta == pytest.approx(-3 / 12)
    assert found.transitions is None
    assert found.paired.mcnemar_p is None


def test_the_difference_changes_sign_with_the_order(project: Project) -> None:
    there, back = compare_runs(project, QUERY, "one", "two"), compare_runs(project, QUERY, "two", "one")
    assert there.paired.delta == pytest.approx(-(back.paired.delta or 0))


def test_without_a_common_item_nothing_is_defined(tmp_path: Path) -> None:
    items = grid_items()
    project = grid_project(tmp_path, items, {"one": right_but(items, {}), "none": {}})
    paired = compare_runs(project, QUERY, "one", "none").paired
    assert (paired.n, paired.delta, paired.p, paired.mcnemar_p) == (0, None, None, None)
    assert paired.why == "no item is answered by both"


def test_unknown_names_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="one, two@gray"):
        compare_runs(project, QUERY, "one", "three")
    with pytest.raises(UsageError, match="str_accuracy"):
        compare_runs(project, QUERY, "one", "two", metric="beauty")


def test_outcomes_are_compared_by_rewriting_rate_with_literal_accuracy_beside_it(tmp_path: Path) -> None:
    items = [{"id": str(k), "gold": "trafic", "standard": "traffic"} for k in range(4)] + [{"id": "x", "gold": "road"}]
    one = {"0": "trafic", "1": "traffic", "2": "traffic", "3": "tram", "x": "road"}
    two = {"0": "trafic", "1": "trafic", "2": "traffic", "3": "", "x": "road"}
    project = build_project(tmp_path, items, {"one": one, "two": two})
    found = compare_runs(project, Query(resamples=200), "one", "two", metric="outcome")
    assert found.paired.n == 4
    assert (found.paired.a, found.paired.b, found.paired.delta) == (0.5, 0.25, 0.25)
    assert found.transitions == ((1, 0, 0), (1, 1, 0), (0, 0, 1))
    assert found.literal is not None
    assert (found.literal.a, found.literal.b, found.literal.delta) == (0.25, 0.5, -0.25)


def test_a_seed_gives_the_same_interval_and_another_seed_another(project: Project) -> None:
    first = compare_runs(project, QUERY, "one", "two").paired
    assert first == compare_runs(project, QUERY, "one", "two").paired
    assert compare_runs(project, replace(QUERY, seed=1), "one", "two").paired.delta == first.delta
