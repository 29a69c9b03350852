"""How much of all damage the top of a list holds: the top-of-list share and the top-10 % catch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.stats.intervals import Estimate, percentile_interval
from annotator.stats.partial import draw_times
from annotator.stats.resample import Floats

CUTS = (0.1, 0.2, 0.3, 0.4, 0.5)
NO_DAMAGE = "there is no damage, or all edits do the same damage"


@dataclass(frozen=True, slots=True)
class TopOfList:
    """`share`: mean over the cuts of (G_f - f) / (O_f - f); `catch`: G_.1 / O_.1. 1 for the raters' own order; the share
    is 0 on average for a random one, and negative for a worse one."""

    share: Estimate
    catch: Estimate


def caught(order: ArrayLike, damage: ArrayLike, fraction: float) -> float | None:
    """G_f: the share of all damage in the first `fraction` of the list, sorted by `order`, highest first.

    The curve is linear between edits; tied edits each count their tie's mean damage. `None` without damage.
    """
    values = np.asarray(damage, dtype=np.float64)
    curve = _curves(np.asarray(order, dtype=np.float64), values, np.ones((1, len(values)), dtype=np.int64), (fraction,))
    return None if np.isnan(curve[0, 0]) else float(curve[0, 0])


def top_of_list(
    order: ArrayLike,
    damage: ArrayLike,
    rng: np.random.Generator,
    resamples: int = 10_000,
    strata: ArrayLike | None = None,
) -> TopOfList:
    """The measures of semCER, section B.1, with intervals from resampling edits within `strata`."""
    scores, values = np.asarray(order, dtype=np.float64), np.asarray(damage, dtype=np.float64)
    n = len(values)
    one = figures(scores, values, np.ones((1, n), dtype=np.int64))
    draws = figures(scores, values, draw_times(n, resamples, rng, strata)) if n else one
    return TopOfList(*(_estimate(float(one[0, k]), draws[:, k], n) for k in (0, 1)))


def figures(order: Floats, damage: Floats, times: NDArray[np.int64]) -> Floats:
    """Share and catch in each resample (rows); NaN where they are undefined."""
    got, best = _curves(order, damage, times, CUTS), _curves(damage, damage, times, CUTS)
    cuts = np.array(CUTS)
    gain = np.where(best - cuts > 1e-12, best - cuts, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(
            [((got - cuts) / gain).mean(axis=1), np.where(best[:, 0] > 0, got[:, 0] / best[:, 0], np.nan)], 1
        )


def in_turn(*keys: ArrayLike) -> Floats:
    """One order from several: the first, its ties broken by the next, and so on."""
    rows = np.stack([np.asarray(key, dtype=np.float64) for key in keys], axis=1)
    codes: Floats = np.unique(rows, axis=0, return_inverse=True)[1].ravel().astype(np.float64)
    return codes


def _curves(order: Floats, damage: Floats, times: NDArray[np.int64], cuts: Sequence[float]) -> Floats:
    """The share of damage at each cut in each resample: linear between the ends of ties."""
    if not len(damage):
        return np.full((len(times), len(cuts)), np.nan)
    _, group = np.unique(-order, return_inverse=True)
    member = np.zeros((len(order), int(group.max()) + 1))
    member[np.arange(len(order)), group.ravel()] = 1
    sizes = np.cumsum(times @ member, axis=1)
    sums = np.cumsum(times @ (member * damage[:, None]), axis=1)
    found = np.full((len(times), len(cuts)), np.nan)
    for row, (x, y) in enumerate(zip(sizes, sums, strict=True)):
        if y[-1] > 0:
            found[row] = np.interp(np.asarray(cuts) * x[-1], np.append(0, x), np.append(0, y)) / y[-1]
    return found


def _estimate(value: float, draws: Floats, n: int) -> Estimate:
    if np.isnan(value):
        return Estimate(None, None, None, n, why=NO_DAMAGE)
    interval = percentile_interval(draws)
    return Estimate(value, interval.low, interval.high, n)
