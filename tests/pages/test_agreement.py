"""The agreement page: without a study, without answers, with them, and the ranking of preferences."""

from __future__ import annotations

from pathlib import Path

from annotator.studies.kinds import StudyKind
from annotator.studies.work import current_desk
from tests.pages.conftest import OpenPage, text_of
from tests.studies.builders import answer, open_study, seat, text_project

PAGE = "pages/agreement.py"


def test_without_a_study_the_page_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    assert "study create" in text_of(open_page(empty_project, PAGE))


def test_a_study_without_answers_has_dashes_and_reasons(open_page: OpenPage, tmp_path: Path) -> None:
    project = text_project(tmp_path / "p")
    open_study(project)
    app = open_page(project.folder, PAGE, study="s")
    assert not app.exception
    assert "Krippendorff" in text_of(app)


def test_answers_give_figures(open_page: OpenPage, tmp_path: Path) -> None:
    project = text_project(tmp_path / "p", items=6)
    open_study(project)
    for shift in (0, 1):
        rater = seat(project)
        while (task := current_desk(project, rater).task) is not None:
            answer(project, rater, str((task.number + shift * (task.number % 2)) % 5))
    text = text_of(open_page(project.folder, PAGE, study="s"))
    assert "rater-01 and rater-02" in text
    assert "Each rater against the rest" in text


def test_preferences_are_ranked(open_page: OpenPage, tmp_path: Path) -> None:
    project = text_project(tmp_path / "p", items=6)
    open_study(project, StudyKind.PREFERENCE)
    rater = seat(project)
    while current_desk(project, rater).task is not None:
        answer(project, rater, "a")
    app = open_page(project.folder, PAGE, study="s")
    assert not app.exception
    assert "Head to head" in text_of(app)
    assert "Position bias" in text_of(app)
