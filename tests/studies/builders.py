"""Small studies for tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.records import Query
from annotator.store.project import Project
from annotator.store.study_raters import set_stage
from annotator.store.study_records import Answer, Stored
from annotator.studies.create import StudyPlan, change_state, create_study
from annotator.studies.kinds import StudyKind
from annotator.studies.links import invite, join, take_seat
from annotator.studies.settings import StudySettings
from annotator.studies.work import Desk, current_desk, give_answer, new_event
from tests.builders import build_project

PLAIN = StudySettings(check_questions=0, check_pass=0)


@dataclass
class Clock:
    """A clock that a test moves by hand."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def text_project(folder: Path, items: int = 12) -> Project:
    """`items` lines of gold with two systems: alpha errs once in every line, beta once in every second, twice in others."""
    golds = [f"Word number {i:03d} ok" for i in range(items)]
    rows = [{"id": f"i{i}", "gold": gold, "language": "en"} for i, gold in enumerate(golds)]
    alpha = {f"i{i}": gold.replace("ok", "oh") for i, gold in enumerate(golds)}
    beta = {f"i{i}": gold.replace("ok", "oh" if i % 2 else "xx") for i, gold in enumerate(golds)}
    return build_project(folder, rows, {"alpha-ocr": alpha, "beta-ocr": beta})


def open_study(
    project: Project,
    kind: StudyKind = StudyKind.EDIT_SEVERITY,
    name: str = "s",
    *,
    size: int = 0,
    overlap: int = 3,
    settings: StudySettings = PLAIN,
    repeats: int = 0,
    attention: int = 0,
    query: Query | None = None,
) -> str:
    """Create and open a study over everything; return its name."""
    plan = StudyPlan(
        kind=kind,
        name=name,
        size=size,
        overlap=overlap,
        settings=settings,
        repeats=repeats,
        attention=attention,
        query=query or Query(),
    )
    create_study(project, plan)
    change_state(project, name, "open")
    return name


def seat(project: Project, study: str = "s", *, ready: bool = True) -> int:
    """Join a study through a link; `ready` skips consent and check. Returns the rater's key."""
    link = invite(project, study).study_link
    rater = take_seat(project, join(project, link.partition("=")[2])).rater.key
    if ready:
        with project.write(raises_revision=False) as connection:
            set_stage(connection, rater, "rating", project.clock())
    return rater


def answer(project: Project, rater: int, value: str | None = "2", desk: Desk | None = None, **more: str) -> Stored:
    """Answer the rater's present task."""
    task = (desk or current_desk(project, rater)).task
    assert task is not None
    return give_answer(
        project, rater, Answer(more.pop("event", new_event()), task.task_key, task.repeat, value=value, **more)
    )


def picture_project(folder: Path, systems: tuple[str, str], items: int = 30) -> Project:
    """A project with small pictures whose names, like those of items and systems, would tell a rater something."""
    from PIL import Image

    images = folder.parent / "images"
    images.mkdir(parents=True, exist_ok=True)
    golds = [f"Word number {i:03d} ok" for i in range(items)]
    for i in range(items):
        Image.new("RGB", (160, 40), (i * 8 % 256, 120, 200)).save(images / f"picture-of-{i}.png")
    rows = [{"id": f"item-no-{i}", "gold": g, "image": f"picture-of-{i}.png"} for i, g in enumerate(golds)]
    first = {f"item-no-{i}": g.replace("ok", "oh") for i, g in enumerate(golds)}
    second = {f"item-no-{i}": g.replace("ok", "ak" if i % 2 else "xx") for i, g in enumerate(golds)}
    project = build_project(folder, rows, dict(zip(systems, (first, second), strict=True)))
    with project.write() as connection:
        connection.execute("INSERT INTO image_root (path) VALUES (?)", (str(images),))
        connection.execute("UPDATE item SET root_key = (SELECT root_key FROM image_root), language = 'en'")
    return project
