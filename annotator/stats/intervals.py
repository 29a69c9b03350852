"""Estimates with their intervals: Wilson for a proportion, percentiles for a bootstrap."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from annotator.errors import UsageError

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends of an interval; both are `None` when it is undefined."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure over `n` items with its 95 % interval.

    `value` is `None` when the figure is undefined, and `why` says why; the same for the ends of the interval. `note`
    tells what a reader must know about how the interval was made, for example that items stood in for documents.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    why: str = ""
    note: str = ""


def wilson_interval(successes: int, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion of independent yes/no answers (Wilson 1927), as statsmodels gives it.

    Both ends are in [0, 1]; undefined (`None`) when `n` is 0.
    """
    if not 0 <= successes <= n:
        raise UsageError(f"Wilson interval: found {successes} successes of {n}; expected 0 <= successes <= n.")
    if n == 0:
        return Interval(None, None)
    z = _normal_quantile((1 + level) / 2)
    share = successes / n
    shrink = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / shrink
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high)


def wilson_estimate(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """A proportion with its Wilson interval; undefined, and said so, when `n` is 0."""
    if n == 0:
        return Estimate(None, None, None, 0, why="no answered items")
    interval = wilson_interval(successes, n, level)
    return Estimate(successes / n, interval.low, interval.high, n)


def percentile_interval(draws: ArrayLike, level: float = LEVEL) -> Interval:
    """The central `level` of bootstrap draws (`numpy.quantile`, linear). NaN marks a draw whose statistic is undefined.

    Undefined draws are left out; with none left the interval is undefined.
    """
    values = np.asarray(draws, dtype=np.float64)
    values = values[~np.isnan(values)]
    if not values.size:
        return Interval(None, None)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _normal_quantile(share: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)
