"""The image of a task as small JPEG bytes: no path, no file name, no metadata reaches a rater."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.errors import InputError
from annotator.images.thumbnails import PreviewCache
from annotator.records import Box
from annotator.store.detail import image_file
from annotator.store.project import Project
from annotator.store.studies import study_by_key
from annotator.store.study_assign import look_ahead
from annotator.store.study_picture import TaskItem, task_item, upcoming_item
from annotator.store.study_raters import rater_by_key
from annotator.studies.settings import assignment_rule

WIDTH, HEIGHT = 1400, 1000
_CACHE = PreviewCache()


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG, its size, and the target box as fractions of it (left, top, width, height), where the item has one."""

    jpeg: bytes
    width: int
    height: int
    box: tuple[float, float, float, float] | None = None


def task_picture(project: Project, rater_key: int, task_key: int) -> Picture | None:
    """The image of a task that this rater holds or has answered; `None` when it is not theirs or has no image."""
    with project.read() as connection:
        found = task_item(connection, rater_key, task_key)
        path = None if found is None else image_file(connection, project.folder, found.item_key)
    return _picture(found, path)


def next_picture(project: Project, rater_key: int) -> Picture | None:
    """The image of the task that this rater will most likely get next, to be fetched ahead; `None` without one."""
    with project.read() as connection:
        rater = rater_by_key(connection, rater_key)
        rule = assignment_rule(study_by_key(connection, rater.study_key))
        task_key = look_ahead(connection, rule, rater, project.clock())
        found = None if task_key is None else upcoming_item(connection, task_key)
        path = None if found is None else image_file(connection, project.folder, found.item_key)
    return _picture(found, path)


def _picture(found: TaskItem | None, path: Path | None) -> Picture | None:
    if path is None or found is None:
        return None
    try:
        preview = _CACHE.get(path, WIDTH, HEIGHT)
    except InputError:
        return None
    return Picture(
        preview.jpeg, preview.width, preview.height, _fractions(found.box, preview.full_width, preview.full_height)
    )


def _fractions(box: Box | None, width: int, height: int) -> tuple[float, float, float, float] | None:
    if box is None or not width or not height:
        return None
    return box.x / width, box.y / height, box.width / width, box.height / height
