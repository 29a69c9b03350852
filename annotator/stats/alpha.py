"""Krippendorff's alpha with its item-bootstrap interval.

The value comes from `krippendorff`. For the interval alpha is written as a function of counts that add over items
(coincidences, Krippendorff 2019, chapter 12), so that ten thousand resamples cost a few matrix products.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from annotator.stats.bootstrap import bootstrap_statistic
from annotator.stats.intervals import Interval
from annotator.stats.resample import Floats


class Level(StrEnum):
    """Level of measurement: choices without order, ordered steps, or numbers whose distances count."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def krippendorff_alpha(ratings: Floats, level: Level) -> float:
    """Alpha of a raters x items matrix of numbers, NaN missing. At least one item needs two unequal ratings."""
    import krippendorff

    return float(krippendorff.alpha(reliability_data=ratings, level_of_measurement=level.value))


def alpha_interval(
    codes: Floats, numbers: Floats | None, level: Level, rng: np.random.Generator, resamples: int
) -> Interval:
    """The 95 % percentile interval of alpha over resampled items.

    `codes` are the ratings as 0, 1, 2 ... in ascending order of their values, `numbers` the values themselves (needed
    at the interval level). Resamples in which all ratings are equal are undefined and left out of the interval.
    """
    columns = alpha_columns(codes, numbers, level)
    estimate = bootstrap_statistic(columns, lambda sums: alpha_of_sums(sums, level), rng, resamples)
    return Interval(estimate.low, estimate.high)


def alpha_columns(codes: Floats, numbers: Floats | None, level: Level) -> Floats:
    """What each item adds to alpha, items x columns. Items with fewer than two ratings add nothing and are left out."""
    paired = (~np.isnan(codes)).sum(axis=0) >= 2
    if level is Level.INTERVAL:
        return _interval_columns((codes if numbers is None else numbers)[:, paired])
    counts = _value_counts(codes[:, paired])
    return _nominal_columns(counts) if level is Level.NOMINAL else _ordinal_columns(counts)


def alpha_of_sums(sums: Floats, level: Level) -> Floats:
    """Alpha of each row of summed `alpha_columns`; NaN where nothing could disagree."""
    return {Level.NOMINAL: _nominal_alpha, Level.ORDINAL: _ordinal_alpha, Level.INTERVAL: _interval_alpha}[level](sums)


def _value_counts(codes: Floats) -> Floats:
    """How often each value was given to each item: items x values."""
    values = int(np.nanmax(codes)) + 1
    return np.stack([(codes == value).sum(axis=0) for value in range(values)], axis=1).astype(np.float64)


def _nominal_columns(counts: Floats) -> Floats:
    """Per item: agreeing pairs over (ratings - 1), then how often each value occurs."""
    agreeing = (counts * (counts - 1)).sum(axis=1) / (counts.sum(axis=1) - 1)
    return np.column_stack([agreeing, counts])


def _nominal_alpha(sums: Floats) -> Floats:
    agreeing, values = sums[:, 0], sums[:, 1:]
    n = values.sum(axis=1)
    return _one_minus((n - 1) * (n - agreeing), n**2 - (values**2).sum(axis=1))


def _ordinal_columns(counts: Floats) -> Floats:
    """Per item: coincidences of every pair of values, flattened."""
    pairs = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    pairs[:, diagonal, diagonal] -= counts
    pairs /= counts.sum(axis=1)[:, None, None] - 1
    return pairs.reshape(len(counts), -1)


def _ordinal_alpha(sums: Floats) -> Floats:
    values = round(sums.shape[1] ** 0.5)
    coincidences = sums.reshape(-1, values, values)
    occurs = coincidences.sum(axis=2)
    # Distance of two values: the ratings from the one to the other, each end counted half.
    middle = np.cumsum(occurs, axis=1) - occurs / 2
    distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    seen = (coincidences * distance).sum(axis=(1, 2))
    expected = (occurs[:, :, None] * occurs[:, None, :] * distance).sum(axis=(1, 2))
    return _one_minus((occurs.sum(axis=1) - 1) * seen, expected)


def _interval_columns(numbers: Floats) -> Floats:
    """Per item: squared distances within over (ratings - 1), ratings, their sum and sum of squares (centred)."""
    centred = numbers - np.nanmean(numbers)
    n = (~np.isnan(centred)).sum(axis=0)
    total, squares = np.nansum(centred, axis=0), np.nansum(centred**2, axis=0)
    within = 2 * n * np.nanvar(centred, axis=0) * n / (n - 1)
    return np.column_stack([within, n, total, squares])


def _interval_alpha(sums: Floats) -> Floats:
    within, n, total, squares = sums.T
    return _one_minus((n - 1) * within, 2 * (n * squares - total**2))


def _one_minus(seen: Floats, expected: Floats) -> Floats:
    """1 - seen / expected disagreement; NaN where nothing could disagree."""
    possible = expected > 1e-9
    return 1 - np.divide(seen, expected, out=np.full_like(seen, np.nan), where=possible)
