"""Pictures of single words, drawn by the product: quick, grey, each with faults of its own. For training and for trials.

The demo's pictures (`scripts/demo`) are drawn with more care and in colour, a tenth of a second each; these take about a
thousandth, so that a recogniser can be trained on tens of thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from annotator.errors import InputError
from annotator.text.graphemes import split_graphemes
from annotator.text.scripts import Direction, direction

if TYPE_CHECKING:
    from PIL import Image, ImageFont

Floats = npt.NDArray[np.float32]
BUILT_IN = ""
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
# Latin faces that common systems have; other scripts are drawn with the files that the caller names.
NAMES = (
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansCondensed-Bold", "DejaVuSansMono-Bold",
    "DejaVuSerif-BoldItalic", "NotoSans-Regular", "NotoSans-Bold", "NotoSerif-Regular", "NotoSerif-Bold",
    "NotoSans-BoldItalic", "Comfortaa-Bold", "LobsterTwo-BoldItalic", "Arial", "arial", "Georgia", "georgia", "Verdana",
    "verdana",
)  # fmt: skip
_NOTHING = "\U0010fffe"
_SAMPLE = 40
_LETTERS = 40  # pixels of letter size while drawing, before the picture gets its own height


@dataclass(frozen=True, slots=True)
class WordLook:
    """How one word is shown. Levels are grey values 0 to 255, angles degrees; blur and smear are pixels at `height`."""

    ink: float
    ground: float
    degrees: float
    slant: float
    height: int
    blur: float
    smear: int
    noise: float
    light: float
    pad: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """An 8-bit grey picture of a word, and where its clusters stand in it from left to right, as shares of its width.

    The places are sums of the clusters' own widths: exact for letters that do not join, near for those that do.
    """

    picture: Image.Image
    places: tuple[float, ...]


def find_faces(letters: Iterable[str], given: Sequence[Path] = ()) -> tuple[str, ...]:
    """Font files that have a glyph for every code point of `letters`: of those `given`, else of the usual Latin ones.

    Falls back on the font inside Pillow (named ""). Raises `InputError` when a given file is no font, or no font has all.
    """
    points = {point for text in letters for point in text if not point.isspace()}
    names = [str(path) for path in given] or [*_installed(), BUILT_IN]
    able = tuple(name for name in names if not _lacks(name, points))
    if able:
        return able if given or len(able) == 1 else tuple(name for name in able if name != BUILT_IN)
    named = ", ".join(path.name for path in given) or "the fonts found here"
    raise InputError(
        f"no font has every letter of these words ({named}); name a font file of the script with --font FILE"
    )


def draw_word(text: str, face: str, look: WordLook, rng: np.random.Generator) -> DrawnWord:
    """`text` in the font file `face`, `look.height` pixels high; the noise comes from `rng`."""
    from PIL import Image

    mask = _ink(text, face)
    turn = _turn(mask.size, look)
    places = _places(text, face, mask.size, turn, look)
    ink = np.asarray(turn.applied(mask), dtype=np.float32) / 255
    tall, wide = ink.shape
    angle = rng.uniform(0, 2 * np.pi)
    ramp = np.cos(angle) * np.linspace(-1, 1, wide)[None, :] + np.sin(angle) * np.linspace(-1, 1, tall)[:, None]
    grey = (look.ground + (look.ink - look.ground) * ink) * (1 - look.light * (ramp + 1) / 2)
    size = max(4, round(wide * look.height / tall)), look.height
    small = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).resize(size, Image.Resampling.BILINEAR)
    return DrawnWord(_photographed(small, look, rng), places)


def choose_word_look(rng: np.random.Generator, hardness: float = 1.0) -> WordLook:
    """A look at random: dark on light or light on dark, half of them straight and sharp, some faint, low or smeared.

    `hardness` from 0 (straight, sharp, even light) to 1 scales every fault; the draws from `rng` are the same for each.
    """
    dark, step = rng.uniform(0, 1, 2)
    contrast = 60 + 195 * step + (1 - hardness) * 100 * (1 - step)
    ink = dark * (255 - contrast)
    ground = ink + contrast
    if rng.random() < 0.5:
        ink, ground = ground, ink
    height = int(rng.integers(17, 26) if rng.random() < 0.2 else rng.integers(28, 48))
    tilt = float(rng.choice([0.0, 3.0, 9.0], p=[0.5, 0.33, 0.17])) * hardness
    left, right, top, bottom = rng.uniform(0.02, 0.35, 2).tolist() + rng.uniform(0.0, 0.25, 2).tolist()
    return WordLook(
        ink=float(ink),
        ground=float(ground),
        degrees=float(rng.uniform(-1, 1)) * tilt,
        slant=float(rng.normal(0, 0.08)) * hardness,
        height=height,
        blur=float(rng.choice([0.0, 0.02, 0.035], p=[0.5, 0.32, 0.18])) * height * hardness,
        smear=max(3, height // 9) if rng.random() < 0.12 * hardness else 0,
        noise=float(rng.choice([2.0, 7.0, 15.0], p=[0.45, 0.35, 0.2])) * hardness,
        light=float(rng.uniform(0.0, 0.35)) * hardness,
        pad=(left, top, right, bottom),
    )


def _installed() -> tuple[str, ...]:
    """Paths of the usual faces, in the order of `NAMES`; one path per name."""
    found: dict[str, str] = {}
    for folder in (*FOLDERS, str(Path.home() / ".fonts"), str(Path.home() / ".local/share/fonts")):
        for path in sorted(Path(folder).rglob("*.[ot]tf")) if Path(folder).is_dir() else ():
            found.setdefault(path.stem, str(path))
    return tuple(found[name] for name in NAMES if name in found)


@lru_cache(maxsize=64)
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    try:
        font = ImageFont.truetype(face, size) if face else ImageFont.load_default(size)
    except OSError as error:
        raise InputError(f"{face} is not a font that FreeType can read ({error})") from error
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise InputError("Pillow here has no FreeType: words cannot be drawn; install a Pillow wheel that has it")
    return font


def _lacks(face: str, points: Iterable[str]) -> bool:
    font = _font(face, _SAMPLE)
    nothing = bytes(font.getmask(_NOTHING))
    return any(bytes(font.getmask(point)) == nothing for point in points)


def _ink(text: str, face: str) -> Image.Image:
    """The ink of `text` as a grey mask, cut to it."""
    from PIL import Image, ImageDraw

    font = _font(face, _LETTERS)
    left, top, right, bottom = font.getbbox(text)
    canvas = Image.new("L", (max(1, round(right - left)), max(1, round(bottom - top))), 0)
    ImageDraw.Draw(canvas).text((-left, -top), text, font=font, fill=255)
    return canvas


@dataclass(frozen=True, slots=True)
class _Turn:
    """How ink goes onto its ground: the ground's size, and the way back from a place on it to the ink."""

    size: tuple[int, int]
    back: tuple[float, float, float, float, float, float]

    def applied(self, ink: Image.Image) -> Image.Image:
        """The mask with its ground around it, sheared and turned."""
        from PIL import Image

        return ink.transform(self.size, Image.Transform.AFFINE, self.back, Image.Resampling.BILINEAR)

    def column(self, x: float, y: float) -> float:
        """Where the place (x, y) of the ink stands, as a share of the ground's width."""
        a, b, c, d, e, f = self.back
        return (e * (x - c) - b * (y - f)) / (a * e - b * d) / self.size[0]


