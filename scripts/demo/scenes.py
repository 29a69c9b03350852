"""Walls with several boards. Each board is the target of one image: the same picture with another red outline."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from lettering import Face, draw_text
from looks import Look, choose_look, frame, jpeg, make_ground, photograph, project, tilted_corners
from PIL import Image, ImageDraw
from plan import Board, Scene, Sign, seed_of

SIZE = (384, 288)
WALLS = [(176, 180, 178), (148, 160, 172), (196, 192, 176), (120, 134, 130), (164, 170, 150)]
OUTLINE = (226, 28, 32)
Box = tuple[int, int, int, int]
ChooseFace = Callable[[str, str, np.random.Generator], Face]


def render_scene(scene: Scene, choose_face: ChooseFace) -> Iterator[tuple[Sign, Face, Look, Box, bytes]]:
    """For each board: its sign, face, look, target box (x, y, width, height) and the picture with its outline."""
    rng = np.random.default_rng(seed_of(scene.id))
    wall = _wall(rng)
    camera = choose_look(scene.context, rng, 28)
    placed = [
        (board, *_hang(wall, board, scene, slot, rng, choose_face))
        for board, slot in zip(scene.boards, _slots(len(scene.boards), rng), strict=True)
    ]
    picture = photograph(wall, camera, rng)
    for board, face, look, box in placed:
        shown = picture.copy()
        left, top, width, height = box
        ImageDraw.Draw(shown).rectangle(
            (left - 3, top - 3, left + width + 2, top + height + 2), outline=OUTLINE, width=3
        )
        seen = Look(
            look.palette, look.ink, look.ground, look.effect, look.degrees, look.slant,
            camera.blur, camera.noise, camera.light, camera.quality,
        )  # fmt: skip
        yield _sign(board, scene), face, seen, box, jpeg(shown, 84, sharp_colour=True)


def _sign(board: Board, scene: Scene) -> Sign:
    kind = "line" if " " in board.gold else "word"
    return Sign(
        board.id, board.gold, board.standard, "demo-scenes", scene.language, scene.script, kind, scene.context,
        board.content,
    )  # fmt: skip


def _wall(rng: np.random.Generator) -> Image.Image:
    """Plaster with a course of blocks, two windows and a pavement."""
    width, height = SIZE
    colour = WALLS[int(rng.integers(len(WALLS)))]
    wall = make_ground(width, height, colour, "market", rng)
    pen = ImageDraw.Draw(wall)
    joint = tuple(round(part * 0.88) for part in colour)
    if rng.random() < 0.6:
        for row, y in enumerate(range(0, height - 34, 22)):
            pen.line((0, y, width, y), fill=joint)
            for x in range(-24 * (row % 2), width, 48):
                pen.line((x, y, x, y + 22), fill=joint)
    for x in (int(rng.integers(8, 60)), int(rng.integers(230, 320))):
        top = int(rng.integers(96, 150))
        pen.rectangle((x, top, x + 56, top + 78), fill=(70, 84, 96), outline=(228, 228, 222), width=3)
        pen.line((x + 28, top, x + 28, top + 78), fill=(228, 228, 222), width=2)
    pen.rectangle((0, height - 34, width, height), fill=(104, 104, 102))
    pen.line((0, height - 34, width, height - 34), fill=(150, 150, 146), width=3)
    return wall.convert("RGBA")


def _slots(count: int, rng: np.random.Generator) -> list[tuple[int, int, int]]:
    """Centres and the largest text width of the boards, one below another and shifted."""
    rows = {2: [78, 190], 3: [54, 142, 232]}[count]
    return [(int(rng.integers(150, 234)), y + int(rng.integers(-8, 9)), int(rng.integers(150, 216))) for y in rows]


def _hang(
    wall: Image.Image, board: Board, scene: Scene, slot: tuple[int, int, int], rng: np.random.Generator,
    choose_face: ChooseFace,
) -> tuple[Face, Look, Box]:  # fmt: skip
    """Draw one board on the wall and give where its text landed, with room around it."""
    centre_x, centre_y, widest = slot
    look = choose_look(scene.context, rng, 28)
    look = Look(look.palette, look.ink, look.ground, look.effect, look.degrees * 0.6, look.slant, 0, 0, 0, 90)
    face = choose_face(board.gold, scene.language, rng)
    text = draw_text(board.gold, face, 96, look.ink, scene.language, look.effect, look.ground)
    scale = min(widest / text.width, 34 / text.height)
    pad = round(text.height * 0.36)
    panel = make_ground(text.width + 4 * pad, text.height + 3 * pad, look.ground, scene.context, rng).convert("RGBA")
    frame(panel, (pad // 3, pad // 3, panel.width - pad // 3 - 1, panel.height - pad // 3 - 1), look, scene.context)
    panel.alpha_composite(text, (2 * pad, round(1.5 * pad)))
    corners = tilted_corners(panel.width * scale, panel.height * scale, look, rng)
    offset_x = centre_x - sum(x for x, _ in corners) / 4
    offset_y = centre_y - sum(y for _, y in corners) / 4
    corners = tuple((x + offset_x, y + offset_y) for x, y in corners)
    wall.alpha_composite(project(panel, corners, SIZE))
    inked = Image.new("RGBA", panel.size, (0, 0, 0, 0))
    inked.paste((255, 255, 255, 255), (2 * pad, round(1.5 * pad), 2 * pad + text.width, round(1.5 * pad) + text.height))
    left, top, right, bottom = project(inked, corners, SIZE).getchannel("A").getbbox() or (0, 0, 1, 1)
    room = max(4, round((bottom - top) * 0.24))
    box = (left - room, top - room, right - left + 2 * room, bottom - top + 2 * room)
    return face, look, box
