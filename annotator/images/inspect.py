"""What an image file really is, decided by its content: media type, size, and why it cannot be shown."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from annotator.images.thumbnails import FORMATS, MOST_PIXELS, bomb_words

MEDIA_TYPES = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
    "PPM": "image/x-portable-anymap",
    "MPO": "image/jpeg",
    "JPEG2000": "image/jp2",
    "ICO": "image/x-icon",
    "TGA": "image/x-tga",
}
_TAIL = 64
_ENDS = {"JPEG": b"\xff\xd9", "PNG": b"IEND", "GIF": b"\x3b"}


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """Size in pixels after EXIF orientation, media type by content; `problem` says why it cannot be shown, or is empty."""

    width: int = 0
    height: int = 0
    media_type: str = ""
    problem: str = ""


def inspect_image(path: Path) -> ImageFacts:
    """Look into an image file without trusting its name. Never raises: what is wrong is in `problem`.

    A file is decoded whole only where its end looks cut, so that a folder of thousands is checked in seconds.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(512)
            stream.seek(max(0, size - _TAIL))
            tail = stream.read(_TAIL)
    except FileNotFoundError:
        return ImageFacts(problem="no such file")
    except OSError as error:
        return ImageFacts(problem="not a file here" if path.is_dir() else f"cannot be read ({error.strerror})")
    if size == 0:
        return ImageFacts(problem="an empty file (0 bytes)")
    named = _impostor(head)
    return ImageFacts(problem=named) if named else _decoded(path, size, tail)


def _impostor(head: bytes) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"version https://git-lfs"):
        return "not an image: a Git LFS pointer (fetch it with git lfs pull)"
    if start.startswith((b"<!doctype html", b"<html", b"<head")):
        return "not an image: an HTML page"
    if start.startswith((b"<?xml", b"<svg")):
        return "not an image that can be shown: XML or SVG"
    return ""


def _decoded(path: Path, size: int, tail: bytes) -> ImageFacts:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=FORMATS) as image:
                kind, (width, height) = image.format or "", image.size
                if kind not in MEDIA_TYPES:
                    return ImageFacts(problem=f"not an image that can be shown ({kind})")
                if words := bomb_words(width, height, size):
                    return ImageFacts(problem=words)
                turned = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
                if _ENDS.get(kind, b"") not in tail or kind not in _ENDS:
                    image.load()
    except UnidentifiedImageError:
        return ImageFacts(problem="not an image")
    except Image.DecompressionBombError:
        return ImageFacts(problem=f"too large: more than {MOST_PIXELS:,} pixels")
    except Exception as error:  # decoders of broken files raise anything from SyntaxError to struct.error
        return ImageFacts(problem=f"a damaged image ({error})" if str(error) else "a damaged image")
    width, height = (height, width) if turned else (width, height)
    return ImageFacts(width, height, MEDIA_TYPES[kind])
