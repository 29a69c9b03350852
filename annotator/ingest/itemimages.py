"""Images of imported items: inside their root, really images, and boxes that lie on them. All warnings; items are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.errors import Problem
from annotator.images.inspect import ImageFacts, inspect_image
from annotator.images.paths import inside
from annotator.ingest.boxes import BoxPlan, fits
from annotator.ingest.tables import Table
from annotator.ingest.warned import WarningLog
from annotator.records import Box, ItemRow

Progress = Callable[[str, int, int], None]
LEAVES = "leaves the dataset folder"


@dataclass(frozen=True, slots=True)
class ImageCheck:
    """By item: why its image cannot be shown (`""` when it can), and its size where it is known."""

    problem: str
    facts: ImageFacts


def look_at(root: Path, relative: str) -> ImageFacts:
    """The facts of an image below `root`; a path that leaves it is never followed, whatever lies there."""
    target = inside(root, relative)
    if target is None:
        return ImageFacts(problem=LEAVES)
    facts = inspect_image(target)
    if facts.problem == "no such file":
        near = _other_case(root, relative)
        return ImageFacts(problem="not a file here" + (f"; did you mean {near}?" if near else ""))
    return facts


def _other_case(root: Path, relative: str) -> str:
    """A file of the same name but for case, in the same folder, as a path below the root; else ''."""
    target = inside(root, relative)
    if target is None or not target.parent.is_dir():
        return ""
    wanted = target.name.casefold()
    found = sorted(entry.name for entry in target.parent.iterdir() if entry.name.casefold() == wanted)
    return relative[: len(relative) - len(Path(relative).name)] + found[0] if found else ""


def check_images(
    table: Table,
    rows: Sequence[ItemRow],
    places: Sequence[int],
    root: Path,
    boxes: BoxPlan,
    log: WarningLog,
    progress: Progress | None = None,
) -> dict[str, str]:
    """Look at the image of every item; return the problem of each that cannot be shown, by id."""
    seen: dict[str, ImageFacts] = {}
    problems: dict[str, str] = {}
    for done, (index, row) in enumerate(zip(places, rows, strict=True)):
        if progress is not None and done % 256 == 0:
            progress("images", done, len(rows))
        if not row.image:
            continue
        facts = seen.get(row.image)
        if facts is None:
            facts = seen[row.image] = look_at(root, row.image)
        if facts.problem:
            problems[row.id] = facts.problem
            found = f"{table.where(index)}, id {row.id}: image {row.image}: {facts.problem}"
            words = "{count} image{s} missing, broken or outside the image folder: items kept without"
            log.add(
                "image", words, Problem(table.file, row.line, "image", found, "an image file below the image folder")
            )
        _check_box(table, index, row, facts, boxes, log)
    return problems


def _check_box(table: Table, index: int, row: ItemRow, facts: ImageFacts, boxes: BoxPlan, log: WarningLog) -> None:
    size = _size(row, facts)
    if row.box is None or size is None or fits(row.box, *size):
        return
    other = _other_reading(row.box, boxes.reading)
    hint = ""
    if boxes.name and other is not None and fits(other, *size):
        name = "xywh" if boxes.reading == "xyxy" else "xyxy"
        hint = f"; read as {name} it fits (--box {name})"
    box = row.box
    found = (
        f"{table.where(index)}, id {row.id}: box {box.x:g}, {box.y:g}, {box.width:g}, {box.height:g} "
        f"leaves the image of {size[0]:g} x {size[1]:g}{hint}"
    )
    words = "{count} target box(es) outside the image"
    log.add("box", words, Problem(table.file, row.line, boxes.name or "box", found, "a box inside the image"))


def _size(row: ItemRow, facts: ImageFacts) -> tuple[float, float] | None:
    if facts.width:
        return facts.width, facts.height
    attributes = dict(row.attributes)
    try:
        return float(attributes["image_width"]), float(attributes["image_height"])
    except (KeyError, ValueError):
        return None


def _other_reading(box: Box, reading: str) -> Box | None:
    if reading == "xyxy":
        return Box(box.x, box.y, box.x + box.width, box.y + box.height)
    if box.width < box.x or box.height < box.y:
        return None
    return Box(box.x, box.y, box.width - box.x, box.height - box.y)
