"""Marginal curves under two reference corpora: do they have the same shape, and do systems keep their order?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation in [-1, 1] over `n` pairs; `None` with the reason where it is undefined."""

    value: float | None
    n: int
    why: str | None = None


def correlate(a: Sequence[float | None], b: Sequence[float | None]) -> Correlation:
    """Pearson's r over the places where both are defined; undefined under 2 pairs or without any variation.

    Source: StratiSTR Table 7, the curves of one system under two reference corpora.
    """
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if len(pairs) < 2:
        return Correlation(
            None, len(pairs), f"defined in both at {len(pairs)} of {len(a)} places; a correlation needs 2"
        )
    left, right = np.array(pairs, dtype=np.float64).T
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left @ left) * (right @ right)))
    if scale < 1e-12:
        return Correlation(None, len(pairs), "one of the two does not vary")
    return Correlation(min(1.0, max(-1.0, float(left @ right) / scale)), len(pairs))


def correlate_ranks(a: Sequence[float | None], b: Sequence[float | None]) -> Correlation:
    """Spearman's rank correlation, ties at their mean rank, over the places where both are defined."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if len(pairs) < 2:
        return Correlation(None, len(pairs), f"defined in both for {len(pairs)} of {len(a)} systems; an order needs 2")
    return correlate(_mean_ranks([x for x, _ in pairs]), _mean_ranks([y for _, y in pairs]))


def _mean_ranks(values: Sequence[float]) -> list[float]:
    array = np.asarray(values, dtype=np.float64)
    below = (array[:, np.newaxis] > array).sum(axis=1)
    equal = (array[:, np.newaxis] == array).sum(axis=1)
    return [float(rank) for rank in below + (equal + 1) / 2]
