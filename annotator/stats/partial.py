"""Partial rank correlation, with an interval from resampling within strata."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.errors import UsageError
from annotator.stats.intervals import Estimate, percentile_interval
from annotator.stats.paired import weighted_ranks
from annotator.stats.resample import Floats

_BLOCK_VALUES = 2_000_000
_MOST_RANKED, _LEAST_DRAWS, _MOST_COUNTED = 20_000_000, 200, 5_000_000


def partial_spearman(
    x: ArrayLike,
    y: ArrayLike,
    covariates: Sequence[ArrayLike],
    rng: np.random.Generator,
    resamples: int = 10_000,
    strata: ArrayLike | None = None,
) -> Estimate:
    """Spearman's correlation of x and y given covariates: the partial correlation of the ranks (ties: mean ranks).

    Equal to pingouin's `partial_corr(method="spearman")`. Constant covariates say nothing and are left out. Items are
    resampled within `strata`. Undefined with fewer items than covariates + 3, or when a side, given the others, is constant.
    """
    columns = [np.asarray(values, dtype=np.float64) for values in (x, y, *covariates)]
    n = len(columns[0])
    if any(len(column) != n for column in columns):
        raise UsageError("partial correlation: found columns of different lengths; expected one value per item.")
    used = columns[:2] + [column for column in columns[2:] if n and np.ptp(column) > 0]
    if n < len(used) + 1 or n < 3:
        return Estimate(None, None, None, n, why="too few items")
    value = float(_partials(used, np.ones((1, n), dtype=np.int64))[0])
    if np.isnan(value):
        return Estimate(None, None, None, n, why="one side is constant, or follows from the covariates alone")
    block = max(1, _BLOCK_VALUES // (n * len(used)))
    draws = [
        _partials(used, draw_times(n, min(block, resamples - start), rng, strata))
        for start in range(0, resamples, block)
    ]
    interval = percentile_interval(np.concatenate(draws)) if draws else percentile_interval([])
    return Estimate(value, interval.low, interval.high, n)


def draw_times(n: int, resamples: int, rng: np.random.Generator, strata: ArrayLike | None = None) -> NDArray[np.int64]:
    """How often each of `n` items is drawn in each resample: rows sum to n, within strata to the strata's sizes."""
    times = np.zeros((resamples, n), dtype=np.int64)
    codes = np.zeros(n, dtype=np.int64) if strata is None else np.unique(np.asarray(strata), return_inverse=True)[1]
    for code in range(int(codes.max()) + 1 if n else 0):
        members = np.flatnonzero(codes == code)
        times[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), size=resamples)
    return times


