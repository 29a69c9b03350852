"""Render the images of `data/demo` and write its `items.csv`.

    python scripts/demo/render.py [--out data/demo] [--check]

Needs Pillow with raqm and FriBiDi and the Debian packages that `lettering.py` names. The same versions give the same
bytes; `--check` renders into memory and says which files differ. Recognisers are run by `recognise.py`.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from lettering import FACES, Face, check_shaping, draw_text, missing_glyphs
from looks import Look, choose_look, cover, faded_ink, frame, jpeg, make_ground, photograph, project, tilted_corners
from PIL import Image
from plan import LANGUAGES, Sign, read_language, seed_of
from scenes import render_scene

COLUMNS = [
    "id",
    "gold",
    "standard",
    "image",
    "benchmark",
    "language",
    "split",
    "document",
    "box",
    "kind",
    "context",
    "content",
    "script",
    "font",
    "colour",
    "effect",
    "angle",
    "blur",
    "contrast",
    "occlusion",
    "resolution",
    "noise",
    "case",
]
DATA = Path(__file__).resolve().parents[2] / "data" / "demo"
DRAWN = 96  # pixels of letter size while drawing; the finished crop is smaller


@dataclass(frozen=True, slots=True)
class Rendered:
    """One finished image and its row of the items file."""

    row: dict[str, str]
    data: bytes


def choose_face(text: str, language: str, rng: np.random.Generator) -> Face:
    """A face of the language that has every glyph of the text; a script face is not set in capitals."""
    faces = [face for face in FACES[language] if not (text.isupper() and face.name.startswith("Lobster"))]
    able = [face for face in faces if not missing_glyphs(text, face)]
    if not able:
        sys.exit(f"no font of the list has every glyph of {text!r} ({language})")
    return able[int(rng.integers(len(able)))]


def render_sign(sign: Sign) -> Rendered:
    """One word or line as a crop, 32 to 67 px high, or 17 to 23 px when far (9 more where marks stand above and below)."""
    rng = np.random.default_rng(seed_of(sign.id))
    tall = sign.language in ("bn", "ar")
    far = rng.random() < 0.24
    height = int(rng.integers(17, 24) if far else rng.integers(32, 68)) + (9 if tall else 0)
    look = choose_look(sign.context, rng, round(height * (0.8 if sign.language == "bn" else 1.0)))
    if far:
        look = replace(look, motion=0, faded=min(look.faded, 0.45))
    face = choose_face(sign.gold, sign.language, rng)
    text = draw_text(sign.gold, face, DRAWN, faded_ink(look), sign.language, look.effect, look.ground)
    board, box = _board(text, look, sign.context, rng)
    crop = _seen(board, box, look, height, rng)
    if look.covered:
        cover(crop, rng)
    image = photograph(crop, look, rng)
    return Rendered(describe(sign, face, look, height), jpeg(image, look.quality))


def _board(
    text: Image.Image, look: Look, context: str, rng: np.random.Generator
) -> tuple[Image.Image, tuple[int, int, int, int]]:
    width, height = text.size
    space = round(height * 1.1)
    board = make_ground(width + 2 * space, height + 2 * space, look.ground, context, rng).convert("RGBA")
    side, rise = round(height * rng.uniform(0.10, 0.35)), round(height * rng.uniform(0.06, 0.22))
    rim = (space - round(side * 1.6), space - round(rise * 2.2), space + width + round(side * 1.6))
    frame(board, (*rim, space + height + round(rise * 2.2)), look, context)
    board.alpha_composite(text, (space, space))
    return board, (space - side, space - rise, space + width + side, space + height + rise)


def _seen(
    board: Image.Image, box: tuple[int, int, int, int], look: Look, height: int, rng: np.random.Generator
) -> Image.Image:
    """The board turned and projected, cut around where `box` went, `height` pixels high."""
    width, tall = board.size
    corners = tilted_corners(width, tall, look, rng)
    shift_x, shift_y = -min(x for x, _ in corners), -min(y for _, y in corners)
    corners = tuple((x + shift_x, y + shift_y) for x, y in corners)
    size = (round(max(x for x, _ in corners)) + 1, round(max(y for _, y in corners)) + 1)
    flat = Image.new("RGBA", size, (*look.ground, 255))
    flat.alpha_composite(project(board, corners, size))
    mask = Image.new("RGBA", board.size, (0, 0, 0, 0))
    mask.paste((255, 255, 255, 255), box)
    found = project(mask, corners, size).getchannel("A").getbbox()
    cut = flat.crop(found).convert("RGB")
    return cut.resize((max(1, round(cut.width * height / cut.height)), height), Image.Resampling.LANCZOS)


def describe(sign: Sign, face: Face, look: Look, height: int) -> dict[str, str]:
    """The items row; the picture's properties in words, so that each is an axis."""
    letters = [point for point in sign.gold if point.isalpha()]
    cased = [point for point in letters if point.lower() != point.upper()]
    case = "none" if not cased else "upper" if all(p.isupper() for p in cased) else "lower"
    if case == "lower" and any(p.isupper() for p in cased):
        case = "title"
    return {
        "id": sign.id,
        "gold": sign.gold,
        "standard": sign.standard,
        "image": f"images/{sign.language}/{sign.id}.jpg",
        "benchmark": sign.benchmark,
        "language": sign.language,
        "split": "dev" if seed_of(sign.id + "/split") % 4 == 0 else "test",
        "document": "",
        "box": "",
        "kind": sign.kind,
        "context": sign.context,
        "content": sign.content,
        "script": sign.script,
        "font": face.name,
        "colour": look.palette,
        "effect": look.effect,
        "angle": _named(abs(look.degrees), ((0.1, "straight"), (4.1, "slight"), (90, "steep"))),
        "blur": "motion" if look.motion else _named(look.blur / height, _BLURS),
        "contrast": "faded" if look.faded else "clear",
        "occlusion": "partial" if look.covered else "none",
        "resolution": "low" if height < 30 else "high",
        "noise": _named(look.noise, ((3, "low"), (8, "medium"), (99, "high"))),
        "case": case,
    }


