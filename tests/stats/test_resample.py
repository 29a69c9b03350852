"""Sums over resampled items."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import UsageError
from annotator.stats import resample
from annotator.stats.resample import FEW_CLUSTERS, cluster_codes, resample_sums, resample_sums_by_group, use_clusters


def test_grouped_sums_follow_the_binomial_of_exact_enumeration() -> None:
    """60 items, 3 of them 1: the number of ones in a resample is binomial(60, 1/20)."""
    sums = resample_sums([1, 1, 1] + [0] * 57, np.random.default_rng(1), 40_000)[:, 0]
    for ones in range(8):
        expected = comb(60, ones) * 0.05**ones * 0.95 ** (60 - ones)
        assert np.mean(sums == ones) == pytest.approx(expected, abs=0.01)


def test_drawn_sums_follow_exact_enumeration() -> None:
    """Four different items: all 256 resamples, each as likely."""
    values = np.array([0.0, 1.0, 10.0, 100.0])
    every = [values[list(drawn)].sum() for drawn in product(range(4), repeat=4)]
    sums = resample_sums(values, np.random.default_rng(2), 40_000)[:, 0]
    assert set(sums) <= set(every)
    for total in sorted(set(every))[:12]:
        assert np.mean(sums == total) == pytest.approx(every.count(total) / 256, abs=0.01)


@pytest.mark.parametrize("n", [474, 20_001])
def test_drawn_and_many_items_keep_mean_and_spread(n: int) -> None:
    values = np.random.default_rng(3).random((n, 1)) * 10
    means = resample_sums(values, np.random.default_rng(4), 400)[:, 0] / n
    standard_error = values.std() / n**0.5
    assert means.mean() == pytest.approx(values.mean(), abs=4 * standard_error / 20)
    assert means.std() == pytest.approx(standard_error, rel=0.15)


def test_many_columns_keep_mean_and_spread() -> None:
    values = np.random.default_rng(3).random((400, 5))
    means = resample_sums(values, np.random.default_rng(4), 2000) / 400
    assert means.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.003)
    assert means.std(axis=0) == pytest.approx(values.std(axis=0) / 20, rel=0.1)


def test_columns_are_resampled_together() -> None:
    values = np.random.default_rng(5).random(50)
    for extra in (1, 4):
        columns = np.column_stack([values, *([1 - values] * extra)])
        sums = resample_sums(columns, np.random.default_rng(6), 30)
        assert np.allclose(sums[:, 0] + sums[:, 1], 50)


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(7).random(300)
    alone = resample_sums(values, np.random.default_rng(8), 2000)
    monkeypatch.setattr(resample, "_PARALLEL_FROM", 0)
    monkeypatch.setattr(resample.os, "cpu_count", lambda: 3)
    assert np.array_equal(resample_sums(values, np.random.default_rng(8), 2000), alone)


def test_whole_clusters_are_drawn() -> None:
    columns = np.column_stack([[1, 1, 1, 5, 5, 9], [1] * 6])
    sums = resample_sums(columns, np.random.default_rng(9), 200, [0, 0, 0, 1, 1, 2])
    clusters = {(3.0, 3.0), (10.0, 2.0), (9.0, 1.0)}
    possible = {tuple(map(sum, zip(*drawn, strict=True))) for drawn in product(clusters, repeat=3)}
    assert {tuple(row) for row in sums} <= possible


@given(st.integers(1, 20_000))
def test_parts_cover_every_item_once(n: int) -> None:
    parts = resample._powers_of_two(n)
    assert [start for start, _ in parts] == [0, *(stop for _, stop in parts)][:-1]
    assert parts[-1][1] == n
    assert all((stop - start).bit_count() == 1 and stop - start <= 2**8 for start, stop in parts)


def test_cluster_codes() -> None:
    assert cluster_codes(["a", "b", "c"]) is None
    assert cluster_codes(["", "", ""]) is None
    codes = cluster_codes(["a", "", "a", ""])
    assert codes is not None
    assert codes.tolist() == [0, 1, 0, 2]


def test_under_five_documents_items_are_resampled_and_that_is_said() -> None:
    assert use_clusters(None) == (None, "")
    assert use_clusters([0, 1, 2, 3, 3]) == (None, FEW_CLUSTERS)
    codes, note = use_clusters([0, 1, 2, 3, 4, 4])
    assert codes is not None
    assert note == ""


def test_refuses_what_cannot_be_resampled() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(UsageError, match="at least one item"):
        resample_sums([], rng, 10)
    with pytest.raises(UsageError, match="not finite"):
        resample_sums([1.0, float("nan")], rng, 10)
    with pytest.raises(UsageError, match="cluster codes"):
        resample_sums([1.0, 2.0], rng, 10, [0])


@pytest.mark.parametrize("clusters", [None, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]])
def test_sums_by_group_add_up_to_the_sums(clusters: list[int] | None) -> None:
    rng = np.random.default_rng(3)
    columns = np.stack([np.arange(12.0), np.ones(12)], axis=1)
    sums = resample_sums_by_group(columns, [0, 1, 2] * 4, 4, rng, 500, clusters)
    assert sums.shape == (500, 4, 2)
    assert not sums[:, 3].any()
    assert (sums[..., 1].sum(axis=1) == 12).all()
    assert len(np.unique(sums[:, 0, 1])) > 1
    assert sums[..., 0].sum(axis=1).mean() == pytest.approx(66, rel=0.05)
