"""Drawn words: the same seed gives the same pixels, faults stay within bounds, fonts are found or named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.errors import InputError
from annotator.images.words import BUILT_IN, choose_word_look, draw_word, find_faces


def drawn(seed: int, text: str = "Word", hardness: float = 1.0) -> np.ndarray:  # type: ignore[type-arg]
    rng = np.random.default_rng(seed)
    return np.asarray(draw_word(text, BUILT_IN, choose_word_look(rng, hardness), rng).picture)


def test_the_same_seed_draws_the_same_pixels() -> None:
    assert (drawn(3) == drawn(3)).all()
    assert drawn(3).shape != drawn(4).shape or (drawn(3) != drawn(4)).any()


@pytest.mark.parametrize("seed", range(12))
def test_every_look_leaves_ink_on_a_ground(seed: int) -> None:
    pixels = drawn(seed, hardness=0.0)
    look = choose_word_look(np.random.default_rng(seed), 0.0)
    assert pixels.shape[0] == look.height
    assert abs(look.ink - look.ground) >= 60
    assert np.ptp(pixels.astype(int)) > 40
    assert (look.degrees, look.slant, look.blur, look.smear, look.noise, look.light) == (0, 0, 0, 0, 0, 0)


def test_a_turned_word_keeps_all_its_ink() -> None:
    rng = np.random.default_rng(0)
    look = replace(choose_word_look(rng, 0.0), ink=255.0, ground=0.0, height=40, pad=(0.1, 0.1, 0.1, 0.1))
    straight = np.asarray(draw_word("Hill", BUILT_IN, look, rng).picture, dtype=float)
    for degrees, slant in ((9.0, 0.0), (-9.0, 0.0), (0.0, 0.3), (0.0, -0.3)):
        turned = np.asarray(
            draw_word("Hill", BUILT_IN, replace(look, degrees=degrees, slant=slant), rng).picture, dtype=float
        )
        # Ink by the area of the picture's own scale: what is turned out of the picture would be missing.
        share, whole = turned.mean() * turned.shape[1] / 40, straight.mean() * straight.shape[1] / 40
        scale = share / whole
        assert 0.55 < scale <= 1.05
        edge = np.concatenate([turned[:, 0], turned[:, -1]])
        assert edge.max() < 200


def test_fonts_are_looked_for_by_their_glyphs(tmp_path: Path) -> None:
    assert find_faces(["abc", "XYZ"])
    with pytest.raises(InputError, match="no font has every letter"):
        find_faces(["a\U0010ffff"])
    (tmp_path / "no.ttf").write_bytes(b"junk")
    with pytest.raises(InputError, match="not a font"):
        find_faces(["a"], [tmp_path / "no.ttf"])
    with pytest.raises(InputError, match="not a font"):
        find_faces(["a"], [tmp_path / "missing.ttf"])


def test_letters_stand_where_the_places_say() -> None:
    rng = np.random.default_rng(0)
    look = replace(choose_word_look(rng, 0.0), ink=255.0, ground=0.0, height=60, pad=(0.3, 0.5, 0.1, 0.1))
    for degrees, slant in ((0.0, 0.0), (6.0, 0.2), (-6.0, -0.2)):
        drawn = draw_word("I I", BUILT_IN, replace(look, degrees=degrees, slant=slant), rng)
        pixels = np.asarray(drawn.picture, dtype=float)
        middle = pixels[pixels.shape[0] // 2 - 4 : pixels.shape[0] // 2 + 4].sum(axis=0)
        half = len(middle) // 2
        seen = [
            np.average(np.arange(len(part)), weights=part) + add
            for part, add in ((middle[:half], 0), (middle[half:], half))
        ]
        assert np.allclose(np.array(drawn.places)[[0, 2]] * len(middle), seen, atol=4)


def test_places_of_right_to_left_words_run_with_the_picture() -> None:
    rng = np.random.default_rng(0)
    drawn = draw_word("שלום", BUILT_IN, choose_word_look(rng, 0.0), rng)
    assert list(drawn.places) == sorted(drawn.places)
    assert len(drawn.places) == 4
