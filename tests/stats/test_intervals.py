"""Wilson and percentile intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from annotator.errors import UsageError
from annotator.stats.intervals import Interval, percentile_interval, wilson_estimate, wilson_interval

# SceneFaith, Table 9: rewritten of 781 clear images, and the interval in percent.
PUBLISHED = [
    (66, 6.70, 10.61),
    (70, 7.16, 11.17),
    (86, 9.00, 13.40),
    (95, 10.05, 14.64),
    (152, 16.84, 22.39),
    (215, 24.51, 30.77),
    (231, 26.48, 32.87),
    (296, 34.56, 41.35),
    (347, 40.98, 47.93),
]


@pytest.mark.parametrize(("successes", "low", "high"), PUBLISHED)
def test_wilson_of_the_paper(successes: int, low: float, high: float) -> None:
    found = wilson_estimate(successes, 781)
    assert found.low is not None
    assert found.high is not None
    assert (round(100 * found.low, 2), round(100 * found.high, 2)) == (low, high)
    assert (found.value, found.n) == (successes / 781, 781)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_equals_statsmodels(counts: tuple[int, int]) -> None:
    expected = proportion_confint(*counts, method="wilson")
    found = wilson_interval(*counts)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-12)


def test_wilson_of_nothing_is_undefined() -> None:
    assert wilson_interval(0, 0) == Interval(None, None)
    assert wilson_estimate(0, 0).why == "no answered items"


def test_wilson_refuses_impossible_counts() -> None:
    with pytest.raises(UsageError, match="3 successes of 2"):
        wilson_interval(3, 2)


def test_percentiles_leave_undefined_draws_out() -> None:
    found = percentile_interval([np.nan, *range(101), np.nan])
    assert (found.low, found.high) == pytest.approx((2.5, 97.5))
    assert percentile_interval([np.nan]) == Interval(None, None)
    assert percentile_interval([]) == Interval(None, None)
