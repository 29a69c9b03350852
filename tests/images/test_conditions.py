"""Image conditions on boxes of several heights: what changes, what must not, and what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter

from annotator.errors import InputError
from annotator.images.conditions import (
    GRAY,
    Condition,
    ConditionKind,
    Rectangle,
    blur_inset,
    blur_sigma,
    crop_margin,
    make_condition,
    open_picture,
    red_outline,
    target_rectangle,
)
from annotator.records import Box

HEIGHTS = [20, 40, 66, 200]
BLURS = [ConditionKind.MILD, ConditionKind.MODERATE, ConditionKind.STRONG]

# Box height, sigma mild / moderate / strong, inset, crop margin.
ARITHMETIC = [
    (20, 0.6, 1.2, 2.4, 3, 4),
    (40, 0.6, 1.2, 2.4, 6, 4),
    (66, 0.99, 1.98, 3.96, 10, 5),
    (200, 3.0, 6.0, 12.0, 30, 16),
    (10, 0.6, 1.2, 2.4, 2, 4),
    (50, 0.75, 1.5, 3.0, 8, 4),  # 7.5 goes to the even 8
    (30, 0.6, 1.2, 2.4, 4, 4),  # 4.5 goes to the even 4
]


@pytest.mark.parametrize(("height", "mild", "moderate", "strong", "inset", "margin"), ARITHMETIC)
def test_arithmetic(height: int, mild: float, moderate: float, strong: float, inset: int, margin: int) -> None:
    assert [blur_sigma(kind, height) for kind in BLURS] == pytest.approx([mild, moderate, strong])
    assert blur_inset(height) == inset
    assert crop_margin(height) == margin


@pytest.mark.parametrize("height", HEIGHTS)
def test_gray_keeps_the_box_and_nothing_else(height: int) -> None:
    picture, box = _scene(height)
    made = _make(ConditionKind.GRAY, picture, box)
    before, after = np.asarray(picture), np.asarray(made.picture)
    inside = np.zeros(before.shape[:2], dtype=bool)
    inside[int(box.y) : int(box.y + box.height), int(box.x) : int(box.x + box.width)] = True
    assert after.shape == before.shape
    assert np.array_equal(after[inside], before[inside])
    assert (after[~inside] == GRAY).all()
    assert made.proof is not None
    assert (made.proof.pixels, made.proof.changed) == (inside.sum(), 0)


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("kind", BLURS)
def test_blur_changes_the_inner_box_alone(kind: ConditionKind, height: int) -> None:
    picture, box = _scene(height)
    made = _make(kind, picture, box)
    before, after = np.asarray(picture), np.asarray(made.picture)
    inset = blur_inset(height)
    region = (
        slice(int(box.y) + inset, int(box.y) + height - inset),
        slice(int(box.x) + inset, int(box.x + box.width) - inset),
    )
    outside = np.ones(before.shape[:2], dtype=bool)
    outside[region] = False
    assert np.array_equal(after[outside], before[outside])
    outline = red_outline(before)
    assert np.array_equal(after[outline], before[outline])
    cut = Image.fromarray(before[region])
    expected = np.where(
        outline[region][..., None],
        before[region],
        np.asarray(cut.filter(ImageFilter.GaussianBlur(blur_sigma(kind, height)))),
    )
    assert np.array_equal(after[region], expected)
    assert (after[region] != before[region]).any()
    assert made.proof is not None
    assert made.proof.changed == 0
    assert made.proof.pixels == (outside | outline).sum()
    assert made.proof.sha256 == hashlib.sha256(before[outside | outline].tobytes()).hexdigest()
    assert (made.sigma, made.inset) == (blur_sigma(kind, height), inset)


def test_pixels_outside_never_bleed_into_the_blur() -> None:
    picture, box = _scene(66)
    other = np.asarray(picture).copy()
    inset = blur_inset(66)
    inner = (slice(int(box.y) + inset, int(box.y) + 66 - inset), slice(int(box.x) + inset, int(box.x) + 132 - inset))
    kept = other[inner].copy()
    other[:] = 0
    other[inner] = kept
    one = np.asarray(_make(ConditionKind.STRONG, picture, box).picture)[inner]
    two = np.asarray(_make(ConditionKind.STRONG, Image.fromarray(other), box).picture)[inner]
    plain = ~red_outline(np.asarray(picture))[inner]
    assert np.array_equal(one[plain], two[plain])


def test_red_outline_is_grown_by_one_pixel() -> None:
    pixels = np.full((7, 7, 3), 200, dtype=np.uint8)
    pixels[3, 3] = (180, 60, 60)
    pixels[0, 0] = (100, 10, 10)
    pixels[6, 0] = (101, 75, 10)
    outline = red_outline(pixels)
    assert outline[2:5, 2:5].all()
    assert outline.sum() == 9


def test_a_line_outside_the_blurred_region_still_protects_its_neighbours() -> None:
    pixels = np.random.default_rng(0).integers(150, 200, size=(60, 60, 3), dtype=np.uint8)
    pixels[12] = (200, 20, 20)
    made = _make(ConditionKind.STRONG, Image.fromarray(pixels), Box(10, 10, 40, 20))
    assert made.region == Rectangle(13, 13, 47, 27)
    assert np.array_equal(np.asarray(made.picture)[13], pixels[13])
    assert (np.asarray(made.picture)[14, 13:47] != pixels[14, 13:47]).any()


@pytest.mark.parametrize(("height", "high"), [(20, 64), (40, 64), (66, 76), (200, 232)])
def test_crop(height: int, high: int) -> None:
    picture, box = _scene(height)
    made = _make(ConditionKind.CROP, picture, box)
    margin = crop_margin(height)
    region = Rectangle(int(box.x) - margin, int(box.y) - margin, int(box.x + box.width) + margin, 0)
    assert made.region == Rectangle(region.left, region.top, region.right, int(box.y) + height + margin)
    assert made.picture.height == high
    cut = picture.crop(made.region.pil())
    if cut.height >= 64:
        assert np.array_equal(np.asarray(made.picture), np.asarray(cut))
        assert made.proof is not None
        assert made.proof.changed == 0
    else:
        width = round(cut.width * 64 / cut.height)
        expected = cut.resize((width, 64), Image.Resampling.LANCZOS)
        assert np.array_equal(np.asarray(made.picture), np.asarray(expected))
        assert made.proof is None


def test_crop_stays_inside_the_picture() -> None:
    picture, _ = _scene(66)
    made = _make(ConditionKind.CROP, picture, Box(-3, 0, 40, 70))
    assert made.region == Rectangle(0, 0, 43, 76)


@pytest.mark.parametrize("height", HEIGHTS)
def test_patch_keeps_the_target_and_the_background(height: int) -> None:
    picture, box = _scene(height)
    background = Image.new("RGB", (picture.width + 7, picture.height + 3), (10, 90, 30))
    made = make_condition(ConditionKind.PATCH, "i1", picture, box, background)
    before, after = np.asarray(picture), np.asarray(made.picture)
    inside = np.zeros(after.shape[:2], dtype=bool)
    inside[int(box.y) : int(box.y + box.height), int(box.x) : int(box.x + box.width)] = True
    assert after.shape[:2] == (background.height, background.width)
    assert np.array_equal(after[inside], before[inside[: picture.height, : picture.width]])
    assert (after[~inside] == (10, 90, 30)).all()
    assert made.proof is not None
    assert (made.proof.pixels, made.proof.changed) == (inside.sum(), 0)


def test_the_source_stays_as_it_was() -> None:
    picture, box = _scene(40)
    before = picture.tobytes()
    for kind in ConditionKind:
        make_condition(kind, "i1", picture, box, picture if kind is ConditionKind.PATCH else None)
    assert picture.tobytes() == before


REFUSED = [
    (ConditionKind.GRAY, Box(500, 10, 20, 20), "outside"),
    (ConditionKind.CROP, Box(10, -50, 20, 20), "outside"),
    (ConditionKind.STRONG, Box(10, 10, 0, 20), "outside"),
    (ConditionKind.GRAY, Box(float("nan"), 10, 20, 20), "finite"),
    (ConditionKind.MILD, Box(10, 10, 40, 7), "too small"),
    (ConditionKind.MILD, Box(10, 10, 9, 20), "too small"),
    (ConditionKind.MILD, Box(-35, 10, 40, 20), "too small"),
]


@pytest.mark.parametrize(("kind", "box", "words"), REFUSED)
def test_refusals_name_the_item(kind: ConditionKind, box: Box, words: str) -> None:
    picture, _ = _scene(66)
    with pytest.raises(InputError, match=words) as error:
        _make(kind, picture, box)
    assert "item i1" in str(error.value)


def test_eight_pixels_leave_four() -> None:
    picture, _ = _scene(66)
    assert _make(ConditionKind.MILD, picture, Box(10, 10, 8, 8)).region == Rectangle(12, 12, 16, 16)


def test_patch_needs_a_background_that_holds_it() -> None:
    picture, box = _scene(66)
    with pytest.raises(InputError, match=r"item i1.*background of 30 x 30"):
        make_condition(ConditionKind.PATCH, "i1", picture, box, Image.new("RGB", (30, 30)))
    with pytest.raises(InputError, match="background is needed"):
        _make(ConditionKind.PATCH, picture, box)


def test_pictures_open_upright(tmp_path: Path) -> None:
    lying = Image.new("RGB", (40, 20), (0, 0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6
    lying.save(tmp_path / "a.png", exif=exif)
    assert open_picture(tmp_path / "a.png").size == (20, 40)


def test_what_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"b\.png"):
        open_picture(tmp_path / "b.png")


def test_edges_of_a_box_are_rounded() -> None:
    assert target_rectangle("i1", Box(0.5, 1.5, 10, 10.4), 100, 100) == Rectangle(0, 2, 10, 12)


def _make(kind: ConditionKind, picture: Image.Image, box: Box) -> Condition:
    return make_condition(kind, "i1", picture, box)


def _scene(height: int) -> tuple[Image.Image, Box]:
    """Noise with a red outline, three pixels wide, along the box and one red stroke through its middle."""
    width = 2 * height
    pixels = np.random.default_rng(height).integers(60, 220, size=(height + 60, width + 80, 3), dtype=np.uint8)
    pixels[..., 0] = np.minimum(pixels[..., 0], pixels[..., 1:].min(axis=2))
    top, left = 25, 35
    framed = pixels[top : top + height, left : left + width]
    framed[:3] = framed[-3:] = framed[:, :3] = framed[:, -3:] = (220, 20, 30)
    framed[height // 2, width // 4 : width // 2] = (200, 30, 30)
    return Image.fromarray(pixels), Box(left, top, width, height)
