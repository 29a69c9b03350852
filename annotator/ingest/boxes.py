"""Target boxes: one column or four, x, y, width, height in pixels; corner pairs only when the user says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.ingest.cells import CellError, number_of, structure_of
from annotator.ingest.columns import ColumnMap
from annotator.ingest.fields import BOX_COLUMNS, BOX_READINGS, folded
from annotator.ingest.tables import Cells
from annotator.records import Box

BoxOf = Callable[[Cells], Box | None]
_SPLIT = re.compile(r"[\s,;]+")
_WANTED = "four numbers: x, y, width, height"


@dataclass(frozen=True, slots=True)
class BoxPlan:
    """How the boxes of a file are read: `read` gives a row's box, `columns` the positions that it uses up."""

    read: BoxOf
    columns: tuple[int, ...] = ()
    reading: str = "xywh"
    name: str = ""
    notes: tuple[str, ...] = ()


def plan_boxes(mapping: ColumnMap, reading: str | None, comma_is_decimal: bool = False) -> BoxPlan:
    """Find where boxes are: the box column; else `bbox` or `box_xyxy`; else the four columns x, y, w, h.

    `reading` is `--box xywh|xyxy`. A `bbox` column without it stays an attribute, with a note.
    """
    if "box" in mapping.at:
        return _one_column(mapping, mapping.at["box"], reading or "xywh")
    places = {folded(name): position for name, position in mapping.extra}
    for name, own in BOX_READINGS.items():
        if name in places and (own or reading):
            return _one_column(mapping, places[name], own or reading or "xywh")
    if all(name in places for name in BOX_COLUMNS):
        positions = tuple(places[name] for name in BOX_COLUMNS)
        return BoxPlan(lambda cells: _four_cells(cells, positions, comma_is_decimal), positions, name="x, y, w, h")
    note = "bbox is kept as an attribute: say --box xywh or --box xyxy to use it as the target box"
    return BoxPlan(lambda cells: None, notes=(note,) if "bbox" in places else ())


def _one_column(mapping: ColumnMap, position: int, reading: str) -> BoxPlan:
    def read(cells: Cells) -> Box | None:
        numbers = _numbers(cells[position])
        return None if numbers is None else make_box(numbers, reading)

    return BoxPlan(read, (position,), reading, mapping.columns[position].strip())


def _numbers(value: Any) -> list[float] | None:
    if isinstance(value, str):
        text = value.strip().strip("[]()")
        parts: list[Any] = [part for part in _SPLIT.split(text) if part]
    else:
        found = structure_of(value)
        if isinstance(found, dict):
            found = [found.get(key) for key in (BOX_COLUMNS if "w" in found else ("x", "y", "width", "height"))]
        parts = list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
    if not parts:
        return None
    if len(parts) != 4:
        raise CellError(f"{str(value)[:60]!r}", _WANTED)
    return [_present(part, value) for part in parts]


def _present(part: Any, whole: Any) -> float:
    number = number_of(part)
    if number is None:
        raise CellError(f"{str(whole)[:60]!r}", _WANTED)
    return number


def _four_cells(cells: Cells, positions: Sequence[int], comma_is_decimal: bool) -> Box | None:
    numbers = [number_of(cells[position], comma_is_decimal) for position in positions]
    if all(number is None for number in numbers):
        return None
    return make_box([_present(number, cells[positions[k]]) for k, number in enumerate(numbers)], "xywh")


def make_box(numbers: Sequence[float], reading: str) -> Box:
    """A box from four numbers as `reading` says. Raises `CellError` when its width or height is negative."""
    x, y, third, fourth = numbers
    width, height = (third - x, fourth - y) if reading == "xyxy" else (third, fourth)
    if width < 0 or height < 0:
        raise CellError(f"{', '.join(f'{n:g}' for n in numbers)} read as {reading}", "a width and height of 0 or more")
    return Box(x, y, width, height)


def fits(box: Box, width: float, height: float) -> bool:
    """Whether a box lies inside an image of this size."""
    return box.x >= 0 and box.y >= 0 and box.x + box.width <= width and box.y + box.height <= height
