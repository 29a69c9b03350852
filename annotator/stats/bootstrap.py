"""The item bootstrap: paired, unpaired, stratified and clustered, for rates, means and anything made of sums.

Percentile intervals at 95 %, 10,000 resamples unless said. Every function takes the random generator; the same seed
gives the same interval. Whatever pools several systems over the same items is one row per item here, so that an item
and all its answers are resampled together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from annotator.errors import UsageError
from annotator.stats.intervals import Estimate, Interval, percentile_interval
from annotator.stats.resample import Floats, resample_sums, use_clusters

RESAMPLES = 10_000
_BLOCK_SUMS = 4_000_000
NO_ITEMS = "no items"
ZERO_DENOMINATOR = "the denominator is 0"


class Verdict(StrEnum):
    """Significant: the 95 % interval excludes 0. Marginal: it does not, but p < 0.10. Else within noise."""

    SIGNIFICANT = "significant"
    MARGINAL = "marginal"
    WITHIN_NOISE = "within-noise"


@dataclass(frozen=True, slots=True)
class Difference:
    """Two figures and `difference` = a - b with its 95 % interval, over `n` items (of both samples when unpaired).

    `p` = 2 min(P(delta* <= 0), P(delta* >= 0)) over the resamples, both tails counting zero, at most 1 and at least
    1 / resamples (StratiSTR, section 4). Undefined figures are `None` and `why` says why. A negative difference means
    that a is the smaller, whatever the metric.
    """

    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: Verdict | None
    n: int
    why: str = ""
    note: str = ""


def bootstrap_difference(
    a: ArrayLike,
    b: ArrayLike,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: ArrayLike | None = None,
) -> Difference:
    """Paired difference of two means: `a[i]` and `b[i]` are the values of two systems on item i.

    Raises `UsageError` when the lengths differ or a value is not finite. No items: undefined.
    """
    first, second = _values(a), _values(b)
    if len(first) != len(second):
        raise UsageError(f"Paired bootstrap: found {len(first)} and {len(second)} values; expected one pair per item.")
    if not len(first):
        return _undefined(None, None, 0, NO_ITEMS)
    codes, note = use_clusters(clusters)
    gaps = first - second
    if codes is None:
        draws = resample_sums(gaps, rng, resamples)[:, 0] / len(gaps)
    else:
        sums = resample_sums(np.stack([gaps, np.ones_like(gaps)], axis=1), rng, resamples, codes)
        draws = sums[:, 0] / sums[:, 1]
    return _difference(float(first.mean()), float(second.mean()), draws, len(first), note)


def bootstrap_rate_difference(
    a: tuple[ArrayLike, ArrayLike],
    b: tuple[ArrayLike, ArrayLike],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: ArrayLike | None = None,
) -> Difference:
    """Paired difference of two pooled rates, each given as (numerators, denominators) per item."""
    columns = np.stack([_values(part) for part in (*a, *b)], axis=1)
    if not len(columns):
        return _undefined(None, None, 0, NO_ITEMS)
    total = columns.sum(axis=0)
    if not total[1] or not total[3]:
        return _undefined(_share(total[0], total[1]), _share(total[2], total[3]), len(columns), ZERO_DENOMINATOR)
    codes, note = use_clusters(clusters)
    sums = resample_sums(columns, rng, resamples, codes)
    draws = _ratio(sums[:, 0], sums[:, 1]) - _ratio(sums[:, 2], sums[:, 3])
    return _difference(total[0] / total[1], total[2] / total[3], draws, len(columns), note)


def bootstrap_unpaired_difference(
    a: ArrayLike,
    b: ArrayLike,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: tuple[ArrayLike, ArrayLike] | None = None,
) -> Difference:
    """Difference of the means of two separate samples, for example two cells: each is resampled within itself.

    With `clusters` (codes of a, codes of b, from one numbering) documents are drawn, with their items of both samples.
    """
    first, second = _values(a), _values(b)
    n = len(first) + len(second)
    if not len(first) or not len(second):
        return _undefined(_mean(first), _mean(second), n, NO_ITEMS)
    codes, note = use_clusters(None if clusters is None else np.concatenate([np.asarray(c) for c in clusters]))
    if codes is None:
        one = resample_sums(first, rng, resamples)[:, 0] / len(first)
        other = resample_sums(second, rng, resamples)[:, 0] / len(second)
        draws = one - other
    else:
        inside = np.repeat([1.0, 0.0], [len(first), len(second)])
        value = np.concatenate([first, second])
        columns = np.stack([value * inside, inside, value * (1 - inside), 1 - inside], axis=1)
        sums = resample_sums(columns, rng, resamples, codes)
        draws = _ratio(sums[:, 0], sums[:, 1]) - _ratio(sums[:, 2], sums[:, 3])
    return _difference(float(first.mean()), float(second.mean()), draws, n, note)


def bootstrap_stratified_difference(
    strata: Sequence[tuple[ArrayLike, ArrayLike]], rng: np.random.Generator, resamples: int = RESAMPLES
) -> Difference:
    """Difference of means between two samples, held within strata (benchmarks): sum of w (a - b) / sum of w.

    w = n_a n_b / (n_a + n_b), the weight of Cochran and Mantel-Haenszel; strata without both samples are left out.
    Items are resampled within stratum and sample. `a` and `b` are the means under the same weights.
    """
    pairs = [(_values(a), _values(b)) for a, b in strata]
    pairs = [(a, b) for a, b in pairs if len(a) and len(b)]
    if not pairs:
        return _undefined(None, None, 0, "no stratum holds items of both samples")
    weights = np.array([len(a) * len(b) / (len(a) + len(b)) for a, b in pairs])
    weights = weights / weights.sum()
    draws = np.zeros(resamples)
    for weight, (a, b) in zip(weights, pairs, strict=True):
        one = resample_sums(a, rng, resamples)[:, 0] / len(a)
        other = resample_sums(b, rng, resamples)[:, 0] / len(b)
        draws += weight * (one - other)
    first = float(sum(w * a.mean() for w, (a, _) in zip(weights, pairs, strict=True)))
    second = float(sum(w * b.mean() for w, (_, b) in zip(weights, pairs, strict=True)))
    return _difference(first, second, draws, sum(len(a) + len(b) for a, b in pairs), "")


def bootstrap_unpaired_rate_difference(
    strata: Sequence[tuple[tuple[ArrayLike, ArrayLike], tuple[ArrayLike, ArrayLike]]],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Difference:
    """The stratified difference of `bootstrap_stratified_difference` for pooled rates; one stratum is the plain one.

    Each sample is (numerators, denominators) per item; a stratum weighs n_a n_b / (n_a + n_b) by its numbers of items.
    Strata in which a sample has a denominator of 0 are left out.
    """
    pairs = [(_rows(a), _rows(b)) for a, b in strata]
    pairs = [(a, b) for a, b in pairs if a[:, 1].sum() and b[:, 1].sum()]
    if not pairs:
        return _undefined(None, None, 0, "no stratum holds items of both samples")
    weights = np.array([len(a) * len(b) / (len(a) + len(b)) for a, b in pairs])
    weights = weights / weights.sum()
    draws = np.zeros(resamples)
    for weight, (a, b) in zip(weights, pairs, strict=True):
        one, other = (resample_sums(sample, rng, resamples) for sample in (a, b))
        draws += weight * (_ratio(one[:, 0], one[:, 1]) - _ratio(other[:, 0], other[:, 1]))
    totals = [(a.sum(axis=0), b.sum(axis=0)) for a, b in pairs]
    first = float(sum(w * a[0] / a[1] for w, (a, _) in zip(weights, totals, strict=True)))
    second = float(sum(w * b[0] / b[1] for w, (_, b) in zip(weights, totals, strict=True)))
    return _difference(first, second, draws, sum(len(a) + len(b) for a, b in pairs), "")


def bootstrap_rate(
    numerators: ArrayLike,
    denominators: ArrayLike,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: ArrayLike | None = None,
) -> Estimate:
    """A pooled rate, sum of numerators / sum of denominators, over items. Undefined when the denominators sum to 0."""
    columns = np.stack([_values(numerators), _values(denominators)], axis=1)
    return bootstrap_statistic(columns, lambda sums: _ratio(sums[:, 0], sums[:, 1]), rng, resamples, clusters)


def bootstrap_mean(
    values: ArrayLike, rng: np.random.Generator, resamples: int = RESAMPLES, clusters: ArrayLike | None = None
) -> Estimate:
    """The mean over items. Undefined without items."""
    given = _values(values)
    if clusters is None and len(given):
        return bootstrap_statistic(given[:, None], lambda sums: sums[:, 0] / len(given), rng, resamples)
    return bootstrap_rate(given, np.ones(len(given)), rng, resamples, clusters)


def bootstrap_statistic(
    columns: Floats,
    statistic: Callable[[Floats], Floats],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: ArrayLike | None = None,
) -> Estimate:
    """Any figure that is a function of column sums: `statistic` maps sums (k x columns) to k values, NaN undefined.

    `columns` is items x columns of additive counts. The value itself is the statistic of the plain sums.
    """
    return bootstrap_figures(columns, lambda sums: statistic(sums)[:, None], rng, resamples, clusters)[0]


def bootstrap_figures(
    columns: Floats,
    statistics: Callable[[Floats], Floats],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    clusters: ArrayLike | None = None,
) -> tuple[Estimate, ...]:
    """Several figures from the same resamples: `statistics` maps sums (k x columns) to k x figures, NaN undefined."""
    n = len(columns)
    values = statistics(columns.sum(axis=0)[None, :])[0]
    if not n:
        return tuple(Estimate(None, None, None, 0, why=NO_ITEMS) for _ in values)
    codes, note = use_clusters(clusters)
    block = max(1, _BLOCK_SUMS // columns.shape[1])
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    draws = np.concatenate([statistics(resample_sums(columns, rng, size, codes)) for size in sizes])
    return tuple(_estimate(float(value), mine, n, note) for value, mine in zip(values, draws.T, strict=True))


def _estimate(value: float, draws: Floats, n: int, note: str) -> Estimate:
    if np.isnan(value):
        return Estimate(None, None, None, n, why=ZERO_DENOMINATOR)
    interval = percentile_interval(draws)
    return Estimate(value, interval.low, interval.high, n, note=note)


def _difference(a: float, b: float, draws: Floats, n: int, note: str) -> Difference:
    draws = draws[~np.isnan(draws)]
    interval = percentile_interval(draws)
    # Sums of decimal fractions that are equal on paper differ in the last bits: those count as zero.
    settled = np.where(np.abs(draws) <= 1e-12 * max(1.0, abs(a), abs(b)), 0.0, draws)
    tails = min(float(np.mean(settled <= 0)), float(np.mean(settled >= 0)))
    p = float(min(1.0, max(2 * tails, 1 / len(settled))))
    return Difference(
        float(a), float(b), float(a - b), interval.low, interval.high, p, verdict_of(interval, p), n, "", note
    )


def verdict_of(interval: Interval, p: float) -> Verdict:
    """The verdict of a 95 % interval and its p. An interval that touches 0 does not exclude it.

    Source: StratiSTR Table 10, whose verdicts follow from its intervals and p.
    """
    if interval.low is not None and interval.high is not None and (interval.low > 0 or interval.high < 0):
        return Verdict.SIGNIFICANT
    return Verdict.MARGINAL if p < 0.10 else Verdict.WITHIN_NOISE


def _undefined(a: float | None, b: float | None, n: int, why: str) -> Difference:
    return Difference(a, b, None, None, None, None, None, n, why)


def _rows(sample: tuple[ArrayLike, ArrayLike]) -> Floats:
    """Numerators and denominators as items x 2."""
    return np.stack([_values(part) for part in sample], axis=1)


def _values(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64).reshape(-1)


def _ratio(numerators: Floats, denominators: Floats) -> Floats:
    return np.divide(numerators, denominators, out=np.full_like(numerators, np.nan), where=denominators != 0)


def _share(numerator: float, denominator: float) -> float | None:
    return float(numerator / denominator) if denominator else None


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
