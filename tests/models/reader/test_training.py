"""Training teaches both heads, and the same seed teaches the same."""

from __future__ import annotations

import numpy as np
import torch

from annotator.images.words import BUILT_IN
from annotator.models.reader.reading import Head
from annotator.models.reader.training import Lexicon, draw_crops, reader_loss, train_reader
from tests.tinyreader import LEXICON, TINY, WORDS, tiny_reader, tiny_training


def loss_of(reader: object, words: tuple[str, ...]) -> float:
    crops = draw_crops(words, (BUILT_IN,), np.random.default_rng(7), hardness=0.2)
    with torch.inference_mode():
        return float(reader_loss(reader.network, reader.alphabet, crops))  # type: ignore[attr-defined]


def test_training_lowers_the_loss_on_pictures_not_seen() -> None:
    told: list[tuple[int, int]] = []
    early = train_reader(LEXICON, (BUILT_IN,), tiny_training(crops=16), TINY)
    later = train_reader(LEXICON, (BUILT_IN,), tiny_training(crops=480), TINY, lambda *seen: told.append(seen[:2]))
    assert loss_of(later, WORDS) < 0.7 * loss_of(early, WORDS)
    assert told[-1] == (480, 480)


def test_the_same_seed_gives_the_same_reader() -> None:
    crops = [crop.pixels for crop in draw_crops(WORDS, (BUILT_IN,), np.random.default_rng(1))]
    again = train_reader(LEXICON, (BUILT_IN,), tiny_training(), TINY)
    for head in Head:
        one, other = tiny_reader().read(crops, head), again.read(crops, head)
        assert [reading.text for reading in one] == [reading.text for reading in other]
        assert all(np.allclose(a.shares, b.shares, atol=1e-5) for a, b in zip(one, other, strict=True))


def test_words_come_by_their_share() -> None:
    drawn = Lexicon(("often", "never"), np.array([1.0, 0.0])).draw(np.random.default_rng(0), 50)
    assert drawn == ["often"] * 50


def test_cases_are_drawn_by_their_share() -> None:
    crops = draw_crops(["word"] * 30, (BUILT_IN,), np.random.default_rng(0), (0.0, 0.0, 1.0))
    assert {crop.text for crop in crops} == {"WORD"}
