"""Fonts and shaped text. Bengali and Arabic need Pillow's raqm layout with FriBiDi; without it they come out unshaped."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, features

RGB = tuple[int, int, int]
NOTO = Path("/usr/share/fonts/truetype/noto")
CJK = Path("/usr/share/fonts/opentype/noto")
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")


@dataclass(frozen=True, slots=True)
class Face:
    """A font file, the face in it, and how much larger than Latin it must be set to look as large."""

    name: str
    path: Path
    index: int = 0
    scale: float = 1.0


def _noto(*names: str, scale: float = 1.0) -> list[Face]:
    return [Face(name, NOTO / f"{name}.ttf", 0, scale) for name in names]


def _cjk(index: int) -> list[Face]:
    names = ("NotoSansCJK-Regular", "NotoSansCJK-Bold", "NotoSerifCJK-Regular", "NotoSerifCJK-Bold")
    return [Face(name, CJK / f"{name}.ttc", index) for name in names]


DEJAVU_FACES = ["DejaVuSans-Bold", "DejaVuSerif", "DejaVuSansMono-Bold", "DejaVuSansCondensed-Bold", "DejaVuSerif-Bold"]
SLANTED = ["DejaVuSerif-BoldItalic", "DejaVuSansCondensed-BoldOblique"]
PLAIN = _noto("NotoSans-Regular", "NotoSans-Bold", "NotoSerif-Regular", "NotoSerif-Bold", "NotoSans-BoldItalic")
FACES: dict[str, list[Face]] = {
    "en": [
        *PLAIN,
        *(Face(name, DEJAVU / f"{name}.ttf") for name in [*DEJAVU_FACES, *SLANTED]),
        Face("LobsterTwo-BoldItalic", Path("/usr/share/fonts/opentype/lobster/lobster.otf")),
        Face("Comfortaa-Bold", Path("/usr/share/fonts/truetype/comfortaa/Comfortaa-Bold.ttf")),
    ],
    "vi": [*PLAIN, *(Face(name, DEJAVU / f"{name}.ttf") for name in DEJAVU_FACES if "Mono" not in name)],
    "bn": [
        *_noto("NotoSansBengali-Regular", "NotoSansBengali-Bold", "NotoSerifBengali-Regular", "NotoSerifBengali-Bold"),
        Face("Lohit-Bengali", Path("/usr/share/fonts/truetype/lohit-bengali/Lohit-Bengali.ttf"), 0, 1.05),
    ],
    "ar": [
        *_noto("NotoNaskhArabic-Regular", "NotoNaskhArabic-Bold", "NotoKufiArabic-Bold", "NotoSansArabic-Bold"),
        Face("Amiri-Bold", Path("/usr/share/fonts/opentype/fonts-hosny-amiri/Amiri-Bold.ttf"), 0, 1.15),
    ],
    "ja": _cjk(0),
    "zh": _cjk(2),
}


def check_shaping() -> None:
    """Stop with one sentence when Pillow cannot shape, or a font is not there."""
    if not (features.check("raqm") and features.check("fribidi")):
        sys.exit("Pillow here lacks raqm with FriBiDi (Bengali and Arabic would be unshaped): use a wheel that has it.")
    missing = sorted({str(face.path) for faces in FACES.values() for face in faces if not face.path.is_file()})
    if missing:
        packages = "fonts-noto-core fonts-noto-cjk fonts-dejavu fonts-lohit-beng-bengali fonts-hosny-amiri"
        sys.exit(f"fonts missing: {', '.join(missing)}. apt-get install {packages} fonts-lobster fonts-comfortaa")


def load(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """The face at a size in pixels, laid out by raqm."""
    return ImageFont.truetype(
        str(face.path), round(size * face.scale), index=face.index, layout_engine=ImageFont.Layout.RAQM
    )


def missing_glyphs(text: str, face: Face) -> list[str]:
    """Code points that the face would draw as its "no glyph" box."""
    font = load(face, 40)
    nothing = bytes(font.getmask("\U0010fffe"))
    marks = {"\u200c", "\u200d", " "}
    return [point for point in dict.fromkeys(text) if point not in marks and bytes(font.getmask(point)) == nothing]


def draw_text(text: str, face: Face, size: int, fill: RGB, language: str, effect: str, back: RGB) -> Image.Image:
    """The text on a transparent ground, cut to its ink with a margin of 2 px for the effect.

    `effect` is `plain`, `shadow` (a darker copy below right) or `outline` (a rim in the contrasting colour).
    """
    font = load(face, size)
    rim = max(1, size // 24) if effect == "outline" else 0
    direction = "rtl" if language == "ar" else "ltr"
    options = {"direction": direction, "language": language, "stroke_width": rim}
    left, top, right, bottom = font.getbbox(text, **options)
    margin = 2 + size // 12
    canvas = Image.new("RGBA", (round(right - left) + 2 * margin, round(bottom - top) + 2 * margin), (*fill, 0))
    pen = ImageDraw.Draw(canvas)
    at = (margin - left, margin - top)
    if effect == "shadow":
        step = max(1, size // 18)
        dark = tuple(round(part * 0.45) for part in back)
        pen.text(
            (at[0] + step, at[1] + step), text, font=font, fill=(*dark, 255), direction=direction, language=language
        )
    rim_colour = (20, 20, 20) if sum(fill) > 380 else (245, 245, 240)
    pen.text(at, text, font=font, fill=(*fill, 255), stroke_fill=(*rim_colour, 255), **options)
    return canvas