def _turn(ink: tuple[int, int], look: WordLook) -> _Turn:
    left, top, right, bottom = (round(share * _LETTERS) for share in look.pad)
    wide, tall = ink[0] + left + right, ink[1] + top + bottom
    lean, angle = abs(look.slant) * tall, np.deg2rad(look.degrees)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    size = round(wide + lean + abs(sin) * tall), round(tall + abs(sin) * wide)
    # From a place on the ground back to the ink: centre, turn back, shear back, then the ink's own corner.
    a, b, d, e = cos + look.slant * -sin, sin + look.slant * cos, -sin, cos
    c = wide / 2 - left - a * size[0] / 2 - b * size[1] / 2
    f = tall / 2 - top - d * size[0] / 2 - e * size[1] / 2
    return _Turn(size, (a, b, c, d, e, f))


def _places(text: str, face: str, ink: tuple[int, int], turn: _Turn, look: WordLook) -> tuple[float, ...]:
    clusters = split_graphemes(text)
    if direction(text) is Direction.RTL:
        clusters.reverse()
    widths = np.array([_font(face, _LETTERS).getlength(cluster) for cluster in clusters])
    middles = (np.cumsum(widths) - widths / 2) * ink[0] / max(float(widths.sum()), 1.0)
    return tuple(turn.column(float(x), ink[1] / 2) for x in middles)


def _photographed(picture: Image.Image, look: WordLook, rng: np.random.Generator) -> Image.Image:
    """Blur, smear and sensor noise, in the order in which a camera adds them."""
    from PIL import Image, ImageFilter

    if look.blur:
        picture = picture.filter(ImageFilter.GaussianBlur(look.blur))
    pixels = np.asarray(picture, dtype=np.float32)
    if look.smear:
        before = look.smear // 2
        padded = np.pad(pixels, ((0, 0), (before, look.smear - 1 - before)), mode="edge")
        pixels = np.mean([padded[:, step : step + pixels.shape[1]] for step in range(look.smear)], axis=0)
    noisy = pixels + rng.normal(0, look.noise, pixels.shape)
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))
