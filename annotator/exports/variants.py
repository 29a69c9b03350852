"""Image conditions of a project: made in a batch under `conditions/NAME/`, with a manifest and proofs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from annotator.errors import InputError, UsageError
from annotator.exports.variantwork import Recipe, Work, find_recipe, make_image, manifest_entry, plan_work, png_bytes
from annotator.images.conditions import ConditionKind, open_picture
from annotator.records import Query
from annotator.store.conditionimages import (
    ConditionImage,
    count_condition_images,
    put_condition_images,
    read_condition_images,
)
from annotator.store.project import Project
from annotator.wholefile import whole_file

_BATCH = 64

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """An item whose picture could not be made, and why."""

    item: str
    why: str


@dataclass(frozen=True, slots=True)
class VariantReport:
    """What a batch did. `manifest` lies beside the pictures; `entries` are its rows.

    `unchanged` pictures were there already, made by the same recipe from the same source. `without_box` and
    `without_image` items were passed over; `faults` names the items whose box or picture cannot be used.
    """

    condition: str
    kind: str
    written: int
    unchanged: int
    without_box: int
    without_image: int
    faults: tuple[Fault, ...]
    manifest: str
    entries: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class VariantPreview:
    """One condition of one item, in memory: PNG bytes before and after, and the row that the manifest would hold.

    `width` and `height` are those of the picture before.
    """

    item: str
    before: bytes
    after: bytes
    width: int
    height: int
    entry: dict[str, Any]


def make_variants(
    project: Project,
    kind: ConditionKind,
    query: Query,
    name: str = "",
    background: str = "",
    items: Sequence[str] = (),
    progress: Progress | None = None,
) -> VariantReport:
    """Make a condition of every item of `query` (or of `items` alone) that has a box and an image.

    `name` is the condition's name in the project (default: its kind), `background` the id of the item whose picture a
    patch is laid on. Sources are only read. Items that cannot be used are in `faults`; the others are made. Raises
    `UsageError` for a name that cannot be used, an unknown item, or when nothing could be made at all.
    """
    recipe = find_recipe(project, kind, name, background)
    works, without_box, without_image = plan_work(project, query, items)
    with project.read() as connection:
        earlier = read_condition_images(connection, recipe.name)
    made: list[ConditionImage] = []
    faults: list[Fault] = []
    unchanged = 0
    for done, (work, outcome) in enumerate(_in_parallel(project, recipe, works, earlier), start=1):
        if isinstance(outcome, InputError):
            faults.append(Fault(work.item, str(outcome)))
        else:
            unchanged += outcome is earlier.get(work.key)
            made.append(outcome)
        if progress is not None:
            progress(done, len(works))
    if not made:
        raise UsageError(_nothing(recipe.name, without_box, without_image, faults))
    with project.write(raises_revision=False) as connection:
        put_condition_images(connection, made)
        entries = [dict(one.details) for one in read_condition_images(connection, recipe.name).values()]
    manifest = _write_manifest(project, recipe, entries)
    return VariantReport(
        recipe.name,
        kind.value,
        len(made) - unchanged,
        unchanged,
        without_box,
        without_image,
        tuple(faults),
        manifest,
        tuple(dict(one.details) for one in made),
    )


def preview_variant(project: Project, kind: ConditionKind, item: str, background: str = "") -> VariantPreview:
    """Make one condition of one item without keeping it. Raises `InputError` naming the item when it cannot be made."""
    recipe = find_recipe(project, kind, "", background)
    works, without_box, _ = plan_work(project, Query(keep_wrong_gold=True), [item])
    if not works:
        raise UsageError(f"item {item}: it has no {'target box' if without_box else 'image that can be read'}.")
    before = open_picture(works[0].source)
    condition = recipe.make(works[0])
    after = png_bytes(condition.picture)
    entry = manifest_entry(recipe, works[0], condition, "", after)
    return VariantPreview(item, png_bytes(before), after, before.width, before.height, entry)


def condition_counts(project: Project) -> dict[str, int]:
    """How many pictures each made condition has."""
    with project.read() as connection:
        return count_condition_images(connection)


def _in_parallel(
    project: Project, recipe: Recipe, works: Sequence[Work], earlier: dict[int, ConditionImage]
) -> Iterator[tuple[Work, ConditionImage | InputError]]:
    """The outcome of each item in order, made by as many threads as there are cores, a bounded number ahead."""

    def one(work: Work) -> ConditionImage | InputError:
        try:
            return make_image(project, recipe, work, earlier.get(work.key))
        except InputError as error:
            return error

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start in range(0, len(works), _BATCH):
            batch = works[start : start + _BATCH]
            yield from zip(batch, pool.map(one, batch), strict=True)


def _write_manifest(project: Project, recipe: Recipe, entries: Sequence[dict[str, Any]]) -> str:
    path = f"conditions/{recipe.name}/manifest.json"
    document = {"condition": recipe.name, **recipe.marks(), "images": list(entries)}
    with whole_file(project.folder / path) as part:
        part.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def _nothing(name: str, without_box: int, without_image: int, faults: Sequence[Fault]) -> str:
    reasons = [f"{without_box} items have no target box", f"{without_image} have no image that can be read"]
    return f"condition {name}: no picture could be made; {', '.join(reasons)}" + "".join(
        f"\n  {f.why}" for f in faults[:5]
    )


def usable_items(project: Project, query: Query) -> tuple[str, ...]:
    """The ids of the items of `query` that have a target box and an image, in order of import."""
    return tuple(work.item for work in plan_work(project, query, ())[0])
