"""Bradley-Terry: known odds come back, nothing is infinite, groups that never met are named."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.stats.bradleyterry import connected_groups, log_strengths


def test_two_players_get_their_log_odds() -> None:
    logs = log_strengths(np.array([[0.0, 300.0], [100.0, 0.0]]), prior=1e-9)
    assert logs[0] - logs[1] == pytest.approx(np.log(3), abs=1e-6)


def test_strengths_come_back_from_their_own_expected_wins() -> None:
    true = np.array([4.0, 2.0, 1.0, 0.5])
    wins = 1000 * true[:, None] / (true[:, None] + true[None, :])
    np.fill_diagonal(wins, 0)
    logs = log_strengths(wins, prior=1e-9)
    np.testing.assert_allclose(logs, np.log(true) - np.log(true).mean(), atol=1e-5)


def test_a_player_who_never_lost_has_a_finite_strength_above_the_others() -> None:
    logs = log_strengths(np.array([[0.0, 9.0], [0.0, 0.0]]))
    assert np.isfinite(logs).all()
    assert logs[0] > logs[1]


def test_many_tables_at_once_equal_each_alone() -> None:
    tables = np.random.default_rng(1).integers(0, 9, (5, 3, 3)).astype(float)
    for table in tables:
        np.fill_diagonal(table, 0)
    together = log_strengths(tables)
    for table, logs in zip(tables, together, strict=True):
        np.testing.assert_allclose(log_strengths(table), logs, atol=1e-6)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 20), min_size=12, max_size=12))
def test_the_likelihood_has_no_slope_left(counts: list[int]) -> None:
    wins = np.zeros((4, 4))
    wins[~np.eye(4, dtype=bool)] = counts
    logs = log_strengths(wins)
    # Scale free of the mean: put the imaginary average player back by solving for the shift that balances it.
    won = wins.sum(axis=1)

    def slope(shift: float) -> np.ndarray:
        s = np.exp(logs + shift)
        expected = ((wins + wins.T) * s[:, None] / (s[:, None] + s[None, :])).sum(axis=1)
        return won + 0.5 - expected - s / (s + 1)

    shifts = np.linspace(-6, 6, 2401)
    best = min(np.abs(slope(shift)).max() for shift in shifts)
    assert best < 0.02


def test_players_who_never_met_are_in_groups_of_their_own() -> None:
    wins = np.zeros((4, 4))
    wins[0, 2] = wins[3, 1] = 1
    assert connected_groups(wins) == ((0, 2), (1, 3))
    assert connected_groups(np.zeros((2, 2))) == ((0,), (1,))
