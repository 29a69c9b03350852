"""Previews of every kind of picture, and words for what is none."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotator.errors import InputError
from annotator.images.thumbnails import PreviewCache, make_preview


def _opened(jpeg: bytes) -> Image.Image:
    return Image.open(io.BytesIO(jpeg)).convert("RGB")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "I", "I;16", "F", "LAB"])
def test_every_mode_becomes_an_rgb_jpeg(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "picture.tiff"
    _picture(mode).save(path)
    preview = make_preview(path, 40, 40)
    assert (preview.width, preview.height) == (40, 20)
    assert (preview.full_width, preview.full_height) == (80, 40)
    assert _opened(preview.jpeg).size == (40, 20)


def _picture(mode: str) -> Image.Image:
    base = Image.new("RGB", (80, 40), (200, 200, 200))
    if mode == "LAB":
        from PIL import ImageCms

        lab, srgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        made = ImageCms.profileToProfile(base, srgb, lab, outputMode="LAB")
        assert made is not None
        return made
    if mode == "I;16":
        return Image.fromarray(np.full((40, 80), 51_200, dtype=np.uint16))
    if mode == "LA":
        return base.convert("RGBA").convert("LA")
    return base.convert("L").convert(mode) if mode in ("1", "I", "F", "P") else base.convert(mode)


def test_exif_orientation_turns_the_picture(tmp_path: Path) -> None:
    picture = Image.new("RGB", (60, 30), (0, 0, 255))
    picture.paste((255, 0, 0), (0, 0, 30, 30))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: show it 90 degrees clockwise
    path = tmp_path / "turned.jpg"
    picture.save(path, exif=exif, quality=95)
    preview = make_preview(path, 100, 100)
    assert (preview.full_width, preview.full_height) == (30, 60)
    assert (preview.width, preview.height) == (30, 60)
    top = _opened(preview.jpeg).getpixel((15, 5))
    assert isinstance(top, tuple)
    assert top[0] > 200 > top[2]


def test_sixteen_bit_keeps_its_greys(tmp_path: Path) -> None:
    grey = np.full((10, 20), 32768, dtype=np.uint16)
    path = tmp_path / "deep.png"
    Image.fromarray(grey).save(path)
    value = _opened(make_preview(path, 20, 20).jpeg).getpixel((5, 5))
    assert isinstance(value, tuple)
    assert abs(value[0] - 128) <= 2


def test_transparency_lies_on_white(tmp_path: Path) -> None:
    path = tmp_path / "clear.png"
    Image.new("RGBA", (10, 10), (0, 0, 0, 0)).save(path)
    assert _opened(make_preview(path, 10, 10).jpeg).getpixel((5, 5)) == (255, 255, 255)


def test_animation_shows_its_first_frame(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (10, 10), colour) for colour in ((255, 0, 0), (0, 0, 255))]
    path = tmp_path / "moving.gif"
    frames[0].save(path, save_all=True, append_images=frames[1:])
    value = _opened(make_preview(path, 10, 10).jpeg).getpixel((5, 5))
    assert isinstance(value, tuple)
    assert value[0] > 200


def test_content_decides_not_the_extension(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    Image.new("RGB", (10, 10)).save(path, "JPEG")
    assert make_preview(path, 10, 10).width == 10


def _png_that_claims(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("text.jpg", b"this is text", "cannot be read as a picture"),
        ("empty.png", b"", "cannot be read as a picture"),
        ("page.jpg", b"<html><script>1</script></html>", "cannot be read as a picture"),
        ("draw.jpg", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n", "cannot be read as a picture"),
        ("bomb.png", _png_that_claims(60_000, 60_000), "too large"),
        ("large.png", _png_that_claims(12_000, 10_000), "too large"),
        ("cut.png", _png_that_claims(100, 100), "cannot be read as a picture"),
    ],
)
def test_what_cannot_be_shown_is_said(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        make_preview(path, 50, 50)


def test_a_missing_file_and_a_folder_are_no_pictures(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.jpg", tmp_path):
        with pytest.raises(InputError, match="no such file"):
            make_preview(path, 50, 50)


def test_the_cache_stays_within_its_bytes_and_sees_a_changed_file(tmp_path: Path) -> None:
    cache = PreviewCache(most_bytes=4_000)
    for number in range(8):
        path = tmp_path / f"{number}.png"
        Image.effect_noise((40, 40), 90).save(path)
        cache.get(path, 40, 40)
        assert cache.size() <= 4_000
    path = tmp_path / "7.png"
    Image.new("L", (20, 20)).save(path)
    assert cache.get(path, 40, 40).width == 20


def test_the_cache_remembers_a_failure(tmp_path: Path) -> None:
    cache, path = PreviewCache(), tmp_path / "no.png"
    path.write_bytes(b"no")
    for _ in range(2):
        with pytest.raises(InputError, match=r"no\.png"):
            cache.get(path, 10, 10)
