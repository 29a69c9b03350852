"""Outcomes, families, consensus, traces and pairs on a project small enough to work by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.outcomes.consensus import report_consensus
from annotator.analyses.outcomes.families import assign_family, report_families
from annotator.analyses.outcomes.groups import GroupBy, Grouping, band_of
from annotator.analyses.outcomes.report import OutcomeRow, report_outcomes
from annotator.analyses.outcomes.traces import Named, names_in, report_traces
from annotator.analyses.outcomes.transitions import compare_outcomes, report_conditions
from annotator.errors import UsageError
from annotator.records import MissingRule, Query
from annotator.store.project import Project
from tests.builders import build_project

QUICK = Query(resamples=300)

ITEMS = [
    {"id": "a", "gold": "dolphiin", "standard": "dolphin", "attributes": {"domain": "animal"}},
    {"id": "b", "gold": "elephat", "standard": "elephant", "attributes": {"domain": "animal"}},
    {"id": "c", "gold": "aza lea", "standard": "azalea", "attributes": {"domain": "plant"}},
    {"id": "d", "gold": "t00l", "standard": "tool", "attributes": {"domain": "thing"}},
    {"id": "same", "gold": "Rose", "standard": "rose", "attributes": {"domain": "plant"}},
    {"id": "none", "gold": "rose", "standard": "", "attributes": {"domain": "plant"}},
    {"id": "blank", "gold": " ", "standard": "rose", "attributes": {"domain": "plant"}},
]
ANSWERS = {
    "one": {"a": "dolphiin", "b": "Elephant", "c": "azalea", "d": "TOOL", "none": "rose"},
    "two": {"a": "dolphin", "b": "elephant", "c": "Aza  Lea"},
    "two@gray": {"a": "dolphiin", "b": "elephat", "c": "aza lea", "d": ""},
    "mute": {},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return build_project(tmp_path, ITEMS, ANSWERS)


def test_counts_and_rates_by_hand(project: Project) -> None:
    report = report_outcomes(project, QUICK, macro="domain")
    one, two, gray, mute = report.rows
    assert _counts(one) == (4, 0, 1, 3, 0)
    assert _counts(two) == (3, 1, 1, 2, 0)
    assert _counts(gray) == (4, 0, 3, 0, 1)
    assert _counts(mute) == (0, 4, 0, 0, 0)
    assert (one.literal_accuracy, one.rewriting_rate) == (0.25, 0.75)
    assert one.macro_rewriting_rate == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert (two.macro_rewriting_rate, two.macro_groups) == (pytest.approx((1 + 0) / 2), 2)
    assert (report.items, report.without_standard, report.without_gold) == (4, 2, 1)
    assert mute.rewriting_rate is None
    assert mute.why["rewriting_rate"] == "no answered items with gold and a standard form"


def test_without_a_macro_attribute_the_average_is_undefined_and_said(project: Project) -> None:
    row = report_outcomes(project, QUICK).rows[0]
    assert row.macro_rewriting_rate is None
    assert "--macro" in row.why["macro_rewriting_rate"]


def test_pooled_rows_add_up(project: Project) -> None:
    default, gray = report_outcomes(project, QUICK).pooled
    assert (default.systems, default.items, default.n, default.missing) == (3, 4, 7, 5)
    assert (default.literal, default.canonical, default.other) == (2, 5, 0)
    assert default.rewriting_rate == pytest.approx(5 / 7)
    assert default.rewriting_low is not None
    assert default.rewriting_high is not None
    assert default.rewriting_low <= 5 / 7 <= default.rewriting_high
    assert (gray.condition, gray.n, gray.other) == ("gray", 4, 1)


def test_a_missing_answer_can_count_as_an_empty_one(project: Project) -> None:
    rows = report_outcomes(project, Query(missing=MissingRule.ERROR, resamples=50)).rows
    assert _counts(rows[1]) == (4, 1, 1, 2, 1)
    assert _counts(rows[3]) == (4, 4, 0, 0, 4)


def test_own_gold(project: Project) -> None:
    with project.write() as connection:
        connection.execute(
            "UPDATE prediction SET own_gold = 'elephant' WHERE predicted = 'Elephant'",
        )
        connection.execute("UPDATE prediction SET own_gold = 'dolphin?' WHERE predicted = 'dolphin'")
    rows = report_outcomes(project, Query(own_gold=True, resamples=50)).rows
    assert _counts(rows[0]) == (3, 0, 1, 2, 0)
    assert _counts(rows[1]) == (3, 1, 1, 2, 0)


GROUPINGS = [
    (Grouping(GroupBy.ATTRIBUTE, "domain"), {"animal": 2, "plant": 1, "thing": 1}),
    (Grouping(GroupBy.PERTURBATION), {"duplication": 1, "digit-symbol": 1, "deletion": 1, "insertion": 1}),
    (
        Grouping(GroupBy.PAIR),
        {"duplication >i": 1, "digit-symbol oo>00": 1, "deletion n>": 1, "insertion > ": 1},
    ),
    (Grouping(GroupBy.LENGTH), {"4-5": 1, "6-7": 2, "8-9": 1}),
    (Grouping(GroupBy.LENGTH, bands=(5, 8)), {"1-4": 1, "5-7": 2, "8+": 1}),
]


@pytest.mark.parametrize(("grouping", "sizes"), GROUPINGS)
def test_groups_partition_the_items(project: Project, grouping: Grouping, sizes: dict[str, int]) -> None:
    rows = [row for row in report_outcomes(project, QUICK, grouping).rows if row.system == "one"]
    assert {row.group: row.n for row in rows} == sizes
    assert sum(row.canonical for row in rows) == 3


BANDS = [(1, "1-3"), (3, "1-3"), (4, "4-5"), (5, "4-5"), (9, "8-9"), (10, "10+"), (40, "10+")]


@pytest.mark.parametrize(("length", "name"), BANDS)
def test_bands(length: int, name: str) -> None:
    assert band_of(length, (4, 6, 8, 10)) == name


def test_bands_must_rise(project: Project) -> None:
    with pytest.raises(UsageError, match="rising first lengths"):
        report_outcomes(project, QUICK, Grouping(GroupBy.LENGTH, bands=(4, 4)))


def test_unknown_names_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="expected one of: domain"):
        report_outcomes(project, QUICK, macro="colour")
    with pytest.raises(UsageError, match="unknown system"):
        compare_outcomes(project, QUICK, "one", "three")


def test_transitions_of_two_systems(project: Project) -> None:
    found = compare_outcomes(project, QUICK, "one", "two")
    assert (found.a, found.b, found.n) == ("one", "two", 3)
    assert found.transitions == ((0, 1, 0), (1, 1, 0), (0, 0, 0))
    assert found.rewriting.delta == pytest.approx(0)
    assert (found.literal.a, found.literal.b) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert found.rewriting.mcnemar_p == 1.0
    assert found.pair_accuracy == 0.0
    back = compare_outcomes(project, QUICK, "two", "one")
    assert back.transitions == tuple(zip(*found.transitions, strict=True))


def test_transitions_inside_chosen_items(project: Project) -> None:
    keys = [1, 3]
    found = compare_outcomes(project, QUICK, "one", "two", keys)
    assert (found.n, found.transitions) == (2, ((0, 1, 0), (1, 0, 0), (0, 0, 0)))
    nothing = compare_outcomes(project, QUICK, "one", "mute")
    assert (nothing.n, nothing.rewriting.delta, nothing.pair_accuracy) == (0, None, None)
    assert nothing.rewriting.why == "no item with gold and a standard form was answered by both"


def test_conditions_against_the_first(project: Project) -> None:
    report = report_conditions(project, QUICK)
    (row,) = report.rows
    assert (row.a, row.b, row.n, report.tests) == ("two@gray", "two", 3, 1)
    assert (row.literal.delta, row.rewriting.delta) == (pytest.approx(2 / 3), pytest.approx(-2 / 3))
    assert row.rewriting.holm_p == row.rewriting.mcnemar_p == 0.5
    assert report_conditions(project, QUICK, ["gray", "default"]).rows[0].b == "two@gray"
    with pytest.raises(UsageError, match="unknown condition"):
        report_conditions(project, QUICK, ["blur"])


def test_crossing_of_two_factors(tmp_path: Path) -> None:
    answers = {
        "s@clear": {"a": "dolphiin", "b": "elephat", "c": "aza lea"},
        "s@blur": {"a": "dolphin", "b": "elephant", "c": "aza lea"},
        "s@gray": {"a": "dolphiin", "b": "elephat", "c": "x"},
        "s@both": {"a": "dolphiin", "b": "elephant", "c": "x", "d": "tool"},
    }
    project = build_project(tmp_path, ITEMS, answers)
    report = report_conditions(project, QUICK, crossing=("clear", "blur", "gray", "both"))
    (crossed,) = report.crossings
    assert crossed.n == 3
    assert crossed.canonical.value == pytest.approx(2 / 3 - 1 / 3)
    assert crossed.literal.value == pytest.approx(-2 / 3 + 1 / 3)
    assert crossed.other.value == 0
    assert crossed.rates[0] == (1.0, 0.0, 0.0)
    with pytest.raises(UsageError, match="four different conditions"):
        report_conditions(project, QUICK, crossing=("clear", "clear", "gray", "both"))


def test_families(project: Project) -> None:
    assign_family(project, "one", "big")
    assign_family(project, "two", "big")
    report = report_families(project, Query(systems=("one", "two"), conditions=("default",), resamples=100))
    systems, families = report.rows
    assert report.families == {"big": ("one", "two")}
    assert systems.canonical.value == families.canonical.value == pytest.approx((3 / 4 + 2 / 3) / 2)
    assert (systems.systems, families.families) == (2, 1)
    assert report.leave_one_out[0].why == "fewer than two families"
    with pytest.raises(UsageError, match="unknown system"):
        assign_family(project, "three", "big")


def test_each_family_weighs_alike(tmp_path: Path) -> None:
    literal = {item["id"]: str(item["gold"]) for item in ITEMS[:4]}
    canonical = {item["id"]: str(item["standard"]) for item in ITEMS[:4]}
    project = build_project(tmp_path, ITEMS, {"x1": literal, "x2": literal, "x3": literal, "y": canonical})
    for system in ("x1", "x2", "x3"):
        assign_family(project, system, "x")
    report = report_families(project, QUICK)
    rates = {(row.weighting, row.left_out): row.canonical.value for row in report.rows}
    assert rates == {
        ("equal systems", ""): 0.25,
        ("equal families", ""): 0.5,
        ("equal families", "x"): 1.0,
        ("equal families", "y"): 0.0,
    }
    (left_out,) = report.leave_one_out
    assert (left_out.low, left_out.low_without, left_out.high, left_out.high_without) == (0.0, "y", 1.0, "x")


def test_a_system_without_answers_makes_the_mean_undefined(project: Project) -> None:
    row = report_families(project, Query(systems=("one", "mute"), resamples=50)).rows[0]
    assert row.canonical.value is None
    assert row.canonical.why == "the denominator is 0"


def test_consensus(project: Project) -> None:
    exact = report_consensus(project, QUICK, ["one", "two"])
    assert (exact.accepted, exact.literal, exact.canonical, exact.other, exact.missing) == (0, 0, 0, 0, 1)
    assert exact.error_rate.value is None
    assert exact.why == {"error_rate": "no agreed items"}
    folded = report_consensus(project, QUICK, ["one", "two"], fold=True)
    assert (folded.accepted, folded.canonical, folded.coverage.value) == (1, 1, 0.25)
    assert folded.keys == ((), (2,), ())
    for panel in ([], ["one"], ["one", "one"]):
        with pytest.raises(UsageError, match="two or more different systems"):
            report_consensus(project, QUICK, panel)


NAMED = [
    ("I read 'dolphiin', but dolphin is meant.", Named.BOTH),
    ("It says DOLPHIIN.", Named.GOLD),
    ("A dolphin", Named.STANDARD),
    ("dolphins and dolphiins", Named.NEITHER),
    ("", Named.NEITHER),
]


@pytest.mark.parametrize(("reasoning", "named"), NAMED)
def test_names_in_a_reasoning(reasoning: str, named: Named) -> None:
    assert names_in(reasoning, "dolphiin", "dolphin") is named


def test_a_standard_form_that_holds_gold_is_not_gold() -> None:
    assert names_in("a shovel", "shove", "shovel") is Named.STANDARD


def test_traces_by_outcome(project: Project) -> None:
    assert report_traces(project, QUICK).why["rows"].startswith("no prediction has reasoning")
    with project.write() as connection:
        keys = [row[0] for row in connection.execute("SELECT prediction_key FROM prediction ORDER BY prediction_key")]
        reasons = [(keys[0], "dolphiin"), (keys[1], "elephat, so elephant"), (keys[2], "no idea")]
        connection.executemany("INSERT INTO prediction_detail (prediction_key, reasoning) VALUES (?, ?)", reasons)
    literal, canonical, other = report_traces(project, QUICK).rows
    assert (literal.n, literal.gold, literal.without) == (1, 1, 0)
    assert (canonical.n, canonical.both, canonical.neither, canonical.without) == (2, 1, 1, 1)
    assert canonical.keys["both"] == (2,)
    assert (other.n, other.both_share) == (0, None)


def _counts(row: OutcomeRow) -> tuple[int, ...]:
    return (row.n, row.missing, row.literal, row.canonical, row.other)
