"""From a picture to what the network sees: grey, 32 pixels high, its own mean and spread taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from PIL import Image

Floats = npt.NDArray[np.float32]
HEIGHT = 32
NARROWEST, WIDEST = 12, 384
COLUMNS_PER_FRAME = 4
EDGE = 8
"""Empty columns on each side, so that the first and last letter are seen whole."""


def prepare_crop(image: Image.Image) -> Floats:
    """The picture as an array of `HEIGHT` x width, width after height in proportion, 12 to 384 columns and the edges.

    Grey levels less their mean, over their spread (a picture of one colour is all zeros), turned so that the rarer levels,
    which are the ink, are the higher ones: dark on light and light on dark look alike.
    """
    from PIL import Image

    width = min(max(round(image.width * HEIGHT / max(image.height, 1)), NARROWEST), WIDEST)
    grey = image.convert("L").resize((width, HEIGHT), Image.Resampling.BILINEAR)
    pixels = np.asarray(grey, dtype=np.float32)
    pixels = (pixels - pixels.mean()) / (pixels.std() + 4.0)
    if float((pixels**3).sum()) < 0:
        pixels = -pixels
    return np.pad(pixels, ((0, 0), (EDGE, EDGE)))


def stack_crops(crops: Sequence[Floats]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Crops in one array (n, 1, `HEIGHT`, widest), zeros to the right, and their widths (n,)."""
    widths = np.array([crop.shape[1] for crop in crops], dtype=np.int64)
    widest = -(-int(widths.max()) // COLUMNS_PER_FRAME) * COLUMNS_PER_FRAME
    table = np.zeros((len(crops), 1, HEIGHT, widest), dtype=np.float32)
    for row, crop in zip(table, crops, strict=True):
        row[0, :, : crop.shape[1]] = crop
    return table, widths


def frames_of(widths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many frames of the encoder a crop of each width fills."""
    return -(-widths // COLUMNS_PER_FRAME)


def frames_at(places: Sequence[float], width: int) -> list[int]:
    """The frames of a crop `width` columns wide (edges included) in which places stand, given as shares of the picture."""
    last = -(-width // COLUMNS_PER_FRAME) - 1
    columns = (EDGE + place * (width - 2 * EDGE) for place in places)
    return [min(max(int(column) // COLUMNS_PER_FRAME, 0), last) for column in columns]
