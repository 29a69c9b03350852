"""Beams: choosing again with a language model, and their shares at a temperature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.beams import beam_confidence, chosen_right, rescore, stack_beams

SCORE = st.floats(-20, 0)
BEAMS = st.lists(st.lists(st.tuples(SCORE, SCORE, st.booleans()), min_size=1, max_size=5), min_size=1, max_size=8)


def test_the_language_model_turns_a_close_choice() -> None:
    beams = stack_beams([[(-0.1, -9.0, True), (-0.4, -2.0, False)], [(-0.2, -3.0, False)]])
    assert rescore(beams, 0.0).tolist() == [0, 0]
    assert rescore(beams, 0.1).tolist() == [1, 0]
    assert chosen_right(beams, rescore(beams, 0.0)).tolist() == [True, False]


def test_the_share_is_a_softmax_over_the_beam() -> None:
    beams = stack_beams([[(np.log(0.6), 0.0, True), (np.log(0.3), 0.0, False)], [(-5.0, 0.0, True)]])
    assert beam_confidence(beams, 1.0) == pytest.approx([2 / 3, 1.0])
    assert beam_confidence(beams, 2.0)[0] == pytest.approx(np.sqrt(0.6) / (np.sqrt(0.6) + np.sqrt(0.3)))


@given(BEAMS, st.floats(0, 5))
def test_a_choice_is_the_best_of_its_own_beam(beams: list[list[tuple[float, float, bool]]], weight: float) -> None:
    chosen = rescore(stack_beams(beams), weight)
    for beam, place in zip(beams, chosen.tolist(), strict=True):
        scores = [mine + weight * theirs for mine, theirs, _ in beam]
        assert place < len(beam)
        assert scores[place] == max(scores)


@given(BEAMS)
def test_a_warmer_beam_is_never_surer(beams: list[list[tuple[float, float, bool]]]) -> None:
    stacked = stack_beams(beams)
    cold, warm = beam_confidence(stacked, 1.0), beam_confidence(stacked, 3.0)
    assert (warm <= cold + 1e-12).all()
    assert (cold <= 1).all()
