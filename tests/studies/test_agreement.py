"""Agreement and ranking of a study, from answers that raters really gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.errors import UsageError
from annotator.stats.agreement import rate_agreement
from annotator.store.project import Project
from annotator.studies.agreement import study_agreement
from annotator.studies.kinds import StudyKind
from annotator.studies.ranking import rank_systems
from annotator.studies.settings import StudySettings
from annotator.studies.withdraw import withdraw
from annotator.studies.work import current_desk
from annotator.studies.written import Written, write_written
from tests.studies.builders import PLAIN, answer, open_study, picture_project, seat, text_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "project", items=8)


def rate_all(project: Project, values: dict[int, str] | str, study: str = "s") -> None:
    """A new rater answers every task: by its number, or with one value."""
    rater = seat(project, study)
    while (task := current_desk(project, rater).task) is not None:
        answer(project, rater, values if isinstance(values, str) else values[task.number])


def test_alpha_is_that_of_the_ratings_and_withdrawn_raters_are_out(project: Project) -> None:
    open_study(project)
    first = {n: str(n % 5) for n in range(1, 9)}
    second = {**first, 1: "4", 2: "0"}
    rate_all(project, first)
    rate_all(project, second)
    rate_all(project, "2")
    withdraw(project, "s", "rater-03")
    found = study_agreement(project, "s", resamples=200)
    triples = [(str(n), name, v[n]) for name, v in (("a", first), ("b", second)) for n in v]
    expected = rate_agreement(triples, "ordinal", resamples=200)
    assert found.agreement.alpha == pytest.approx(expected.alpha)
    assert found.agreement.kappa == {"rater-01|rater-02": pytest.approx(expected.kappa["a|b"])}
    assert found.agreement.icc2k == pytest.approx(expected.icc2k)
    assert [r.rater for r in found.rest] == ["rater-01", "rater-02"]
    assert sum(found.confusion.values()) == 16


def test_equal_ratings_are_undefined_and_said_so(project: Project) -> None:
    open_study(project)
    rate_all(project, "3")
    rate_all(project, "3")
    found = study_agreement(project, "s").agreement
    assert found.alpha is None
    assert found.why["alpha"]


def test_nobody_has_answered(project: Project) -> None:
    open_study(project)
    found = study_agreement(project, "s")
    assert found.agreement.alpha is None
    assert found.rest == ()


def test_a_rater_who_always_takes_the_first_side_is_seen(project: Project) -> None:
    open_study(project, StudyKind.PREFERENCE, repeats=4)
    rater = seat(project)
    while (task := current_desk(project, rater).task) is not None:
        answer(project, rater, task.shown_first)
    bias = study_agreement(project, "s").position
    assert bias is not None
    assert bias.first_chosen.value == 1.0
    assert (bias.swapped, bias.same, bias.same_side) == (4, 0, 4)


def test_both_bad_is_left_out_of_agreement_and_counted(project: Project) -> None:
    open_study(project, StudyKind.PREFERENCE, settings=StudySettings(both_bad=True, check_questions=0, check_pass=0))
    rate_all(project, "both-bad")
    rate_all(project, "tie")
    found = study_agreement(project, "s")
    assert found.both_bad == 4
    assert found.agreement.ratings == 4


def test_ranking_credits_outputs_and_stays_finite(project: Project) -> None:
    open_study(project, StudyKind.PREFERENCE)
    rater = seat(project)
    while (task := current_desk(project, rater).task) is not None:
        better = "a" if (task.predicted or "").endswith("oh") else "b"  # alpha errs less
        answer(project, rater, better)
    found = rank_systems(project, "s", resamples=100)
    assert [row.system for row in found.rows] == ["alpha-ocr", "beta-ocr"]
    assert "never lost" in found.rows[0].why
    assert (found.pairs[0].a_wins, found.pairs[0].b_wins) == (4, 0)
    low, high = found.rows[0].low, found.rows[0].high
    assert low is not None
    assert high is not None
    assert low <= found.rows[0].score <= high + 1e-9
    assert rank_systems(project, "s", rater="nobody", resamples=10).rows == ()


def test_ranking_needs_preferences(project: Project) -> None:
    open_study(project)
    with pytest.raises(UsageError, match="expected a preference study"):
        rank_systems(project, "s")


def test_transcriptions_have_pairwise_cer_and_kappa_per_label(tmp_path: Path) -> None:
    project = picture_project(tmp_path / "p", ("one", "two"), items=4)
    open_study(project, StudyKind.TRANSCRIPTION, overlap=2, settings=PLAIN)
    for number, texts in enumerate((["abcd"] * 4, ["abcd", "abcd", "abcd", "abxd"])):
        rater = seat(project)
        for turn, text in enumerate(texts):
            label = "x" if turn % 2 or number else "y"
            answer(project, rater, write_written(Written(text, labels={"style": label})))
    found = study_agreement(project, "s", resamples=200)
    assert found.pairwise_cer is not None
    assert found.pairwise_cer.value == pytest.approx(0.25 / 4)
    assert found.needed_adjudication is not None
    assert found.needed_adjudication.n == 4
    assert set(found.labels) == {"style"}
