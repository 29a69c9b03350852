"""Pictures of any kind become arrays of one height, and a batch remembers their widths."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from annotator.models.reader.crops import (
    EDGE,
    HEIGHT,
    NARROWEST,
    WIDEST,
    frames_at,
    frames_of,
    prepare_crop,
    stack_crops,
)


@pytest.mark.parametrize(
    ("size", "width"),
    [((64, 32), 64), ((64, 64), 32), ((1, 1), 32), ((1, 900), NARROWEST), ((9000, 10), WIDEST), ((320, 16), WIDEST)],
)
@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "1"])
def test_height_is_fixed_and_width_in_proportion(size: tuple[int, int], width: int, mode: str) -> None:
    crop = prepare_crop(Image.new(mode, size))
    assert crop.shape == (HEIGHT, width + 2 * EDGE)
    assert not crop.any()  # one colour has nothing to read


def test_brightness_does_not_matter() -> None:
    pixels = np.random.default_rng(0).integers(0, 120, (32, 60)).astype(np.uint8)
    one, other = (prepare_crop(Image.fromarray((pixels + add).astype(np.uint8))) for add in (0, 100))
    assert np.allclose(one, other, atol=1e-4)


def test_a_batch_keeps_the_widths() -> None:
    table, widths = stack_crops([np.ones((HEIGHT, 30), np.float32), np.ones((HEIGHT, 41), np.float32)])
    assert table.shape == (2, 1, HEIGHT, 44)
    assert widths.tolist() == [30, 41]
    assert frames_of(widths).tolist() == [8, 11]
    assert not table[0, 0, :, 30:].any()


def test_places_are_found_again_as_frames() -> None:
    assert frames_at((0.0, 0.5, 1.0), 64 + 2 * EDGE) == [2, 10, 18]
    assert frames_at((-3.0, 9.0), 40) == [0, 9]
