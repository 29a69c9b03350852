"""Partial rank correlation against pingouin, and its edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from annotator.errors import UsageError
from annotator.stats.paired import spearman
from annotator.stats.partial import clustered_spearman, draw_clusters, draw_times, partial_spearman


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("names", [("z",), ("z", "w")])
def test_equals_pingouin(seed: int, names: tuple[str, ...]) -> None:
    import pandas as pd
    import pingouin

    rng = np.random.default_rng(seed)
    z, w = rng.integers(0, 3, 60), rng.integers(0, 2, 60)
    data = pd.DataFrame({"x": z + rng.integers(0, 5, 60), "y": z + w + rng.integers(0, 5, 60), "z": z, "w": w})
    expected = pingouin.partial_corr(data, x="x", y="y", covar=list(names), method="spearman")["r"].iloc[0]
    found = partial_spearman(data["x"], data["y"], [data[name] for name in names], rng, 20)
    assert found.value == pytest.approx(expected, abs=1e-9)


def test_without_covariates_it_is_spearman() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=40), rng.normal(size=40)
    plain = spearman(x, y, np.random.default_rng(0), 10).value
    assert partial_spearman(x, y, [np.zeros(40)], rng, 10).value == pytest.approx(plain)


def test_the_interval_holds_the_value_of_a_strong_relation() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=80)
    found = partial_spearman(x, x + 0.3 * rng.normal(size=80), [rng.normal(size=80)], rng, 300)
    assert found.low is not None
    assert found.high is not None
    assert found.low > 0.7
    assert found.high <= 1.0


@pytest.mark.parametrize(
    ("x", "y", "z"), [([1, 2], [1, 2], [1, 2]), ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5], [1, 2, 2, 1, 3])]
)
def test_undefined_is_said(x: list[float], y: list[float], z: list[float]) -> None:
    found = partial_spearman(x, y, [z], np.random.default_rng(0), 10)
    assert (found.value, bool(found.why)) == (None, True)


def test_a_side_that_follows_from_a_covariate_is_undefined() -> None:
    x = np.arange(10.0)
    assert partial_spearman(x, x[::-1] ** 3, [x], np.random.default_rng(0), 5).value is None


def test_lengths_must_match() -> None:
    with pytest.raises(UsageError, match="different lengths"):
        partial_spearman([1, 2, 3], [1, 2], [], np.random.default_rng(0))


def test_draws_keep_the_sizes_of_strata() -> None:
    times = draw_times(6, 50, np.random.default_rng(0), ["a", "a", "b", "b", "b", "b"])
    assert set(times[:, :2].sum(axis=1)) == {2}
    assert set(times[:, 2:].sum(axis=1)) == {4}


def test_spearman_over_clusters_of_one_is_spearman() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 5, 200) / 4
    y = np.round(x + rng.normal(0, 0.4, 200), 1)
    found = clustered_spearman(x, y, np.arange(200), np.random.default_rng(1), 2_000)
    plain = spearman(x, y, np.random.default_rng(2), 2_000)
    assert found.value == pytest.approx(float(spearmanr(x, y).statistic))
    assert (found.low, found.high) == (pytest.approx(plain.low, abs=0.02), pytest.approx(plain.high, abs=0.02))
    assert (found.n, found.note) == (200, "")
    doubled = clustered_spearman(
        np.tile(x, 2), np.tile(y, 2), np.tile(np.arange(200), 2), np.random.default_rng(1), 2_000
    )
    assert (doubled.value, doubled.low) == (pytest.approx(found.value), pytest.approx(found.low))


def test_spearman_over_clusters_says_why_it_is_undefined_and_how_often_it_drew() -> None:
    rng = np.random.default_rng(0)
    assert clustered_spearman([1, 2], [1, 2], [0, 1], rng).why == "fewer than three values"
    assert "equal" in clustered_spearman([1, 1, 1], [1, 2, 3], [0, 1, 2], rng).why
    many = rng.normal(size=60_000)
    assert clustered_spearman(many, many + 1, np.arange(60_000) % 100, rng, 1_000).note == "333 resamples"


def test_values_of_few_kinds_are_counted_and_give_the_same() -> None:
    """A hair on every value makes each a kind of its own: the other way of counting, and the same interval."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 5, 3_000) / 4
    y = np.clip(x + rng.integers(-1, 2, 3_000) / 4, 0, 1)
    codes = rng.integers(0, 60, 3_000)
    few = clustered_spearman(x, y, codes, np.random.default_rng(2), 1_000)
    hair = np.arange(3_000) * 1e-12
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("annotator.stats.partial._MOST_COUNTED", 0)
        same = clustered_spearman(x, y, codes, np.random.default_rng(2), 1_000)
        many = clustered_spearman(x + hair, y + hair, codes, np.random.default_rng(2), 1_000)
    assert (few.value, few.low, few.high) == (
        pytest.approx(same.value), pytest.approx(same.low, abs=1e-9), pytest.approx(same.high, abs=1e-9)
    )  # fmt: skip
    assert (many.low, many.high) == (pytest.approx(few.low, abs=0.03), pytest.approx(few.high, abs=0.03))


def test_whole_clusters_are_drawn() -> None:
    times = draw_clusters([0, 0, 1, 2, 2, 2], 50, np.random.default_rng(0))
    assert (times[:, 0] == times[:, 1]).all()
    assert (times[:, 3] == times[:, 5]).all()
    assert (times[:, [0, 2, 3]].sum(axis=1) == 3).all()
