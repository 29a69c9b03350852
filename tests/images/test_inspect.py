"""Images by content: what they are, how large, and why they cannot be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from annotator.images.inspect import inspect_image


def save(path: Path, format: str, size: tuple[int, int] = (30, 20), **more: object) -> Path:
    Image.effect_noise(size, 80).convert("RGB").save(path, format, **more)
    return path


@pytest.mark.parametrize(
    ("format", "media_type"),
    [
        ("JPEG", "image/jpeg"),
        ("PNG", "image/png"),
        ("WEBP", "image/webp"),
        ("GIF", "image/gif"),
        ("TIFF", "image/tiff"),
    ],
)
def test_the_content_decides(tmp_path: Path, format: str, media_type: str) -> None:
    facts = inspect_image(save(tmp_path / "lies.txt", format))
    assert (facts.media_type, facts.width, facts.height, facts.problem) == (media_type, 30, 20, "")


def test_size_is_after_orientation(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    facts = inspect_image(save(tmp_path / "x.jpg", "JPEG", exif=exif))
    assert (facts.width, facts.height) == (20, 30)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_a_cut_image_is_damaged(tmp_path: Path, format: str) -> None:
    path = save(tmp_path / "x", format, (200, 200))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "damaged" in inspect_image(path).problem or inspect_image(path).problem == "not an image"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "an empty file (0 bytes)"),
        (b"hello there", "not an image"),
        (b"<!DOCTYPE html><p>404", "not an image: an HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "not an image: a Git LFS pointer"),
        (b"<svg xmlns='x'/>", "not an image that can be shown: XML or SVG"),
    ],
)
def test_what_is_no_image(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "x.png").write_bytes(data)
    assert inspect_image(tmp_path / "x.png").problem.startswith(problem)


def test_huge_images_are_not_opened(tmp_path: Path) -> None:
    Image.new("1", (20_000, 20_000)).save(tmp_path / "x.png")
    assert inspect_image(tmp_path / "x.png").problem.startswith("too large")


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert inspect_image(tmp_path / "none").problem == "no such file"
    assert inspect_image(tmp_path).problem == "not a file here"
