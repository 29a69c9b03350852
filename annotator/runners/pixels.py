"""Images as recognisers need them: upright, 8-bit RGB, cut to the target, high enough."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import EngineError
from annotator.records import Box

if TYPE_CHECKING:
    from PIL import Image


def load_pixels(path: Path) -> Image.Image:
    """The image at `path`, EXIF orientation applied, as 8-bit RGB; transparency on white, 16-bit grey scaled to 8.

    Raises `EngineError` that says why when the file is missing, broken, cut short, or so large that it looks like a
    decompression bomb.
    """
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as opened:
                opened.load()
                upright = ImageOps.exif_transpose(opened)
                return as_rgb(upright)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise EngineError(f"image {path.name} is too large to read: {error}") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise EngineError(f"image {path.name} cannot be read: {error}") from error


def as_rgb(image: Image.Image) -> Image.Image:
    """Any Pillow image as 8-bit RGB."""
    import numpy as np
    from PIL import Image

    if image.mode.startswith("I"):
        values = np.asarray(image).astype(np.int64)
        scaled = values >> 8 if values.size and values.max() > 255 else values
        return Image.fromarray(np.clip(scaled, 0, 255).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        clear = image.convert("RGBA")
        ground = Image.new("RGBA", clear.size, (255, 255, 255, 255))
        ground.alpha_composite(clear)
        return ground.convert("RGB")
    return image.convert("RGB")


def cut_target(image: Image.Image, box: Box) -> Image.Image:
    """The part of `image` inside `box`, clipped to the image; the whole image where they do not meet."""
    left, top = max(0, round(box.x)), max(0, round(box.y))
    right = min(image.width, round(box.x + box.width))
    bottom = min(image.height, round(box.y + box.height))
    return image.crop((left, top, right, bottom)) if right > left and bottom > top else image


def enlarge_to(image: Image.Image, height: int) -> Image.Image:
    """`image` enlarged (Lanczos) to `height` when it is lower; a higher one is left as it is."""
    from PIL import Image

    if image.height >= height:
        return image
    width = max(1, round(image.width * height / image.height))
    return image.resize((width, height), Image.Resampling.LANCZOS)