_BLURS = ((0.001, "none"), (0.025, "mild"), (1, "strong"))


def _named(value: float, steps: tuple[tuple[float, str], ...]) -> str:
    return next(name for limit, name in steps if value <= limit)


def render_all() -> list[Rendered]:
    """Every image of the set: signs, then the scenes with one image per target."""
    check_shaping()
    rendered = []
    for language in LANGUAGES:
        signs, scenes = read_language(language)
        rendered += [render_sign(sign) for sign in signs]
        for scene in scenes:
            for sign, face, look, box, data in render_scene(scene, choose_face):
                row = describe(sign, face, look, box[3])
                row |= {"document": scene.id, "box": ",".join(map(str, box))}
                row["split"] = "dev" if seed_of(scene.id + "/split") % 4 == 0 else "test"
                rendered.append(Rendered(row, data))
    return rendered


def items_csv(rows: list[dict[str, str]]) -> bytes:
    """The items file, UTF-8 with line feeds."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file differs")
    arguments = parser.parse_args()
    rendered = render_all()
    files = {one.row["image"]: one.data for one in rendered}
    files["items.csv"] = items_csv([one.row for one in rendered])
    if arguments.check:
        paths = ((name, arguments.out / name) for name in files)
        differing = [name for name, path in paths if not path.is_file() or path.read_bytes() != files[name]]
        print(f"{len(files) - len(differing)} files equal, {len(differing)} differ", *differing[:20], sep="\n")
        sys.exit(1 if differing else 0)
    for name, data in files.items():
        path = arguments.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    print(f"{len(rendered)} images, {sum(map(len, files.values())) / 1e6:.2f} MB in {arguments.out}")


if __name__ == "__main__":
    main()
