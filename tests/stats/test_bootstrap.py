"""Bootstrap estimates and differences."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import UsageError
from annotator.stats.bootstrap import (
    Verdict,
    bootstrap_difference,
    bootstrap_mean,
    bootstrap_rate,
    bootstrap_rate_difference,
    bootstrap_statistic,
    bootstrap_stratified_difference,
    bootstrap_unpaired_difference,
    bootstrap_unpaired_rate_difference,
    verdict_of,
)
from annotator.stats.intervals import Interval
from annotator.stats.resample import FEW_CLUSTERS


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_paired_difference_against_exact_enumeration() -> None:
    a, b = np.array([1, 1, 1, 0, 1, 1]), np.array([0, 1, 0, 1, 0, 1])
    every = np.array([(a - b)[list(drawn)].mean() for drawn in product(range(6), repeat=6)])
    found = bootstrap_difference(a, b, rng(), 100_000)
    assert (found.a, found.b, found.difference) == (5 / 6, 3 / 6, pytest.approx(2 / 6))
    assert found.p == pytest.approx(2 * np.mean(every <= 1e-12), abs=0.01)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(every, [0.025, 0.975])))
    assert found.verdict is Verdict.WITHIN_NOISE


VERDICTS = [
    ([1] * 30 + [0] * 70, [0] * 100, Verdict.SIGNIFICANT),
    ([0] * 100, [1] * 30 + [0] * 70, Verdict.SIGNIFICANT),
    ([1, 0] * 50, [1, 0] * 50, Verdict.WITHIN_NOISE),
    ([1] * 9 + [0] * 93, [0] * 9 + [1] * 2 + [0] * 91, Verdict.SIGNIFICANT),
    ([1] * 8 + [0] * 92, [0] * 8 + [1] * 2 + [0] * 90, Verdict.MARGINAL),
]


@pytest.mark.parametrize(("a", "b", "verdict"), VERDICTS)
def test_verdicts(a: list[int], b: list[int], verdict: Verdict) -> None:
    found = bootstrap_difference(a, b, rng(3), 20_000)
    assert found.verdict is verdict
    assert found.low is not None
    assert found.high is not None
    assert (found.low > 0 or found.high < 0) == (verdict is Verdict.SIGNIFICANT)


def test_p_is_at_least_one_resample_and_at_most_one() -> None:
    clear = bootstrap_difference([1] * 50, [0] * 50, rng(), 1000)
    assert (clear.p, clear.low, clear.high) == (0.001, 1.0, 1.0)
    same = bootstrap_difference([0.1, 0.7], [0.1, 0.7], rng(), 1000)
    assert (same.p, same.difference, same.low, same.high) == (1.0, 0.0, 0.0, 0.0)


def test_equal_on_paper_counts_as_zero_in_both_tails() -> None:
    a = [0.1 + 0.2, 0.3, 0.5, 0.6]
    b = [0.3, 0.1 + 0.2, 0.5, 0.6]
    assert bootstrap_difference(a, b, rng(), 2000).p == 1.0


@settings(max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80), st.integers(0, 100))
def test_swapping_sides_turns_the_sign(pairs: list[tuple[bool, bool]], seed: int) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    there, back = bootstrap_difference(a, b, rng(seed), 500), bootstrap_difference(b, a, rng(seed + 1), 500)
    assert there.difference is not None
    assert back.difference == pytest.approx(-there.difference)
    assert there.p is not None
    assert 1 / 500 <= there.p <= 1


def test_interval_agrees_with_scipy() -> None:
    values = rng(1).gamma(2, size=120)
    found = bootstrap_mean(values, rng(2), 10_000)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="percentile", vectorized=True, rng=rng(3)
    ).confidence_interval
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_unpaired_difference_agrees_with_scipy() -> None:
    a, b = (rng(4).random(90) < 0.3).astype(float), (rng(5).random(140) < 0.5).astype(float)
    found = bootstrap_unpaired_difference(a, b, rng(6))
    theirs = scipy.stats.bootstrap(
        (a, b),
        lambda x, y, axis: x.mean(axis) - y.mean(axis),
        n_resamples=10_000,
        method="percentile",
        vectorized=True,
        rng=rng(7),
    ).confidence_interval
    assert found.difference == pytest.approx(a.mean() - b.mean())
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)
    assert found.n == 230


def test_pooled_rate_weighs_items_by_length() -> None:
    found = bootstrap_rate([0, 3], [7, 3], rng(), 200)
    assert found.value == 0.3
    assert (found.low, found.high) == (0.0, 1.0)


def test_rates_of_nothing_are_undefined() -> None:
    assert bootstrap_rate([], [], rng()).why == "no items"
    assert bootstrap_rate([1, 2], [0, 0], rng()).why == "the denominator is 0"
    assert bootstrap_mean([], rng()).value is None
    nothing = bootstrap_difference([], [], rng())
    assert (nothing.a, nothing.p, nothing.verdict, nothing.why) == (None, None, None, "no items")
    one_sided = bootstrap_unpaired_difference([], [1, 0], rng())
    assert (one_sided.a, one_sided.b, one_sided.difference) == (None, 0.5, None)
    assert bootstrap_rate_difference(([1], [0]), ([1], [2]), rng()).b == 0.5


def test_rate_difference_equals_the_difference_of_means_when_lengths_are_one() -> None:
    a, b = rng(1).integers(0, 2, 60), rng(2).integers(0, 2, 60)
    ones = np.ones(60)
    rates = bootstrap_rate_difference((a, ones), (b, ones), rng(3), 20_000)
    means = bootstrap_difference(a, b, rng(4), 20_000)
    assert rates.difference == pytest.approx(means.difference)
    assert (rates.low, rates.high) == pytest.approx((means.low, means.high), abs=0.02)


def test_items_of_one_document_stay_together() -> None:
    values = np.repeat(rng(1).random(12) < 0.5, 20).astype(float)
    documents = np.repeat(np.arange(12), 20)
    apart, together = bootstrap_mean(values, rng(2)), bootstrap_mean(values, rng(2), clusters=documents)
    assert together.high - together.low > 2 * (apart.high - apart.low)
    few = bootstrap_mean(values, rng(2), clusters=documents // 4)
    assert few.note == FEW_CLUSTERS
    assert (few.low, few.high) == pytest.approx((apart.low, apart.high), abs=0.01)
    assert bootstrap_difference(values, 1 - values, rng(), clusters=documents // 4).note == FEW_CLUSTERS


def test_documents_that_span_both_samples_are_drawn_once() -> None:
    """A document holds the same share in both samples: its items cancel when they are drawn together."""
    shares = np.repeat(rng(1).random(30) < 0.5, 10).astype(float)
    documents = np.repeat(np.arange(30), 10)
    together = bootstrap_unpaired_difference(shares, shares, rng(2), clusters=(documents, documents))
    assert (together.low, together.high) == (0.0, 0.0)


def test_stratified_difference_weighs_strata() -> None:
    strata = [([1, 0, 1, 1], [0, 0]), ([1], [0, 1]), ([1, 1], []), ([], [1])]
    weights = [4 * 2 / 6, 1 * 2 / 3]
    found = bootstrap_stratified_difference(strata, rng(), 500)
    assert found.difference == pytest.approx((weights[0] * 0.75 + weights[1] * 0.5) / sum(weights))
    assert found.n == 9
    assert bootstrap_stratified_difference([([1], [])], rng()).why == "no stratum holds items of both samples"


def test_any_function_of_sums() -> None:
    columns = np.column_stack([[1.0, 0, 1, 1], [1, 1, 1, 0.0]])
    found = bootstrap_statistic(columns, lambda sums: sums[:, 0] - sums[:, 1], rng(), 2000)
    assert (found.value, found.n) == (0.0, 4)
    assert found.low == -found.high


def test_pairs_must_match() -> None:
    with pytest.raises(UsageError, match="2 and 1 values"):
        bootstrap_difference([1, 0], [1], rng())


def test_the_same_seed_gives_the_same_interval() -> None:
    values = rng(1).random(70)
    assert bootstrap_mean(values, rng(5)) == bootstrap_mean(values, rng(5))


PAPER_TABLE_10 = [
    ((0.42, 4.64), 0.020, Verdict.SIGNIFICANT),
    ((-0.21, 2.95), 0.14, Verdict.WITHIN_NOISE),
    ((-1.05, 3.59), 0.32, Verdict.WITHIN_NOISE),
    ((-2.32, 1.48), 0.73, Verdict.WITHIN_NOISE),
    ((-2.95, 0.42), 0.19, Verdict.WITHIN_NOISE),
    ((-0.63, 1.90), 0.43, Verdict.WITHIN_NOISE),
    ((-2.11, 0.42), 0.26, Verdict.WITHIN_NOISE),
    ((-3.16, 0.00), 0.078, Verdict.MARGINAL),
]


@pytest.mark.parametrize(("ends", "p", "verdict"), PAPER_TABLE_10)
def test_the_papers_verdicts_follow_from_its_intervals_and_p(
    ends: tuple[float, float], p: float, verdict: Verdict
) -> None:
    assert verdict_of(Interval(*ends), p) is verdict


def test_unpaired_rates_of_weight_one_are_means() -> None:
    a, b = [1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0]
    means = bootstrap_unpaired_difference(a, b, rng(), 20_000)
    rates = bootstrap_unpaired_rate_difference([((a, [1.0] * 4), (b, [1.0] * 3))], rng(), 20_000)
    assert (rates.a, rates.b, rates.difference) == (means.a, means.b, means.difference)
    assert (rates.low, rates.high) == pytest.approx((means.low, means.high), abs=0.05)


def test_unpaired_rates_pool_within_a_stratum_and_weigh_strata_by_items() -> None:
    long = (([1.0, 0.0], [2.0, 8.0]), ([3.0], [6.0]))
    short = (([1.0], [1.0]), ([0.0], [1.0]))
    empty = (([1.0], [1.0]), ([0.0], [0.0]))
    found = bootstrap_unpaired_rate_difference([long, short, empty], rng(), 500)
    weights = (2 * 1 / 3, 1 * 1 / 2)
    expected = (weights[0] * (0.1 - 0.5) + weights[1] * (1.0 - 0.0)) / sum(weights)
    assert found.difference == pytest.approx(expected)
    assert bootstrap_unpaired_rate_difference([empty], rng(), 10).why == "no stratum holds items of both samples"
