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


def test_the_guided_loss_is_least_where_the_frames_spell_the_word() -> None:
    """A head that says each letter in its frame and nothing elsewhere has no loss but the other head's."""
    reader = tiny_reader()
    crops = draw_crops(WORDS[:2], (BUILT_IN,), np.random.default_rng(3), hardness=0.0)

    class Told(torch.nn.Module):
        """The network with its CTC head replaced by the right answer."""

        def encode(self, pixels: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return reader.network.encode(pixels, lengths)  # type: ignore[no-any-return]

        def decode(self, *given: torch.Tensor, weigh: bool) -> tuple[torch.Tensor, ...]:
            return reader.network.decode(*given, weigh=weigh)  # type: ignore[no-any-return]

        def ctc(self, frames: torch.Tensor) -> torch.Tensor:
            logits = torch.zeros(*frames.shape[:2], reader.alphabet.classes)
            logits[:, :, 0] = 40.0
            for row, crop in enumerate(crops):
                for frame, letter in zip(crop.frames, reader.alphabet.encode(crop.text), strict=True):
                    logits[row, frame] = 0.0
                    logits[row, frame, letter] = 40.0
            return logits

    with torch.inference_mode():
        told = float(reader_loss(Told(), reader.alphabet, crops, guided=True))
        own = float(reader_loss(reader.network, reader.alphabet, crops, guided=True))
        spelt = float(reader_loss(Told(), reader.alphabet, crops))
    assert told < own
    assert told > spelt  # the attention of an untrained head looks elsewhere
