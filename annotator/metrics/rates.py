"""Rates, read last from counts that add. Undefined is `None` with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from annotator.errors import UsageError
from annotator.metrics.counts import Counts, PairScores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Metric(StrEnum):
    """The rates of a pair of texts, by their names in reports. The error rates fall, the others rise, with quality."""

    CER = "cer"
    WER = "wer"
    ONE_MINUS_NED = "one_minus_ned"
    EXACT = "exact"
    STR_ACCURACY = "str_accuracy"
    CHARITABLE = "charitable"


@dataclass(frozen=True, slots=True)
class Rate:
    """A fraction with its parts. `value` is `None` exactly when the denominator is 0, and `why` then says the reason."""

    value: float | None
    numerator: float
    denominator: float
    why: str = ""

    @classmethod
    def of(cls, numerator: float, denominator: float, why: str = "there are no items with gold") -> Rate:
        """Return numerator / denominator, undefined for the reason `why` when the denominator is 0."""
        if not denominator:
            return cls(None, numerator, denominator, why)
        return cls(numerator / denominator, numerator, denominator)


@dataclass(frozen=True, slots=True, eq=False)
class ItemParts:
    """Numerator and denominator of a metric per item, shape (n,): what pooled and macro rates and a bootstrap need.

    Both are 0 for an item whose gold is blank after the profile, so that it weighs nothing anywhere.
    """

    numerator: NDArray[np.float64]
    denominator: NDArray[np.float64]

    def pooled(self) -> Rate:
        """Sum of the numerators over sum of the denominators (micro)."""
        return Rate.of(float(self.numerator.sum()), float(self.denominator.sum()))

    def macro(self) -> Rate:
        """Mean over items of numerator / denominator; the numerator of the result is the sum of these ratios."""
        kept = self.denominator > 0
        ratios = self.numerator[kept] / self.denominator[kept]
        return Rate.of(float(ratios.sum()), float(kept.sum()))


def cer(counts: Counts) -> Rate:
    """Character error rate: edits / gold units. Can exceed 1. Pooled over the items of `counts`."""
    return Rate.of(counts.edits, counts.gold_length)


def wer(counts: Counts) -> Rate:
    """Word error rate: edits over white-space tokens / gold tokens. Can exceed 1."""
    return Rate.of(counts.word_edits, counts.gold_words)


def exact(counts: Counts) -> Rate:
    """Share of items whose predicted text equals gold after the profile."""
    return Rate.of(counts.exact, counts.n)


def str_accuracy(counts: Counts) -> Rate:
    """STR word accuracy: share of items equal after the `str` profile."""
    return Rate.of(counts.str_exact, counts.n)


def charitable(counts: Counts) -> Rate:
    """Share of items whose predicted text starts with gold, both after the `str` profile."""
    return Rate.of(counts.charitable, counts.n)


def item_parts(scores: PairScores, metric: str) -> ItemParts:
    """Return the parts of `metric` per item. Raises UsageError for a name that is none of `Metric`."""
    parts = _PARTS.get(metric)
    if parts is None:
        raise UsageError(f"metric: found {metric!r}; expected one of {', '.join(Metric)}. Choose one with --metric.")
    numerator, denominator = parts(scores)
    kept = ~scores.blank_gold
    return ItemParts(numerator * kept, denominator * kept)


def pooled(scores: PairScores, metric: str) -> Rate:
    """The pooled (micro) rate of `metric`; 1-NED and the accuracies are means over items by definition."""
    return item_parts(scores, metric).pooled()


def macro(scores: PairScores, metric: str) -> Rate:
    """The mean over items of the item's own rate of `metric`."""
    return item_parts(scores, metric).macro()


_Columns = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


def _over(numerator: str, denominator: str) -> Callable[[PairScores], _Columns]:
    def columns(scores: PairScores) -> _Columns:
        return getattr(scores, numerator).astype(float), getattr(scores, denominator).astype(float)

    return columns


def _per_item(numerator: str) -> Callable[[PairScores], _Columns]:
    def columns(scores: PairScores) -> _Columns:
        values = getattr(scores, numerator).astype(float)
        return values, values * 0.0 + 1.0

    return columns


_PARTS: dict[str, Callable[[PairScores], _Columns]] = {
    Metric.CER: _over("edits", "gold_length"),
    Metric.WER: _over("word_edits", "gold_words"),
    Metric.ONE_MINUS_NED: _per_item("one_minus_ned"),
    Metric.EXACT: _per_item("exact"),
    Metric.STR_ACCURACY: _per_item("str_exact"),
    Metric.CHARITABLE: _per_item("charitable"),
}
