"""Rates from counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import UsageError
from annotator.metrics import rates
from annotator.metrics.counts import Counts, score_pairs
from annotator.metrics.rates import Metric, Rate, item_parts, macro, pooled
from tests.text.strategies import pairs

GOLDS = ["abcd", "ab cd", "", "x"]
PREDICTED = ["abxd", "abcd", "noise", "xyz"]


@pytest.mark.parametrize(
    ("metric", "pooled_value", "macro_value"),
    [
        ("cer", (1 + 1 + 2) / 10, (1 / 4 + 1 / 5 + 2 / 1) / 3),
        ("wer", (1 + 2 + 1) / 4, (1 + 1 + 1) / 3),
        ("one_minus_ned", (3 / 4 + 4 / 5 + 1 / 3) / 3, (3 / 4 + 4 / 5 + 1 / 3) / 3),
        ("exact", 0.0, 0.0),
        ("str_accuracy", 1 / 3, 1 / 3),
        ("charitable", 2 / 3, 2 / 3),
    ],
)
def test_hand_worked(metric: str, pooled_value: float, macro_value: float) -> None:
    scores = score_pairs(GOLDS, PREDICTED)
    assert pooled(scores, metric).value == pytest.approx(pooled_value)
    assert macro(scores, metric).value == pytest.approx(macro_value)


def test_an_item_without_gold_weighs_nothing() -> None:
    whole, rest = score_pairs(GOLDS, PREDICTED), score_pairs(GOLDS[:2] + GOLDS[3:], PREDICTED[:2] + PREDICTED[3:])
    for metric in Metric:
        assert pooled(whole, metric) == pooled(rest, metric)
        assert macro(whole, metric) == macro(rest, metric)
        assert item_parts(whole, metric).denominator[2] == 0


@given(st.lists(pairs, max_size=5))
def test_counts_and_arrays_give_the_same(rows: list[tuple[str, str]]) -> None:
    scores = score_pairs([gold for gold, _ in rows], [predicted for _, predicted in rows])
    counts = scores.counts()
    for metric, rate in [
        ("cer", rates.cer),
        ("wer", rates.wer),
        ("exact", rates.exact),
        ("str_accuracy", rates.str_accuracy),
        ("charitable", rates.charitable),
    ]:
        assert rate(counts) == pooled(scores, metric)


def test_undefined_has_a_reason() -> None:
    for metric in Metric:
        rate = pooled(score_pairs([" "], ["x"]), metric)
        assert rate.value is None
        assert rate.why == "there are no items with gold"
    assert rates.cer(Counts()).value is None


def test_a_defined_rate_has_its_parts_and_no_reason() -> None:
    assert Rate.of(3, 2) == Rate(1.5, 3, 2)
    assert Rate.of(0, 0, "no words") == Rate(None, 0, 0, "no words")


def test_unknown_metric_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'bleu'; expected one of cer, wer, one_minus_ned"):
        pooled(score_pairs([], []), "bleu")
