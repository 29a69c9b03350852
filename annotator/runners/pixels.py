"""Images as recognisers need them: upright, 8-bit RGB, cut to the target, high enough."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import EngineError, InputError
from annotator.images.conditions import open_picture
from annotator.images.thumbnails import FORMATS, MOST_PIXELS
from annotator.records import Box

if TYPE_CHECKING:
    from PIL import Image


def load_pixels(path: Path) -> Image.Image:
    """The image at `path`, EXIF orientation applied, as 8-bit RGB; transparency on white, deeper greys scaled to 8 bits.

    Raises `EngineError` that says why when the file is missing, broken, cut short, or has more than 89 million pixels.
    """
    try:
        width, height = image_size(path)
        if width * height > MOST_PIXELS:
            raise EngineError(f"image {path.name} is too large: {width} x {height}, at most {MOST_PIXELS:,} pixels")
        return open_picture(path)
    except InputError as error:
        raise EngineError(f"image {error}") from error


def image_size(path: Path) -> tuple[int, int]:
    """Width and height as stored, without reading the pixels. Raises `EngineError` when it is no image."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path, formats=FORMATS) as opened:
                return opened.size
    except Exception as error:  # decoders of broken files raise anything from SyntaxError to struct.error
        raise EngineError(f"image {path.name} cannot be read ({type(error).__name__})") from error


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


def data_url(image: Image.Image, longest: int = 2048) -> str:
    """The image as a PNG data URL, at most `longest` pixels on its longer side."""
    import base64
    import io

    if max(image.size) > longest:
        image = image.copy()
        image.thumbnail((longest, longest))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
