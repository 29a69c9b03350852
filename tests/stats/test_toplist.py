"""Top-of-list share and top-10 % catch: the raters' own order, random orders, ties, undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.stats.toplist import caught, in_turn, top_of_list

LEVELS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=5, max_size=60).filter(
    lambda d: len(set(d)) > 1
)


@given(LEVELS)
def test_the_raters_own_order_is_one(damage: list[float]) -> None:
    found = top_of_list(damage, damage, np.random.default_rng(0), 5)
    assert found.share.value == pytest.approx(1.0)
    assert found.catch.value == pytest.approx(1.0)


def test_random_orders_are_zero_on_average() -> None:
    rng = np.random.default_rng(3)
    damage = rng.choice([0, 0.25, 0.5, 0.75, 1.0], 90)
    shares = [top_of_list(rng.random(90), damage, rng, 1).share.value or 0.0 for _ in range(400)]
    assert abs(float(np.mean(shares))) < 0.03


@given(LEVELS)
def test_an_order_of_one_tie_is_random_exactly(damage: list[float]) -> None:
    assert top_of_list(np.zeros(len(damage)), damage, np.random.default_rng(0), 2).share.value == pytest.approx(0.0)


def test_a_worked_list() -> None:
    """Ten edits, two of which do all the damage: found first and last, f = .1 catches half of what raters would."""
    damage = [1.0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0]
    order = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert caught(order, damage, 0.1) == pytest.approx(0.5)
    assert caught(order, damage, 0.05) == pytest.approx(0.25)
    found = top_of_list(order, damage, np.random.default_rng(0), 5)
    assert found.catch.value == pytest.approx(1.0)
    parts = [(0.5 - f) / (o - f) for f, o in ((0.1, 0.5), (0.2, 1.0), (0.3, 1.0), (0.4, 1.0), (0.5, 1.0))]
    assert found.share.value == pytest.approx(sum(parts) / 5)


@pytest.mark.parametrize("damage", [[], [0.0, 0.0], [0.5, 0.5, 0.5]])
def test_undefined_is_said(damage: list[float]) -> None:
    found = top_of_list(damage, damage, np.random.default_rng(0), 2)
    assert (found.share.value, bool(found.share.why)) == (None, True)


def test_orders_in_turn_break_ties() -> None:
    codes = in_turn([1, 1, 0], [0, 1, 5])
    assert list(np.argsort(-codes)) == [1, 0, 2]
