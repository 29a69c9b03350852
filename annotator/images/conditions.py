"""Image conditions: how much of the scene and of the target a recogniser gets to see (SceneFaith, sections 4.3, 4.4).

Everything works on an upright RGB picture (`open_picture`) and returns a new one; the source is never written.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.errors import InputError
from annotator.images.thumbnails import FORMATS, refuse_bomb, to_rgb
from annotator.records import Box

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Value = TypeVar("Value", bound=np.generic)

GRAY = (128, 128, 128)
MIN_TARGET = 4
MIN_CROP_HEIGHT = 64


class ConditionKind(StrEnum):
    """The conditions that the product makes."""

    GRAY = "gray"
    MILD = "mild"
    MODERATE = "moderate"
    STRONG = "strong"
    CROP = "crop"
    PATCH = "patch"


# Least sigma in pixels, and sigma as a share of the box height.
_BLUR = {
    ConditionKind.MILD: (0.6, 0.015),
    ConditionKind.MODERATE: (1.2, 0.030),
    ConditionKind.STRONG: (2.4, 0.060),
}


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Whole pixels: `left`, `top` inside, `right`, `bottom` one past the end."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Columns, 0 when empty."""
        return max(0, self.right - self.left)

    @property
    def height(self) -> int:
        """Rows, 0 when empty."""
        return max(0, self.bottom - self.top)

    def clipped(self, width: int, height: int) -> Rectangle:
        """The part inside a picture of this size."""
        return Rectangle(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def grown(self, by: int) -> Rectangle:
        """Larger by `by` pixels on all sides; smaller when `by` is negative."""
        return Rectangle(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def pil(self) -> tuple[int, int, int, int]:
        """As Pillow takes it."""
        return (self.left, self.top, self.right, self.bottom)

    def of(self, pixels: NDArray[Value]) -> NDArray[Value]:
        """The view of an array of rows and columns."""
        return pixels[self.top : self.bottom, self.left : self.right]


@dataclass(frozen=True, slots=True)
class Proof:
    """What had to stay as it was: how many pixels, how many of them changed (0), SHA-256 of their values."""

    pixels: int
    changed: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A finished picture with its proof. `proof` is `None` where no pixel can stay (an enlarged crop).

    `region` is what was blurred, cropped or kept, in pixels of the source; `sigma` and `inset` belong to the blurs.
    """

    kind: ConditionKind
    picture: Image.Image
    region: Rectangle
    sigma: float | None
    inset: int | None
    proof: Proof | None


def open_picture(path: Path) -> Image.Image:
    """The picture at `path`, upright (EXIF orientation applied), as RGB. Raises `InputError` when it cannot be read or is too large."""
    from PIL import Image, ImageOps

    try:
        with Image.open(path, formats=FORMATS) as opened:
            refuse_bomb(path, opened.width, opened.height)
            return to_rgb(ImageOps.exif_transpose(opened))
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{path.name}: cannot be read as a picture ({type(error).__name__}).") from error


def make_condition(
    kind: ConditionKind, item: str, picture: Image.Image, box: Box, background: Image.Image | None = None
) -> Condition:
    """Make one condition of one item. `background` is the other picture of `patch` and must be given for it alone.

    Raises `InputError`, naming the item, when the box lies outside the picture or leaves too little to work on.
    """
    if (kind is ConditionKind.PATCH) != (background is not None):
        raise InputError(f"item {item}: condition {kind.value}: a background is needed for patch, and for patch alone.")
    if background is not None:
        return _patch(item, picture, box, background)
    if kind is ConditionKind.GRAY:
        return _gray(item, picture, box)
    if kind is ConditionKind.CROP:
        return _crop(item, picture, box)
    return _blur(kind, item, picture, box)


def blur_sigma(kind: ConditionKind, box_height: float) -> float:
    """Sigma of a blur in pixels: 1.5, 3 or 6 % of the box height, at least 0.6, 1.2 or 2.4."""
    least, share = _BLUR[kind]
    return max(least, share * box_height)


def blur_inset(box_height: float) -> int:
    """How far inside the box the blur begins: 15 % of its height, ties to even, at least 2 pixels."""
    return max(2, round(0.15 * box_height))


def crop_margin(box_height: float) -> int:
    """The margin of a crop: 8 % of the box height, ties to even, at least 4 pixels."""
    return max(4, round(0.08 * box_height))


def target_rectangle(item: str, box: Box, width: int, height: int) -> Rectangle:
    """The box in whole pixels (edges rounded, ties to even). Raises `InputError` when no pixel of it is inside."""
    numbers = (box.x, box.y, box.width, box.height)
    if not all(math.isfinite(number) for number in numbers):
        raise InputError(f"item {item}: found a box of {numbers}; expected four finite numbers.")
    whole = Rectangle(round(box.x), round(box.y), round(box.x + box.width), round(box.y + box.height))
    inside = whole.clipped(width, height)
    if not inside.width or not inside.height:
        raise InputError(
            f"item {item}: found the box x={box.x:g}, y={box.y:g}, width={box.width:g}, height={box.height:g} outside its "
            f"picture of {width} x {height} pixels; expected a box with at least one pixel inside. Check the box column."
        )
    return whole


def red_outline(pixels: Pixels) -> Mask:
    """Pixels of the red outline (R > 100, R > 1.35 G, R > 1.35 B), grown by one pixel in all eight directions."""
    red, green, blue = (pixels[..., channel].astype(np.float64) for channel in range(3))
    outline = (red > 100) & (red > 1.35 * green) & (red > 1.35 * blue)
    padded = np.pad(outline, 1)
    rows, columns = outline.shape
    grown = np.zeros_like(outline)
    for down in range(3):
        for right in range(3):
            grown |= padded[down : down + rows, right : right + columns]
    return grown


def _gray(item: str, picture: Image.Image, box: Box) -> Condition:
    from PIL import Image

    kept = target_rectangle(item, box, *picture.size).clipped(*picture.size)
    result = Image.new("RGB", picture.size, GRAY)
    result.paste(picture.crop(kept.pil()), (kept.left, kept.top))
    proof = _prove(kept.of(np.asarray(picture)), kept.of(np.asarray(result)))
    return Condition(ConditionKind.GRAY, result, kept, None, None, proof)


def _blur(kind: ConditionKind, item: str, picture: Image.Image, box: Box) -> Condition:
    from PIL import Image, ImageFilter

    inset = blur_inset(box.height)
    sigma = blur_sigma(kind, box.height)
    region = target_rectangle(item, box, *picture.size).grown(-inset).clipped(*picture.size)
    if region.width < MIN_TARGET or region.height < MIN_TARGET:
        raise InputError(
            f"item {item}: found {region.width} x {region.height} pixels left of its box of {box.width:g} x {box.height:g} "
            f"after {inset} pixels on each side; expected at least {MIN_TARGET} in both directions. The box is too small."
        )
    before = np.asarray(picture)
    outline = np.zeros(before.shape[:2], dtype=bool)
    around = region.grown(1).clipped(*picture.size)
    around.of(outline)[...] = red_outline(around.of(before))
    blurred = np.asarray(picture.crop(region.pil()).filter(ImageFilter.GaussianBlur(sigma)))
    after = before.copy()
    changes = ~region.of(outline)
    region.of(after)[changes] = blurred[changes]
    must_stay = np.ones(before.shape[:2], dtype=bool)
    region.of(must_stay)[...] = region.of(outline)
    proof = _prove(before[must_stay], after[must_stay])
    return Condition(kind, Image.fromarray(after), region, sigma, inset, proof)


def _crop(item: str, picture: Image.Image, box: Box) -> Condition:
    from PIL import Image

    target = target_rectangle(item, box, *picture.size)
    region = target.grown(crop_margin(box.height)).clipped(*picture.size)
    cut = picture.crop(region.pil())
    if region.height >= MIN_CROP_HEIGHT:
        proof = _prove(region.of(np.asarray(picture)), np.asarray(cut))
        return Condition(ConditionKind.CROP, cut, region, None, None, proof)
    width = max(1, round(region.width * MIN_CROP_HEIGHT / region.height))
    larger = cut.resize((width, MIN_CROP_HEIGHT), Image.Resampling.LANCZOS)
    return Condition(ConditionKind.CROP, larger, region, None, None, None)


def _patch(item: str, picture: Image.Image, box: Box, background: Image.Image) -> Condition:
    place = target_rectangle(item, box, *picture.size).clipped(*picture.size)
    if place.right > background.width or place.bottom > background.height:
        raise InputError(
            f"item {item}: found a background of {background.width} x {background.height} pixels; expected one that holds "
            f"the patch at x={place.left}, y={place.top}, width={place.width}, height={place.height}."
        )
    result = background.copy()
    result.paste(picture.crop(place.pil()), (place.left, place.top))
    proof = _prove(place.of(np.asarray(picture)), place.of(np.asarray(result)))
    return Condition(ConditionKind.PATCH, result, place, None, None, proof)


def _prove(before: Pixels, after: Pixels) -> Proof:
    old, new = before.reshape(-1, 3), after.reshape(-1, 3)
    changed = int((old != new).any(axis=1).sum())
    return Proof(len(old), changed, hashlib.sha256(np.ascontiguousarray(new).tobytes()).hexdigest())
