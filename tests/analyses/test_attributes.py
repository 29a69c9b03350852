"""`report attributes` on a project small enough to work by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.attributes import AttributeRow, report_attributes
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project

# place, kind, how many items, how many of their ten letters are wrong
CELLS = [("wall", "poem", 40, 1), ("wall", "sign", 40, 2), ("bus", "poem", 40, 2), ("bus", "sign", 40, 9)]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items, answers = [{"id": "x", "gold": "abc"}], {"x": "abc"}
    for place, kind, n, wrong in CELLS:
        for k in range(n):
            name = f"{place}{kind}{k}"
            items.append({"id": name, "gold": "abcdefghij", "attributes": {"place": place, "kind": kind}})
            answers[name] = "z" * wrong + "abcdefghij"[wrong:]
    items.append({"id": "van", "gold": "abcde", "attributes": {"place": "van", "kind": "poem"}})
    return build_project(tmp_path, items, {"one": answers})


def test_one_axis_easiest_first_with_the_ratio_to_it(project: Project) -> None:
    report = report_attributes(project, Query(resamples=200), "place")
    assert [(row.values["place"], row.n, row.value) for row in report.rows] == [
        ("wall", 80, pytest.approx(0.15)),
        ("bus", 80, pytest.approx(0.55)),
        ("van", 0, None),
    ]
    assert report.rows[1].ratio == pytest.approx(0.55 / 0.15)
    assert (report.rows[0].sparse, report.rows[2].sparse) == (False, True)
    assert report.rows[2].why["value"] == "no answered items with these values"
    assert (report.without_value, report.items, report.falling) == (1, 162, True)


def test_two_axes_say_where_difficulties_compound(project: Project) -> None:
    report = report_attributes(project, Query(resamples=300), "place", "kind")
    cells = {(row.values["place"], row.values["kind"]): row for row in report.rows}
    hard = cells["bus", "sign"]
    assert hard.value == pytest.approx(0.9)
    assert hard.additive == pytest.approx(0.55 + 0.55 - 0.35)
    assert hard.excess == pytest.approx(0.15)
    assert _between(hard)
    assert hard.compounds is True
    assert cells["bus", "poem"].excess == pytest.approx(-0.15)
    assert cells["bus", "poem"].compounds is False
    assert (cells["van", "poem"].excess, cells["van", "poem"].compounds) == (None, None)
    assert ("van", "sign") not in cells


def test_a_proportion_rises_and_has_a_wilson_interval(project: Project) -> None:
    report = report_attributes(project, Query(resamples=50), "place", metric="exact")
    assert not report.falling
    assert [(row.value, row.low) for row in report.rows] == [(0.0, 0.0), (0.0, 0.0), (None, None)]
    assert report.rows[0].why["ratio"] == "the easiest value is 0"


def test_semcer_by_attribute_is_cer_when_every_edit_costs_one(project: Project) -> None:
    query = Query(resamples=50)
    rates, ones, rules = (
        report_attributes(project, query, "place", metric=metric) for metric in ("cer", "semcer:unit", "semcer")
    )
    by = {row.values["place"]: row.value for row in rates.rows}
    assert {row.values["place"]: row.value for row in ones.rows} == pytest.approx(by)
    assert ones.falling
    assert all((row.value or 0) <= (by[row.values["place"]] or 0) + 1e-12 for row in rules.rows)
    with pytest.raises(UsageError, match="profile raw"):
        report_attributes(project, Query(profile="full"), "place", metric="semcer")


def test_columns_of_the_item_table_are_axes_too(project: Project) -> None:
    with project.write() as connection:
        connection.execute("UPDATE item SET split = 'test'")
    assert [row.n for row in report_attributes(project, Query(resamples=50), "split").rows] == [161]


@pytest.mark.parametrize(
    ("axis", "axis2", "metric", "message"),
    [
        ("colour", "", "cer", "expected one of"),
        ("place", "place", "cer", "two different attributes"),
        ("place", "", "luck", "expected one of cer, wer"),
    ],
)
def test_bad_axes_and_metrics_say_what_is_expected(
    project: Project, axis: str, axis2: str, metric: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        report_attributes(project, Query(), axis, axis2, metric)


def _between(row: AttributeRow) -> bool:
    assert row.excess is not None
    assert row.excess_low is not None
    assert row.excess_high is not None
    return 0 < row.excess_low <= row.excess <= row.excess_high
