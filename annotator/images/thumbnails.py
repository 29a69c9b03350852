"""JPEG previews of any picture that a user brings: upright, in RGB, small, and safe to open."""

from __future__ import annotations

import io
from collections import OrderedDict
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from annotator.errors import InputError

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 89_000_000  # where Pillow begins to warn
# A photograph or scan has at least a byte for a few dozen pixels; a file with far less was made to fill the memory.
LARGE_PIXELS, MOST_PIXELS_A_BYTE = 25_000_000, 100
_ONE_LARGE = Lock()  # large pictures are unpacked one after another: each takes up to a gigabyte
MOST_BYTES = 200_000_000
# Read by content, whatever the extension says. Formats that run programs (EPS) or fetch things are not among them.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "JPEG2000", "ICO", "TGA")
_QUALITY = 85
_WHITE = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Preview:
    """A JPEG and two sizes in pixels: its own, and that of the picture it shows (upright, after EXIF orientation)."""

    jpeg: bytes
    width: int
    height: int
    full_width: int
    full_height: int


def make_preview(path: Path, width: int, height: int) -> Preview:
    """Return a JPEG of the picture at `path` that fits into `width` x `height`; small pictures are not enlarged.

    EXIF orientation is applied; CMYK, palette, 16-bit and floating pictures become RGB; transparency lies on white; of an
    animation or several pages the first is shown. Raises `InputError` when there is no file, when it is no picture of a
    known format (whatever its extension), is cut or damaged, or has more than 89 million pixels.
    """
    if not path.is_file():
        raise InputError(f"{path.name}: no such file. Check the image root of the import (--images DIR).")
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path.name}: found {path.stat().st_size:,} bytes; expected at most {MOST_BYTES:,}.")
    from PIL import Image

    try:
        with Image.open(path, formats=FORMATS) as opened:
            refuse_bomb(path, opened.width, opened.height)
            full = _upright_size(opened)
            with _ONE_LARGE if opened.width * opened.height > LARGE_PIXELS else nullcontext():
                small = _shrunk(opened, width, height)
    except InputError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError(f"{path.name}: {_TOO_LARGE}") from error
    except Exception as error:
        raise InputError(
            f"{path.name}: cannot be read as a picture ({type(error).__name__}); expected JPEG, PNG, WebP, GIF, BMP or TIFF. "
            "The file may be cut, damaged, or something else."
        ) from error
    return Preview(_jpeg(small), small.width, small.height, *full)


_TOO_LARGE = f"found a picture that is too large; expected at most {MOST_PIXELS:,} pixels. Make a smaller copy of it."


def bomb_words(width: int, height: int, size: int) -> str:
    """Why a picture file of `size` bytes must not be unpacked; empty when it may be."""
    if width * height > MOST_PIXELS:
        return f"too large: {width} x {height} pixels, at most {MOST_PIXELS:,} in all"
    if width * height > max(LARGE_PIXELS, MOST_PIXELS_A_BYTE * size):
        most = f"at most {MOST_PIXELS_A_BYTE} a byte above {LARGE_PIXELS:,}"
        return f"too large for its {size:,} bytes: {width} x {height} pixels, {most}"
    return ""


def refuse_bomb(path: Path, width: int, height: int) -> None:
    """Raise `InputError` for a picture that must not be unpacked: what its header says, before any pixel is read."""
    if words := bomb_words(width, height, path.stat().st_size):
        raise InputError(f"{path.name}: {words}. Make a smaller copy of it.")


def _shrunk(opened: Image.Image, width: int, height: int) -> Image.Image:
    from PIL import Image, ImageOps

    # `draft` lets the JPEG decoder skip detail; the size of the picture was read before.
    opened.draft("RGB", (2 * max(width, height), 2 * max(width, height)))
    small = to_rgb(ImageOps.exif_transpose(opened))
    small.thumbnail((width, height), Image.Resampling.LANCZOS)
    return small


def _upright_size(opened: Image.Image) -> tuple[int, int]:
    turned = opened.getexif().get(0x0112, 1) in (5, 6, 7, 8)
    return (opened.height, opened.width) if turned else (opened.width, opened.height)


def to_rgb(picture: Image.Image) -> Image.Image:
    """The picture as 8-bit RGB: deeper greys are scaled by their own range, transparency is laid on white."""
    from PIL import Image

    if picture.mode in ("I", "F") or picture.mode.startswith("I;"):
        return _eight_bit(picture).convert("RGB")
    if picture.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in picture.info:
        layered = picture.convert("RGBA")
        ground = Image.new("RGB", layered.size, _WHITE)
        ground.paste(layered, mask=layered.getchannel("A"))
        return ground
    return picture.convert("RGB")


def _eight_bit(picture: Image.Image) -> Image.Image:
    import numpy as np
    from PIL import Image

    values = np.array(picture, dtype=np.float32)
    np.nan_to_num(values, copy=False, nan=0.0, posinf=0.0, neginf=0.0)
    deep = picture.mode.startswith("I;16") or (picture.mode == "I" and values.max(initial=0) > 255)
    top = 65535.0 if deep else max(values.max(initial=0), 1.0) if picture.mode == "F" else 255.0
    values /= top
    np.clip(values, 0, 1, out=values)
    values *= 255
    return Image.fromarray(values.round(out=values).astype(np.uint8))


def _jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


@dataclass(slots=True)
class PreviewCache:
    """Previews in memory, dropped oldest-used first above `most_bytes`. A changed file (time, size) is read again.

    Failures are remembered too, as their words. Safe for threads; two threads may both make the same preview.
    """

    most_bytes: int = 64_000_000
    _kept: OrderedDict[tuple[str, int, int, int, int], Preview | str] = field(default_factory=OrderedDict)
    _bytes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def get(self, path: Path, width: int, height: int) -> Preview:
        """`make_preview`, remembered."""
        key = (str(path), *_stamp(path), width, height)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        if found is None:
            found = self._make(path, width, height)
            self._keep(key, found)
        if isinstance(found, str):
            raise InputError(found)
        return found

    def size(self) -> int:
        """Bytes held."""
        return self._bytes

    @staticmethod
    def _make(path: Path, width: int, height: int) -> Preview | str:
        try:
            return make_preview(path, width, height)
        except InputError as error:
            return str(error)

    def _keep(self, key: tuple[str, int, int, int, int], made: Preview | str) -> None:
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._bytes += _weight(made)
            while self._bytes > self.most_bytes and len(self._kept) > 1:
                self._bytes -= _weight(self._kept.popitem(last=False)[1])


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _weight(made: Preview | str) -> int:
    return 200 + (len(made) if isinstance(made, str) else len(made.jpeg))