def draw_clusters(codes: ArrayLike, resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How often each item is drawn when whole clusters are drawn with replacement, as many as there are (`codes` names
    the cluster of each item, 0 to k - 1). Rows need not sum to the number of items."""
    cluster = np.asarray(codes, dtype=np.int64)
    count = int(cluster.max()) + 1 if len(cluster) else 0
    drawn = rng.multinomial(count, np.full(count, 1 / max(count, 1)), size=resamples)
    return np.asarray(drawn[:, cluster], dtype=np.int64)


def clustered_spearman(
    x: ArrayLike, y: ArrayLike, codes: ArrayLike, rng: np.random.Generator, resamples: int = 10_000
) -> Estimate:
    """Spearman's correlation of many values, with the percentile interval of a bootstrap over clusters (see
    `draw_clusters`); ranks are taken anew in each resample.

    Values of few kinds (levels, classes) are counted by kind, which is quick at any length. Other long columns get fewer
    resamples: twenty million values are ranked at most, in 200 resamples at least; `note` then says how many. Undefined
    under three values or when a side is constant.
    """
    columns = [np.asarray(values, dtype=np.float64) for values in (x, y)]
    cluster, n = np.asarray(codes, dtype=np.int64), len(columns[0])
    if n < 3:
        return Estimate(None, None, None, n, why="fewer than three values")
    groups = [np.unique(column, return_inverse=True)[1] for column in columns]
    value = _weighted_spearman(groups, np.ones(n))
    if np.isnan(value):
        return Estimate(None, None, None, n, why="all values of one side are equal")
    count = int(cluster.max()) + 1
    kinds, kind = np.unique(groups[0] * (int(groups[1].max()) + 1) + groups[1], return_inverse=True)
    if len(kinds) * count <= _MOST_COUNTED:
        sides = list(np.divmod(kinds, int(groups[1].max()) + 1))
        table = np.bincount(cluster * len(kinds) + kind, minlength=count * len(kinds)).reshape(count, -1)
        found, draws = _draw_kinds(sides, table.astype(np.float64), rng, resamples), resamples
    else:
        draws = min(resamples, max(_LEAST_DRAWS, _MOST_RANKED // n))
        share = np.full(count, 1 / count)
        drawn = (rng.multinomial(count, share)[cluster].astype(float) for _ in range(draws))
        found = [_weighted_spearman(groups, weights) for weights in drawn]
    interval = percentile_interval(np.array(found))
    note = f"{draws:,} resamples" if draws < resamples else ""
    return Estimate(value, interval.low, interval.high, n, note=note)


def _draw_kinds(
    sides: Sequence[NDArray[np.intp]], table: Floats, rng: np.random.Generator, resamples: int
) -> list[float]:
    """Spearman's rho in each resample of the clusters (rows of `table`: how many values of each kind)."""
    count = len(table)
    block = max(1, _BLOCK_VALUES // count)
    found: list[float] = []
    for start in range(0, resamples, block):
        drawn = rng.multinomial(count, np.full(count, 1 / count), size=min(block, resamples - start))
        found += [_weighted_spearman(sides, weights) for weights in drawn @ table]
    return found


def _weighted_spearman(groups: Sequence[NDArray[np.intp]], weights: Floats) -> float:
    """Spearman's rho of values given by the numbers of their distinct values in order, each counted `weights` times."""
    ranks = []
    for group in groups:
        sizes = np.bincount(group, weights=weights)
        middle = np.cumsum(sizes) - sizes / 2
        ranks.append((middle - weights.sum() / 2)[group])
    spread = [float(np.dot(weights, rank * rank)) for rank in ranks]
    if min(spread) <= 0:
        return float("nan")
    return float(np.dot(weights, ranks[0] * ranks[1])) / float(np.sqrt(spread[0] * spread[1]))


def rank_correlations(x: ArrayLike, y: ArrayLike, times: NDArray[np.int64]) -> Floats:
    """Spearman's rho in each resample (rows of `times`); NaN where a side is constant or there are under three items."""
    columns = [np.asarray(values, dtype=np.float64) for values in (x, y)]
    if len(columns[0]) < 3:
        return np.full(len(times), np.nan)
    block = max(1, _BLOCK_VALUES // (2 * len(columns[0])))
    parts = [_partials(columns, times[start : start + block]) for start in range(0, len(times), block)]
    return np.concatenate(parts)


def _partials(columns: Sequence[Floats], times: NDArray[np.int64]) -> Floats:
    """The partial correlation of the first two columns given the rest, in each resample; NaN where it is undefined."""
    ranks = np.stack([weighted_ranks(column, times) for column in columns], axis=1)
    total = times.sum(axis=1)
    over = ranks - (total[:, None, None] + 1) / 2
    covariance = np.einsum("rn,rin,rjn->rij", times, over, over)
    spread = np.sqrt(np.einsum("rii->ri", covariance))
    found = np.full(len(times), np.nan)
    usable = (spread > 0).all(axis=1)
    scale = spread[usable]
    correlation = covariance[usable] / (scale[:, :, None] * scale[:, None, :])
    if len(columns) == 2:
        found[usable] = correlation[:, 0, 1]
        return found
    sound = np.linalg.cond(correlation) < 1e10
    inverse = np.linalg.inv(correlation[sound])
    at = np.flatnonzero(usable)[sound]
    found[at] = -inverse[:, 0, 1] / np.sqrt(inverse[:, 0, 0] * inverse[:, 1, 1])
    return found
