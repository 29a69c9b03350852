"""A project in four scripts that readers have rated: single edits, whole texts, and pairs of outputs."""

from __future__ import annotations

from pathlib import Path

from annotator.store.project import Project
from annotator.studies.kinds import StudyKind
from annotator.studies.work import current_desk
from tests.builders import build_project
from tests.studies.builders import answer, open_study, seat

LINES = {
    "en": ("The ferry leaves at {n}:40 from pier nine", ("{n}:40", "{n}:10"), ("ferry", "ferrv")),
    "bn": ("বইয়ের দোকান {n} নম্বর রাস্তায়", ("{n}", "{n}0"), ("দোকান", "দোকাম")),
    "ar": ("المحطة رقم {n} قرب السوق القديم", ("{n}", "{n}0"), ("السوق", "السوف")),
    "zh": ("会议在{n}楼的大厅里举行", ("{n}楼", "{n}0楼"), ("大厅", "太厅")),
}
STUDIES = {
    "edits": StudyKind.EDIT_SEVERITY,
    "texts": StudyKind.TEXT_SEVERITY,
    "pairs": StudyKind.PREFERENCE,
}


def read_project(folder: Path, each: int = 4) -> Project:
    """`each` lines a language and three readers. System `plain` makes slips that a reader repairs, `fluent` false numbers."""
    items, plain, fluent = [], {}, {}
    for language, (line, false, slip) in LINES.items():
        for k in range(1, each + 1):
            name, gold = f"{language}{k}", line.format(n=k)
            items.append({"id": name, "gold": gold, "language": language, "document": f"{language}-page{k % 2}"})
            plain[name] = gold.replace(*slip)
            fluent[name] = gold.replace(false[0].format(n=k), false[1].format(n=k), 1)
    project = build_project(folder, items, {"plain": plain, "fluent": fluent})
    for name, kind in STUDIES.items():
        open_study(project, kind, name)
        _answer_all(project, name, kind)
    return project


def _answer_all(project: Project, study: str, kind: StudyKind) -> None:
    with project.read() as connection:
        makers = dict(connection.execute("SELECT task_key, system FROM task_system").fetchall())
        sides = dict(connection.execute("SELECT task_key, side FROM task_system WHERE system = 'plain'").fetchall())
    for reader in range(3):
        rater = seat(project, study)
        while (desk := current_desk(project, rater)).task is not None:
            key = desk.task.task_key
            if kind is StudyKind.PREFERENCE:
                value = sides[key]
            else:
                value = str(4 - (reader == 2)) if makers[key] == "fluent" else str(1 + (reader == 1))
            answer(project, rater, value, desk)
