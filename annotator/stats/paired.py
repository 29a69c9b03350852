"""Paired tests on the same items: transition matrices, exact McNemar with Holm's correction, rank correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.errors import UsageError
from annotator.stats.intervals import Estimate, percentile_interval
from annotator.stats.resample import Floats

Label = TypeVar("Label")

_BLOCK_VALUES = 2_000_000


@dataclass(frozen=True, slots=True)
class McNemar:
    """Exact McNemar test: `only_a` and `only_b` are the items on which one of two yes/no answers is yes.

    `p` is the two-sided binomial probability of a split at least as uneven; 1 when there is no such item.
    """

    only_a: int
    only_b: int
    p: float


def exact_mcnemar(only_a: int, only_b: int) -> McNemar:
    """The exact test (McNemar 1947; binomial with p = 1/2), equal to statsmodels' `mcnemar(exact=True)`."""
    from scipy.stats import binomtest

    if only_a < 0 or only_b < 0:
        raise UsageError(f"McNemar: found counts {only_a} and {only_b}; expected none below 0.")
    n = only_a + only_b
    p = 1.0 if n == 0 else float(binomtest(only_a, n, 0.5).pvalue)
    return McNemar(only_a, only_b, p)


def mcnemar_of(a: ArrayLike, b: ArrayLike) -> McNemar:
    """Exact McNemar of two yes/no answers per item (paired by position)."""
    first, second = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    if first.shape != second.shape:
        raise UsageError(f"McNemar: found {first.size} and {second.size} answers; expected one pair per item.")
    return exact_mcnemar(int((first & ~second).sum()), int((~first & second).sum()))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down correction (Holm 1979) over one family of tests, in the order given; never above 1."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = largest
    return tuple(corrected)


def transition_matrix(a: Sequence[Label], b: Sequence[Label], labels: Sequence[Label]) -> tuple[tuple[int, ...], ...]:
    """How often label i of `a` meets label j of `b` on one item: rows a, columns b, both in the order of `labels`."""
    if len(a) != len(b):
        raise UsageError(f"Transitions: found {len(a)} and {len(b)} labels; expected one pair per item.")
    place = {label: at for at, label in enumerate(labels)}
    counts = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for one, other in zip(a, b, strict=True):
        counts[place[one], place[other]] += 1
    return tuple(tuple(int(cell) for cell in row) for row in counts)


def spearman(x: ArrayLike, y: ArrayLike, rng: np.random.Generator, resamples: int = 10_000) -> Estimate:
    """Spearman's rank correlation (ties get mean ranks) with its item-bootstrap interval.

    Items are resampled and ranked again in each resample. Undefined with fewer than three items or when one side has
    a single value; such resamples are left out of the interval.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape:
        raise UsageError(f"Spearman: found {first.size} and {second.size} values; expected one pair per item.")
    n = len(first)
    if n < 3:
        return Estimate(None, None, None, n, why="fewer than three items")
    rows = np.arange(n)[None, :]
    value = float(_rank_correlations(first, second, rows)[0])
    if np.isnan(value):
        return Estimate(None, None, None, n, why="all values of one side are equal")
    block = max(1, _BLOCK_VALUES // n)
    draws = [
        _rank_correlations(first, second, rng.integers(0, n, size=(min(block, resamples - start), n)))
        for start in range(0, resamples, block)
    ]
    interval = percentile_interval(np.concatenate(draws))
    return Estimate(value, interval.low, interval.high, n)


def _rank_correlations(x: Floats, y: Floats, drawn: NDArray[np.int64]) -> Floats:
    """Spearman's rho of each row of drawn item numbers; NaN where a side is constant."""
    n = len(x)
    flat = (drawn + np.arange(len(drawn))[:, None] * n).ravel()
    times = np.bincount(flat, minlength=len(drawn) * n).reshape(len(drawn), n)
    ranks_x, ranks_y = weighted_ranks(x, times), weighted_ranks(y, times)
    middle = (n + 1) / 2
    over_x, over_y = ranks_x - middle, ranks_y - middle
    product: Floats = (times * over_x * over_y).sum(axis=1)
    spread = np.sqrt((times * over_x**2).sum(axis=1) * (times * over_y**2).sum(axis=1))
    rho = np.full(len(drawn), np.nan)
    np.divide(product, spread, out=rho, where=spread > 0)
    return rho


def weighted_ranks(values: Floats, times: NDArray[np.int64]) -> Floats:
    """Mean rank of each item when item i occurs `times[r, i]` times: half of its ties, and all that are smaller."""
    _, group = np.unique(values, return_inverse=True)
    sizes = np.zeros((len(times), int(group.max()) + 1), dtype=np.int64)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(sizes.shape[1]))
    sizes[:] = np.add.reduceat(times[:, order], starts, axis=1)
    smaller = np.cumsum(sizes, axis=1) - sizes
    return np.asarray((smaller + (sizes + 1) / 2)[:, group])
