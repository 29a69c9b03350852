"""N-grams, curves, mitigations, modes, control pairs and suspects on a grid told by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.analyses.strata.control import report_control
from annotator.analyses.strata.marginals import report_cross_corpus, report_marginals
from annotator.analyses.strata.mitigation import report_mitigation
from annotator.analyses.strata.modes import report_modes
from annotator.analyses.strata.ngrams import label_ngrams, report_ngrams
from annotator.analyses.strata.suspects import report_suspects
from annotator.errors import UsageError
from annotator.ingest.reference import import_reference
from annotator.ingest.suspects import review_suspect
from annotator.metrics.strata.labels import Axes
from annotator.records import Cell
from annotator.store.project import Project
from tests.analyses.strata.builders import QUERY, grid_items, grid_project, label_of, right_but, words_of_the_grid

CORNER = Cell(5, 5)


@pytest.fixture
def items() -> list[dict[str, Any]]:
    return grid_items(copies=5)


@pytest.fixture
def project(tmp_path: Path, items: list[dict[str, Any]]) -> Project:
    base = right_but(items, {"5-5-0": "", "5-5-1": "q", "3-3-0": "q", "1-1-0": "q"})
    better = right_but(items, {"5-5-1": "q", "3-3-0": "q"})
    mixed = right_but(items, {"1-1-0": "q", "1-1-1": "q", "1-1-2": "q", "3-3-1": "q"})
    return grid_project(tmp_path, items, {"base": base, "better": better, "mixed": mixed})


def test_failures_of_an_ngram_are_counted_over_its_items(project: Project) -> None:
    report = report_ngrams(project, QUERY, "base", "better", CORNER)
    (row,) = report.rows
    assert (row.ngram, row.n, row.a_failure, row.b_failure) == (label_of(5, 5), 5, 0.4, 0.2)
    assert row.reduction == pytest.approx(0.2)
    assert report_ngrams(project, QUERY, "base", "better", CORNER, min_count=6).left_out == 1


@pytest.mark.parametrize(
    ("gold", "axes", "ngrams"),
    [
        ("Banana", Axes.WORD, ("ban", "ana", "nan")),
        ("AB", Axes.WORD, ("ab",)),
        ("欢-迎光", Axes.CHARACTER, ("欢迎", "迎光")),
    ],
)
def test_the_ngrams_of_a_label(gold: str, axes: Axes, ngrams: tuple[str, ...]) -> None:
    assert label_ngrams(gold, axes) == ngrams


def test_curves_pool_the_other_axis(project: Project) -> None:
    report = report_marginals(project, QUERY)
    rows = {(row.system, row.axis, row.quintile): row for row in report.rows}
    assert len(rows) == 3 * 2 * 5
    assert (rows["base", "word", 5].n, rows["base", "word", 5].correct) == (25, 23)
    assert rows["base", "ngram", 1].value == pytest.approx(24 / 25)
    assert rows["base", "ngram", 2].value == 1.0
    assert rows["base", "word", 5].low is not None


def test_an_equal_second_corpus_changes_nothing(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "again.tsv"
    path.write_text("\n".join(f"{word}\t{count}" for word, count in words_of_the_grid().items()), encoding="utf-8")
    import_reference(project, path, "again")
    report = report_cross_corpus(project, QUERY, "again")
    for row in report.rows:
        assert row.curve == row.second_curve
        assert (row.change, row.change_low, row.change_high) == (0.0, 0.0, 0.0)
        assert row.pearson == pytest.approx(1.0)
    assert report.rank_correlation.value == pytest.approx(1.0)


def test_a_mitigation_improves_both_only_when_corner_and_aggregate_rise(project: Project) -> None:
    report = report_mitigation(project, QUERY, "base")
    base, better, mixed = report.rows
    assert (base.is_baseline, base.corner.value, base.corner.delta, base.improves_both) == (True, 0.6, None, None)
    assert (better.corner.delta, better.improves_both) == (pytest.approx(0.2), True)
    assert (mixed.corner.delta, mixed.aggregate.delta, mixed.improves_both) == (pytest.approx(0.4), 0.0, False)
    assert report.any_improves_both is True
    assert report_mitigation(project, QUERY, "base", ["mixed"]).any_improves_both is False
    with pytest.raises(UsageError, match="among its variants"):
        report_mitigation(project, QUERY, "base", ["base"])


def test_every_wrong_answer_has_one_mode(project: Project) -> None:
    report = report_modes(project, QUERY, CORNER)
    base = report.rows[0]
    assert (base.n, base.wrong, base.abstain, base.commit) == (5, 2, 1, 1)
    assert base.counts == {"abstain": 1, "lexical-snap": 0, "whole-word": 1, "char-edit": 0, "char-noise": 0}
    assert base.commit_share == 0.5
    assert {(example.item_id, example.mode) for example in report.sample if example.system == "base"} == {
        ("5-5-0", "abstain"),
        ("5-5-1", "whole-word"),
    }
    assert report.rows[2].why == "no answer is wrong"


def test_a_sample_is_no_larger_than_asked_and_the_seed_draws_it(project: Project) -> None:
    everything = report_modes(project, QUERY, sample=99).sample
    some = report_modes(project, QUERY, sample=4).sample
    assert (len(everything), len(some)) == (10, 4)
    assert set(some) < set(everything)


def test_modes_are_told_apart_by_script(tmp_path: Path) -> None:
    items = [{"id": "en", "gold": "bgp"}, {"id": "bn", "gold": "ভাষা"}, {"id": "en2", "gold": "cgp"}]
    answers = {"one": {"en": "", "bn": "ভাষ", "en2": "cgp"}}
    project = grid_project(tmp_path, items, answers)
    report = report_modes(project, replace(QUERY, letters="unicode"))
    assert {row.script: (row.n, row.wrong) for row in report.rows} == {
        "all": (3, 2),
        "Latin": (2, 1),
        "Bengali": (1, 1),
    }


def test_a_control_pair_names_the_items_gained_and_lost(project: Project) -> None:
    report = report_control(project, QUERY, "better", "base")
    rows = {row.scope: row for row in report.rows}
    assert set(rows) == {"all", "centre", "corner", "absent", "present"}
    assert rows["corner"].gained_items == ("5-5-0",)
    assert (rows["all"].gained, rows["all"].lost) == (2, 0)
    assert (rows["absent"].n, rows["absent"].why) == (0, "no item is answered by both")
    assert rows["present"].n == 125


def suspects_project(tmp_path: Path) -> Project:
    items = grid_items(copies=2)
    fix = {"5-5-0": "good", "3-3-0": "good"}
    lone = {"5-5-0": "other", "1-1-0": "good"}
    return grid_project(
        tmp_path,
        items,
        {
            "one": right_but(items, fix),
            "two": right_but(items, {**fix, "5-5-0": "GOOD!"}),
            "three": right_but(items, lone),
        },
    )


def test_suspects_are_items_where_systems_agree_against_gold(tmp_path: Path) -> None:
    report = report_suspects(suspects_project(tmp_path), QUERY)
    assert [(row.item_id, row.agree, row.systems) for row in report.rows] == [
        ("5-5-0", 2, ("one", "two")),
        ("3-3-0", 2, ("one", "two")),
    ]
    assert (report.agree, report.in_corner, report.in_centre, report.reviewed) == (2, 1, 1, 0)
    one = report.sensitivity[0]
    assert (one.gap, one.gap_without) == (0.0, 0.0)
    three = report.sensitivity[2]
    assert (three.gap, three.gap_without, three.n_corner_without) == (-0.5, 0.0, 1)
    with pytest.raises(UsageError, match="--agree 4"):
        report_suspects(suspects_project(tmp_path / "b"), QUERY, agree=4)


def test_an_owners_verdict_marks_the_item_and_a_raters_is_a_proposal(tmp_path: Path) -> None:
    project = suspects_project(tmp_path)
    review_suspect(project, "5-5-0", "gold-wrong", "rater-03", binding=False)
    assert report_suspects(project, QUERY).rows[0].mark == ""
    review_suspect(project, "5-5-0", "gold-wrong", "owner", binding=True)
    row = report_suspects(project, QUERY).rows[0]
    assert row.mark == "gold-wrong"
    assert [(given.reviewer, given.verdict, given.binding) for given in row.verdicts] == [
        ("rater-03", "gold-wrong", False),
        ("owner", "gold-wrong", True),
    ]
    assert row.verdicts[0].at <= row.verdicts[1].at
    review_suspect(project, "5-5-0", "both-acceptable", "owner", binding=True)
    assert report_suspects(project, QUERY).rows[0].mark == ""


def test_a_cleared_suspect_stays_in_the_sensitivity(tmp_path: Path) -> None:
    project = suspects_project(tmp_path)
    review_suspect(project, "5-5-0", "gold-right", "owner", binding=True)
    assert report_suspects(project, QUERY).sensitivity[2].gap_without == -0.5


@pytest.mark.parametrize(("item", "verdict"), [("nobody", "gold-right"), ("5-5-0", "perhaps")])
def test_reviews_of_unknown_items_or_verdicts_are_refused(tmp_path: Path, item: str, verdict: str) -> None:
    with pytest.raises(UsageError):
        review_suspect(suspects_project(tmp_path), item, verdict, "owner", binding=True)


def test_a_corrected_gold_takes_the_item_off_the_list_and_keeps_it_in_the_rates(tmp_path: Path) -> None:
    project = suspects_project(tmp_path)
    review_suspect(project, "5-5-0", "unreadable", "owner", binding=True)
    said = report_suspects(project, QUERY).rows[0].answer
    done = review_suspect(project, "5-5-0", "gold-wrong", "owner", binding=True, gold=said)
    assert (done.mark, done.gold, done.realigned) == ("", said, 3)
    report = report_suspects(project, QUERY)
    assert [row.item_id for row in report.rows] == ["3-3-0"]
    assert report.basis.gold_wrong == 0
    with project.read() as connection:
        history = connection.execute("SELECT field, new, source FROM item_history ORDER BY history_key").fetchall()
    assert [tuple(row) for row in history] == [
        ("mark", "unreadable", "review by owner"),
        ("mark", "", "review by owner"),
        ("gold", said, "review by owner"),
    ]


@pytest.mark.parametrize(
    ("verdict", "binding", "gold", "reviewer", "told"),
    [
        ("gold-right", True, "sign", "owner", "beside gold-right"),
        ("gold-wrong", False, "sign", "rater-03", "beside a proposal"),
        ("gold-wrong", True, "  ", "owner", "expected the text"),
        ("gold-wrong", True, "a\ud800", "owner", "expected the text"),
        ("gold-wrong", True, None, " ", "no reviewer"),
    ],
)
def test_reviews_that_say_two_things_are_refused(
    tmp_path: Path, verdict: str, binding: bool, gold: str | None, reviewer: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        review_suspect(suspects_project(tmp_path), "5-5-0", verdict, reviewer, binding=binding, gold=gold)
