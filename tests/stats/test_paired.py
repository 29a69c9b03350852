"""McNemar, Holm, transitions and Spearman against statsmodels and scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from annotator.errors import UsageError
from annotator.stats.paired import exact_mcnemar, holm, mcnemar_of, spearman, transition_matrix


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_equals_statsmodels(only_a: int, only_b: int) -> None:
    expected = mcnemar([[5, only_a], [only_b, 5]], exact=True).pvalue if only_a + only_b else 1.0
    assert exact_mcnemar(only_a, only_b).p == pytest.approx(expected, abs=1e-12)


def test_mcnemar_of_answers() -> None:
    found = mcnemar_of([1, 1, 1, 0, 0], [0, 0, 1, 1, 0])
    assert (found.only_a, found.only_b) == (2, 1)
    assert found.p == 1.0
    with pytest.raises(UsageError, match="one pair per item"):
        mcnemar_of([1], [1, 0])
    with pytest.raises(UsageError, match="below 0"):
        exact_mcnemar(-1, 0)


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_statsmodels(p_values: list[float]) -> None:
    expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(tuple(expected))


def test_holm_of_no_tests() -> None:
    assert holm([]) == ()


def test_transition_matrix() -> None:
    assert transition_matrix("LLCO", "LCCL", "LCO") == ((1, 1, 0), (0, 1, 0), (1, 0, 0))
    with pytest.raises(UsageError, match="one pair per item"):
        transition_matrix("L", "", "LCO")


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=40))
def test_spearman_equals_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = spearman(x, y, np.random.default_rng(0), 20)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found.value is None
        assert found.why == "all values of one side are equal"
    else:
        assert found.value == pytest.approx(scipy.stats.spearmanr(x, y).statistic)


def test_resampled_items_are_ranked_again() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 8, 60)
    y = x + rng.integers(0, 9, 60)
    slow = []
    for _ in range(1500):
        drawn = rng.integers(0, 60, 60)
        slow.append(scipy.stats.spearmanr(x[drawn], y[drawn]).statistic)
    found = spearman(x, y, np.random.default_rng(2), 4000)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [0.025, 0.975])), abs=0.03)


def test_spearman_of_too_few_items_is_undefined() -> None:
    assert spearman([1, 2], [1, 2], np.random.default_rng(0)).why == "fewer than three items"
