"""What a recogniser run has to do: the items without an answer, their pictures, and what may be told about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.errors import UsageError
from annotator.records import Box
from annotator.runners.base import About, Recogniser, Sees
from annotator.store.detail import ItemFields, image_file, read_item_fields
from annotator.store.project import Project
from annotator.store.reading import ItemTable, read_items
from annotator.store.recognise import read_answered

LINE_SHAPE = 8  # a picture this many times wider than high holds a line, where no attribute `kind` says it


@dataclass(frozen=True, slots=True)
class RecogniseOptions:
    """How to run. `condition` names the pictures, `stored_as` the condition of the predictions ("" = the same).

    `role` marks that condition realistic or oracle. `replace` reads again what is answered. `activations` is a `.npz` that
    hidden states go to. `parses` says that answers were parsed from raw responses.
    """

    condition: str = "default"
    stored_as: str = ""
    role: str = ""
    workers: int = 1
    language: str = ""
    benchmark: str = ""
    limit: int | None = None
    replace: bool = False
    parses: bool = False
    activations: Path | None = None

    @property
    def target(self) -> str:
        """The condition that predictions are stored under."""
        return self.stored_as or self.condition


def with_prompt(recogniser: Recogniser, options: RecogniseOptions) -> RecogniseOptions:
    """The options of a run that asks with a prompt: its name becomes the condition of the predictions.

    It is joined to that of the pictures when they are not the plain ones. Without a prompt the options stay as they are.
    """
    prompt = getattr(recogniser, "prompt", None)
    if prompt is None:
        return options
    stored = prompt.name if options.condition == "default" else f"{options.condition}+{prompt.name}"
    return replace(options, stored_as=stored, role=prompt.role, parses=True)


@dataclass(frozen=True, slots=True)
class Job:
    """One item to read. `box` is set when its target is to be cut out; `source` is then the item's own picture, whose
    size a condition's picture must have for the box to fit it (`None` when `image` is that picture)."""

    key: int
    id: str
    gold: str | None
    image: Path
    box: Box | None
    source: Path | None
    language: str
    attributes: Mapping[str, str]

    def about(self, size: tuple[int, int]) -> About:
        """What the recogniser may know. A line is what the attribute `kind` calls one, else what is very wide."""
        kind = self.attributes.get("kind", "")
        line = kind == "line" if kind else size[0] > LINE_SHAPE * size[1]
        return About(self.id, self.language, line, self.attributes)


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The jobs of a run in order of import, and the items that are none."""

    jobs: tuple[Job, ...]
    languages: tuple[str, ...]
    already: int
    without_image: int
    not_read: int


def plan_run(project: Project, recogniser: Recogniser, options: RecogniseOptions) -> RunPlan:
    """Find what is to do. Raises `UsageError` when no item of the project is asked for or has a picture."""
    with project.read() as connection:
        items = _asked(read_items(connection, options.benchmark), options)
        answered = {} if options.replace else read_answered(connection, recogniser.name, options.target)
        open_keys = [int(key) for key in items.keys if int(key) not in answered]
        fields = read_item_fields(connection, open_keys)
        pictures = {item.key: image_file(connection, project.folder, item.key, options.condition) for item in fields}
        sources = {item.key: image_file(connection, project.folder, item.key) for item in fields if item.box}
    pictured = [item for item in fields if pictures[item.key] is not None]
    languages = sorted({item.language for item in pictured})
    unread = {language for language in languages if language and not recogniser.reads(language)}
    jobs = [_job(item, pictures[item.key], sources, recogniser) for item in pictured if item.language not in unread]
    already = len(items) - len(open_keys)
    if not already and not pictured:
        raise UsageError(_nothing(options, len(items)))
    return RunPlan(
        tuple(jobs[: options.limit]),
        tuple(language for language in languages if language not in unread),
        already,
        len(fields) - len(pictured),
        len(pictured) - len(jobs),
    )


def _asked(items: ItemTable, options: RecogniseOptions) -> ItemTable:
    if not options.language:
        return items
    return items.take([k for k, language in enumerate(items.language) if language == options.language])


def _job(item: ItemFields, image: Path | None, sources: Mapping[int, Path | None], recogniser: Recogniser) -> Job:
    assert image is not None
    box = item.box if recogniser.sees is Sees.TARGET else None
    source = sources.get(item.key) if box is not None else None
    same = source == image
    return Job(item.key, item.id, item.gold, image, box, None if same else source, item.language, item.attributes)


def _nothing(options: RecogniseOptions, items: int) -> str:
    if not items:
        return "no item to recognise: the project has none of this benchmark and language (annotator import items FILE)"
    if options.condition != "default":
        return (
            f"no item has a picture under the condition {options.condition!r}: make them first "
            f"(annotator variant {options.condition})"
        )
    return "no item has an image: import items with an image column, or name the folder with --images DIR"
