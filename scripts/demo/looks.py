"""Grounds, distortion and camera faults. Everything random comes from the generator that is passed in."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, replace

import numpy as np
from lettering import RGB
from PIL import Image, ImageDraw, ImageFilter

Corners = tuple[tuple[float, float], ...]

# context -> (name, ink, ground); no ground is red, so that the red outline of a scene's target stays the only red.
PALETTES: dict[str, list[tuple[str, RGB, RGB]]] = {
    "street": [
        ("white-on-blue", (245, 245, 245), (28, 74, 140)),
        ("white-on-green", (245, 248, 240), (24, 104, 66)),
        ("black-on-white", (25, 25, 28), (238, 238, 232)),
        ("black-on-yellow", (28, 26, 20), (246, 205, 40)),
    ],
    "shop": [
        ("gold-on-green", (232, 196, 110), (20, 62, 48)),
        ("cream-on-navy", (250, 240, 214), (26, 34, 72)),
        ("teal-on-cream", (12, 96, 104), (246, 238, 218)),
        ("white-on-purple", (250, 246, 252), (92, 44, 116)),
        ("plum-on-mint", (88, 28, 74), (196, 228, 208)),
    ],
    "market": [
        ("chalk-on-slate", (224, 226, 218), (50, 56, 58)),
        ("ink-on-cardboard", (52, 44, 40), (206, 186, 150)),
        ("white-on-green", (250, 250, 246), (52, 124, 60)),
    ],
    "transport": [
        ("white-on-blue", (250, 250, 252), (0, 72, 136)),
        ("yellow-on-black", (250, 204, 40), (22, 22, 26)),
        ("white-on-grey", (250, 250, 250), (92, 98, 104)),
        ("black-on-white", (16, 16, 16), (246, 246, 246)),
    ],
    "packaging": [
        ("black-on-white", (30, 30, 32), (244, 244, 240)),
        ("navy-on-sky", (28, 44, 96), (206, 226, 240)),
        ("brown-on-cream", (96, 62, 40), (248, 236, 212)),
        ("grey-on-white", (128, 130, 134), (240, 240, 238)),
        ("white-on-teal", (246, 252, 250), (22, 122, 122)),
    ],
    "office": [
        ("black-on-white", (36, 36, 40), (240, 240, 238)),
        ("grey-on-beige", (110, 106, 98), (226, 218, 200)),
        ("blue-on-white", (32, 64, 140), (242, 244, 248)),
    ],
}


@dataclass(frozen=True, slots=True)
class Look:
    """How one sign is shown. Degrees clockwise; blur and noise are in the finished image's pixels and grey levels.

    `motion` is the length of a horizontal smear in pixels, `faded` the share of the ground mixed into the ink, `covered`
    says that something hangs in front of a part.
    """

    palette: str
    ink: RGB
    ground: RGB
    effect: str
    degrees: float
    slant: float
    blur: float
    noise: float
    light: float
    quality: int
    motion: int = 0
    faded: float = 0.0
    covered: bool = False


def choose_look(context: str, rng: np.random.Generator, height: int) -> Look:
    """A look for a context: half straight, a third tilted, a few steep; blur in steps of the text height.

    A faded sign gets no other strong fault, so that a careful reader can still read every picture.
    """
    palette, ink, ground = PALETTES[context][int(rng.integers(len(PALETTES[context])))]
    tilt = float(rng.choice([0.0, 4.0, 11.0], p=[0.5, 0.33, 0.17]))
    degrees = 0.0 if tilt == 0 else float(rng.choice([-1, 1]) * rng.uniform(0.5, 1.0) * tilt)
    blur = float(rng.choice([0.0, 0.02, 0.037], p=[0.5, 0.32, 0.18])) * height
    effect = str(rng.choice(["plain", "shadow", "outline"], p=[0.62, 0.24, 0.14])) if context == "shop" else "plain"
    look = Look(
        palette=palette,
        ink=ink,
        ground=ground,
        effect=effect,
        degrees=degrees,
        slant=float(rng.choice([0.0, rng.uniform(0.05, 0.16)], p=[0.6, 0.4])),
        blur=blur,
        noise=float(rng.choice([2.0, 7.0, 15.0], p=[0.45, 0.35, 0.2])),
        light=float(rng.uniform(0.0, 0.35)),
        quality=int(rng.integers(62, 90)),
        motion=int(rng.choice([0, max(3, height // 9)], p=[0.84, 0.16])),
        faded=float(rng.choice([0.0, rng.uniform(0.4, 0.64)], p=[0.8, 0.2])),
        covered=bool(rng.random() < 0.14),
    )
    if look.faded:
        calm = {"blur": min(look.blur, 0.02 * height), "noise": min(look.noise, 7.0), "light": min(look.light, 0.2)}
        return replace(look, motion=0, covered=False, **calm)
    return look


def faded_ink(look: Look) -> RGB:
    """The ink with `faded` of the ground mixed in."""
    red, green, blue = (
        round(ink * (1 - look.faded) + ground * look.faded) for ink, ground in zip(look.ink, look.ground, strict=True)
    )
    return red, green, blue


def cover(image: Image.Image, rng: np.random.Generator) -> None:
    """Something in front of a part of the sign: a thin pole, a cable, or leaves along an edge."""
    pen = ImageDraw.Draw(image)
    width, height = image.size
    kind = int(rng.integers(3))
    x = int(rng.uniform(0.2, 0.8) * width)
    if kind == 0:
        thick = max(2, height // 12)
        pen.line((x, 0, x + int(rng.integers(-height // 4, height // 4 + 1)), height), fill=(74, 72, 70), width=thick)
    elif kind == 1:
        sag = rng.uniform(0.35, 0.6) * height
        points = [(width * t / 8, sag + height * 0.25 * ((t / 4 - 1) ** 2)) for t in range(9)]
        pen.line(points, fill=(40, 38, 40), width=max(2, height // 16), joint="curve")
    else:
        for _ in range(7):
            left = x + rng.normal(0, height * 0.35)
            top = height * rng.uniform(0.66, 0.95)
            size = height * rng.uniform(0.10, 0.2)
            pen.ellipse((left, top, left + size * 1.7, top + size), fill=(58, int(rng.integers(92, 130)), 52))


def make_ground(width: int, height: int, colour: RGB, context: str, rng: np.random.Generator) -> Image.Image:
    """A board of the context's material: enamel, chalked slate, fibre, paper."""
    base = np.ones((height, width, 3), np.float64) * np.array(colour, np.float64)
    grain = {"market": 9.0, "packaging": 3.0, "office": 2.5}.get(context, 1.5)
    coarse = rng.normal(0, grain, (max(2, height // 8), max(2, width // 8)))
    cloud = Image.fromarray(coarse.astype(np.float32)).resize((width, height), Image.Resampling.BICUBIC)
    base += np.asarray(cloud)[:, :, None]
    if context == "market":
        base += rng.normal(0, 4, (height, 1, 1))
    return Image.fromarray(np.clip(base, 0, 255).astype(np.uint8))


def frame(board: Image.Image, box: tuple[int, int, int, int], look: Look, context: str) -> None:
    """The rim that boards of this context have, drawn around `box` (left, top, right, bottom)."""
    pen = ImageDraw.Draw(board)
    left, top, right, bottom = box
    thick = max(2, (bottom - top) // 30)
    if context in ("street", "transport"):
        pen.rounded_rectangle(box, radius=(bottom - top) // 6, outline=look.ink, width=thick)
    elif context == "packaging":
        pen.line((left, top, right, top), fill=look.ink, width=thick)
        pen.line((left, bottom, right, bottom), fill=look.ink, width=thick)
    elif context == "shop":
        pen.rectangle(box, outline=tuple(round(part * 0.6) for part in look.ground), width=thick * 2)


def tilted_corners(width: float, height: float, look: Look, rng: np.random.Generator) -> Corners:
    """Where the corners of a width x height board land: turned, and narrower on one side by `slant`."""
    near = float(rng.choice([-1, 1]))
    squeeze = [look.slant * height / 2 if side == near else 0.0 for side in (-1.0, 1.0)]
    flat = [(0, squeeze[0]), (width, squeeze[1]), (width, height - squeeze[1]), (0, height - squeeze[0])]
    angle = math.radians(look.degrees)
    return tuple(
        (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)) for x, y in flat
    )


def project(board: Image.Image, corners: Corners, size: tuple[int, int]) -> Image.Image:
    """`board` (RGBA) seen with its corners at `corners` of a transparent canvas of `size`."""
    width, height = board.size
    source = ((0, 0), (width, 0), (width, height), (0, height))
    rows, values = [], []
    for (x, y), (u, v) in zip(corners, source, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    coefficients = np.linalg.solve(np.array(rows, float), np.array(values, float))
    return board.transform(size, Image.Transform.PERSPECTIVE, coefficients.tolist(), Image.Resampling.BICUBIC)


def photograph(image: Image.Image, look: Look, rng: np.random.Generator) -> Image.Image:
    """Uneven light, blur, sensor noise and JPEG, in the order in which a camera adds them."""
    pixels = np.asarray(image.convert("RGB"), np.float64)
    height, width, _ = pixels.shape
    turn = rng.uniform(0, 2 * math.pi)
    ramp = np.cos(turn) * np.linspace(-1, 1, width)[None, :] + np.sin(turn) * np.linspace(-1, 1, height)[:, None]
    lit = Image.fromarray(np.clip(pixels * (1 - look.light * (ramp[:, :, None] + 1) / 2), 0, 255).astype(np.uint8))
    if look.blur:
        lit = lit.filter(ImageFilter.GaussianBlur(look.blur))
    if look.motion:
        lit = smear(lit, look.motion)
    noisy = np.asarray(lit, np.float64) + rng.normal(0, look.noise, (height, width, 3))
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))


def smear(image: Image.Image, length: int) -> Image.Image:
    """The mean of `length` copies shifted sideways: a hand that moved."""
    pixels = np.asarray(image, np.float64)
    padded = np.pad(pixels, ((0, 0), (length // 2, length - 1 - length // 2), (0, 0)), mode="edge")
    total = sum(padded[:, step : step + pixels.shape[1]] for step in range(length))
    return Image.fromarray((total / length).astype(np.uint8))


def jpeg(image: Image.Image, quality: int, sharp_colour: bool = False) -> bytes:
    """The image as JPEG bytes; `sharp_colour` keeps thin coloured lines (the target's outline) crisp."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality, subsampling=0 if sharp_colour else 2, optimize=True)
    return buffer.getvalue()
