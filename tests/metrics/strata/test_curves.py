from __future__ import annotations

import pytest

from annotator.metrics.strata.curves import correlate, correlate_ranks


def test_curves_of_one_shape_correlate_whatever_their_level() -> None:
    assert correlate([1, 2, 3, 5], [11, 12, 13, 15]).value == pytest.approx(1.0)
    assert correlate([1, 2, 3], [3, 2, 1]).value == pytest.approx(-1.0)


def test_undefined_places_are_left_out_and_counted() -> None:
    found = correlate([1, None, 3], [2, 5, 6])
    assert (found.value, found.n) == (pytest.approx(1.0), 2)


@pytest.mark.parametrize(("a", "b"), [([1.0], [2.0]), ([1.0, 1.0], [2.0, 3.0]), ([None, 1.0], [1.0, None]), ([], [])])
def test_without_two_places_or_variation_there_is_no_correlation(a: list[float | None], b: list[float | None]) -> None:
    found = correlate(a, b)
    assert found.value is None
    assert found.why


def test_the_order_of_systems_is_compared_by_rank() -> None:
    assert correlate_ranks([0.1, 0.5, 0.9], [1, 2, 100]).value == pytest.approx(1.0)
    assert correlate_ranks([1, 2, 2], [1, 3, 3]).value == pytest.approx(1.0)
    assert correlate_ranks([0.5], [0.5]).why == "defined in both for 1 of 1 systems; an order needs 2"
