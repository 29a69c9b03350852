"""One picture of a batch: what is made of which item, and the row of the manifest that tells it."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.analyses.dataset import load_items
from annotator.errors import InputError, UsageError
from annotator.images.conditions import Condition, ConditionKind, make_condition, open_picture
from annotator.records import Box, Query
from annotator.store.conditionimages import ConditionImage
from annotator.store.detail import find_item, image_file
from annotator.store.project import Project
from annotator.store.systems import read_boxes

if TYPE_CHECKING:
    from PIL import Image

RECIPE_VERSION = 1
_NAME = re.compile(r"[\w][\w.-]{0,59}")


@dataclass(frozen=True, slots=True)
class Work:
    """An item that can be worked on: its picture and its target box."""

    key: int
    item: str
    source: Path
    box: Box


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is made: the kind, its name in the project, and for a patch the other picture."""

    kind: ConditionKind
    name: str
    background_item: str = ""
    background: Image.Image | None = None

    def make(self, work: Work) -> Condition:
        """The condition of one item. Raises `InputError`, naming the item, when its picture or box cannot be used."""
        try:
            picture = open_picture(work.source)
        except InputError as error:
            raise InputError(f"item {work.item}: {error}") from error
        return make_condition(self.kind, work.item, picture, work.box, self.background)

    def marks(self) -> dict[str, Any]:
        """What makes two pictures of one source the same."""
        return {"kind": self.kind.value, "recipe_version": RECIPE_VERSION, "background": self.background_item}


def find_recipe(project: Project, kind: ConditionKind, name: str, background: str) -> Recipe:
    """The recipe that the user asked for. Raises `UsageError` for a bad name or background."""
    chosen = name or kind.value
    if not _NAME.fullmatch(chosen) or chosen == "default":
        raise UsageError(f"condition name: found {chosen!r}; expected letters, digits, . _ or - (and not default)")
    if (kind is ConditionKind.PATCH) != bool(background):
        raise UsageError("patch needs --background ITEM, and the other conditions take none")
    if not background:
        return Recipe(kind, chosen)
    with project.read() as connection:
        item = find_item(connection, background)
        path = None if item is None else image_file(connection, project.folder, item.key)
    if path is None:
        raise UsageError(f"background: no item {background!r} with an image that can be read")
    return Recipe(kind, chosen, background, open_picture(path))


def plan_work(project: Project, query: Query, wanted: Sequence[str]) -> tuple[list[Work], int, int]:
    """What can be made, and how many items have no box and no image."""
    found = load_items(project, replace(query, keep_wrong_gold=True)).items
    unknown = [item for item in wanted if item not in set(found.ids)]
    if unknown:
        raise UsageError(f"no item has the id {unknown[0]!r}")
    works: list[Work] = []
    without_box = without_image = 0
    with project.read() as connection:
        boxes = read_boxes(connection)
        for key, item in zip(found.keys.tolist(), found.ids, strict=True):
            if wanted and item not in wanted:
                continue
            box, path = boxes.get(key), image_file(connection, project.folder, key)
            without_box += box is None
            without_image += box is not None and path is None
            if box is not None and path is not None:
                works.append(Work(key, item, path, box))
    return works, without_box, without_image


def make_image(project: Project, recipe: Recipe, work: Work, earlier: ConditionImage | None) -> ConditionImage:
    """Make and write one picture; `earlier` comes back as it is when it is still the same. Raises `InputError`."""
    source_sha = _sha256(work.source.read_bytes())
    if earlier is not None and _still_there(project, recipe, work, earlier, source_sha):
        return earlier
    condition = recipe.make(work)
    data = png_bytes(condition.picture)
    slug = re.sub(r"[^\w.-]+", "_", work.item)[:60].strip(".")
    path = f"conditions/{recipe.name}/{work.key}-{slug}.png"
    target = project.folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.write_bytes(data)
    part.replace(target)
    entry = manifest_entry(recipe, work, condition, path, data) | {"source_sha256": source_sha}
    return ConditionImage(work.key, recipe.name, path, entry["sha256"], source_sha, entry)


def _still_there(project: Project, recipe: Recipe, work: Work, earlier: ConditionImage, source_sha: str) -> bool:
    wanted = recipe.marks() | {"box": _box(work.box)}
    target = project.folder / earlier.path
    return (
        earlier.source_sha256 == source_sha
        and all(earlier.details.get(name) == value for name, value in wanted.items())
        and target.is_file()
        and _sha256(target.read_bytes()) == earlier.sha256
    )


def manifest_entry(recipe: Recipe, work: Work, made: Condition, path: str, data: bytes) -> dict[str, Any]:
    """A row of the manifest: what was made of what, where, and what stayed as it was."""
    region = made.region
    return {
        "item": work.item,
        "condition": recipe.name,
        **recipe.marks(),
        "source": work.source.name,
        "file": path,
        "sha256": _sha256(data),
        "width": made.picture.width,
        "height": made.picture.height,
        "box": _box(work.box),
        "region": [region.left, region.top, region.width, region.height],
        "sigma": made.sigma,
        "inset": made.inset,
        "untouched_pixels": made.proof and made.proof.pixels,
        "changed_pixels": made.proof and made.proof.changed,
        "untouched_sha256": made.proof and made.proof.sha256,
    }


def _box(box: Box) -> list[float]:
    return [box.x, box.y, box.width, box.height]


def png_bytes(picture: Image.Image) -> bytes:
    """A picture as a PNG file."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=3)
    return out.getvalue()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
