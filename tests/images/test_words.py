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
    return np.asarray(draw_word(text, BUILT_IN, choose_word_look(rng, hardness), rng))


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
    straight = np.asarray(draw_word("Hill", BUILT_IN, look, rng), dtype=float)
    for degrees, slant in ((9.0, 0.0), (-9.0, 0.0), (0.0, 0.3), (0.0, -0.3)):
        turned = np.asarray(draw_word("Hill", BUILT_IN, replace(look, degrees=degrees, slant=slant), rng), dtype=float)
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
