"""Reliability, calibration error, ranking, coverage and isotonic fits against hand-made cases and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.stats.calibration import (
    calibration_error,
    coverage_curve,
    isotonic_fit,
    isotonic_out_of_fold,
    ranking_quality,
    reliability_bins,
    why_no_fit,
)

ANSWERS = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.95, 1.0]), st.booleans()), min_size=2, max_size=40)  # fmt: skip


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def test_the_error_is_the_weighted_gap_of_the_bins() -> None:
    sure = np.array([0.95, 0.95, 0.95, 0.95, 0.15, 0.15])
    right = np.array([True, True, False, False, False, True])
    error = calibration_error(sure, right, rng(), resamples=200)
    assert error.value == pytest.approx((4 * abs(0.5 - 0.95) + 2 * abs(0.5 - 0.15)) / 6)
    assert error.low is not None
    assert error.high is not None
    assert error.low <= error.high
    bins = reliability_bins(sure, right)
    assert [(one.n, one.right) for one in bins if one.n] == [(2, 1), (4, 2)]
    assert bins[5].accuracy is None
    assert bins[9].confidence == pytest.approx(0.95)


def test_a_confidence_of_one_is_in_the_last_bin() -> None:
    assert reliability_bins(np.array([1.0, 0.9]), np.array([True, True]))[9].n == 2


@given(ANSWERS)
def test_bins_hold_every_answer_once_and_make_the_error(answers: list[tuple[float, bool]]) -> None:
    sure, right = np.array([c for c, _ in answers]), np.array([r for _, r in answers])
    bins = reliability_bins(sure, right)
    assert sum(one.n for one in bins) == len(answers)
    assert sum(one.right for one in bins) == right.sum()
    expected = sum(one.n * abs((one.accuracy or 0) - (one.confidence or 0)) for one in bins) / len(answers)
    assert calibration_error(sure, right, rng(), resamples=2).value == pytest.approx(expected)


@given(ANSWERS)
def test_the_area_is_that_of_scikit_learn_and_reads_order_alone(answers: list[tuple[float, bool]]) -> None:
    from sklearn.metrics import roc_auc_score

    sure, right = np.array([c for c, _ in answers]), np.array([r for _, r in answers])
    found = ranking_quality(sure, right, rng(), resamples=3)
    if right.all() or not right.any():
        assert found.value is None
        assert found.why
        return
    assert found.value == pytest.approx(float(roc_auc_score(right, sure)))
    assert ranking_quality(0.6 + sure**3 / 9, right, rng(), resamples=3).value == found.value


def test_documents_are_drawn_whole() -> None:
    sure, right = np.tile([0.9, 0.2], 10), np.tile([True, False], 10)
    documents = np.repeat(np.arange(10), 2)
    found = ranking_quality(sure, right, rng(), 50, documents)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    assert ranking_quality(sure, right, rng(), 50, np.repeat([0, 1], 10)).note.startswith("fewer than 5 documents")


@given(ANSWERS)
def test_coverage_keeps_ties_together_and_ends_with_all(answers: list[tuple[float, bool]]) -> None:
    sure, right = np.array([c for c, _ in answers]), np.array([r for _, r in answers])
    curve = coverage_curve(sure, right)
    assert curve[-1].coverage == 1
    assert [point.n for point in curve] == sorted({point.n for point in curve})
    for point in curve:
        kept = sure >= point.threshold
        assert (point.n, point.right) == (kept.sum(), right[kept].sum())
        assert point.accuracy == point.right / point.n


def test_without_answers_nothing_is_drawn() -> None:
    empty = np.array([])
    assert coverage_curve(empty, empty.astype(bool)) == ()
    assert calibration_error(empty, empty.astype(bool), rng()).value is None
    assert ranking_quality(empty, empty.astype(bool), rng()).value is None


def test_a_compressed_score_becomes_a_probability() -> None:
    """A score between 0.7 and 1 whose true chance runs from 0 to 1."""
    draw = np.random.default_rng(5)
    chance = draw.random(2_000)
    right = draw.random(2_000) < chance
    score = 0.7 + 0.3 * chance
    raw = calibration_error(score, right, rng(), resamples=50).value
    fitted = isotonic_out_of_fold(score, right, seed=1)
    error = calibration_error(fitted, right, rng(), resamples=50).value
    assert raw is not None
    assert error is not None
    assert raw > 0.3
    assert error < 0.06
    assert np.array_equal(fitted, isotonic_out_of_fold(score, right, seed=1))
    knots = isotonic_fit(score, right)
    assert [knot.probability for knot in knots] == sorted(knot.probability for knot in knots)
    assert (fitted >= 0).all()
    assert (fitted <= 1).all()


def test_no_answer_is_judged_by_a_fit_that_saw_its_document() -> None:
    score = np.repeat(np.linspace(0.1, 0.9, 20), 5)
    right = np.arange(100) % 2 == 0
    documents = np.repeat(np.arange(20), 5)
    fitted = isotonic_out_of_fold(score, right, 0, documents)
    assert fitted.shape == (100,)
    assert all(len(set(fitted[documents == one].round(12))) == 1 for one in range(20))


@pytest.mark.parametrize(("hits", "misses", "told"), [(4, 9, "found 4 and 9"), (9, 0, "found 9 and 0"), (5, 5, "")])
def test_a_fit_needs_five_of_each(hits: int, misses: int, told: str) -> None:
    assert told in why_no_fit(np.repeat([True, False], [hits, misses]))
    assert bool(told) == bool(why_no_fit(np.repeat([True, False], [hits, misses])))
