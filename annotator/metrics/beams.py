"""Beams of candidates: choosing again with a language model, and how sure a beam is at a temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Beams:
    """Candidates of items as tables (items x longest beam): recogniser and language model log probabilities, right or not.

    Places past the end of a beam hold minus infinity, 0 and false.
    """

    recogniser: Floats
    language: Floats
    right: Mask

    def __len__(self) -> int:
        return len(self.recogniser)


def stack_beams(beams: Sequence[Sequence[tuple[float, float, bool]]]) -> Beams:
    """Beams of (recogniser log probability, language model log probability, right) in one table; none may be empty."""
    shape = len(beams), max(map(len, beams), default=0)
    recogniser, language, right = np.full(shape, -np.inf), np.zeros(shape), np.zeros(shape, dtype=bool)
    for at, beam in enumerate(beams):
        for place, (mine, theirs, hit) in enumerate(beam):
            recogniser[at, place], language[at, place], right[at, place] = mine, theirs, hit
    return Beams(recogniser, language, right)


def rescore(beams: Beams, weight: float) -> Ints:
    """The place chosen in each beam: the largest log p + weight log p_LM, the first of equals (shape (items,)).

    Source: StratiSTR appendix E (shallow fusion over the top candidates). Weight 0 is the recogniser's own choice.
    """
    places: Ints = np.argmax(beams.recogniser + weight * beams.language, axis=1)
    return places


def chosen_right(beams: Beams, places: Ints) -> Mask:
    """Whether the candidate at `places` is right (shape (items,))."""
    hits: Mask = beams.right[np.arange(len(beams)), places]
    return hits


def beam_confidence(beams: Beams, temperature: float) -> Floats:
    """The share of the first choice in its beam: softmax of log p / temperature over the candidates (shape (items,)).

    1 for a beam of one. A beam leaves out what it did not keep, so that this is no less than the recogniser's own figure.
    """
    scaled = beams.recogniser / temperature
    top = scaled.max(axis=1, keepdims=True)
    shares: Floats = 1.0 / np.exp(scaled - top).sum(axis=1)
    return shares
