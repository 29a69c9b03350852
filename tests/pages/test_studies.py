"""The owner's page: make a study, invite, leave out, close, settle."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store.project import Project
from annotator.studies.answers import load_study
from annotator.studies.kinds import StudyKind
from annotator.studies.progress import list_studies, watch_study
from annotator.studies.rubric import load_rubric
from annotator.studies.withdraw import withdraw
from annotator.studies.work import current_desk, open_answer
from annotator.studies.written import Written, write_written
from components.state import Session
from tests.pages.conftest import OpenPage, text_of
from tests.studies.builders import PLAIN, answer, open_study, picture_project, seat, text_project

PAGE = "pages/studies.py"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "project")


def test_an_empty_project_offers_the_form(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "Create the study" in [b.label for b in app.button]


def test_preview_then_create_and_invite(open_page: OpenPage, project: Project) -> None:
    app = open_page(project.folder, PAGE)
    app.text_input(key="make-name").set_value("first")
    app.number_input(key="make-size").set_value(5)
    app = next(b for b in app.button if b.label == "Preview the pool").click().run()
    assert not app.exception
    assert "5 tasks would be made" in text_of(app)
    assert list_studies(project) == ()
    app = next(b for b in app.button if b.label == "Create the study").click().run()
    assert [(s.name, s.state) for s, _n in list_studies(project)] == [("first", "open")]
    app = app.button(key="invite").click().run()
    assert "/rate?join=" in text_of(app)


def test_watching_shows_raters_and_leaves_one_out(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    answer(project, seat(project), "3")
    app = open_page(project.folder, PAGE, study="s")
    assert not app.exception
    assert "rater-01" in text_of(app)
    app.selectbox(key="withdraw-who").set_value("rater-01")
    app.button(key="withdraw").click().run()
    assert watch_study(project, "s").raters[0].withdrawn
    app = open_page(project.folder, PAGE, study="s")
    app.button(key="study-state").click().run()
    assert watch_study(project, "s").study.state == "closed"


def test_a_rater_who_was_left_out_is_taken_back(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    answer(project, seat(project), "3")
    withdraw(project, "s", "rater-01")
    app = open_page(project.folder, PAGE, study="s")
    app.selectbox(key="restore-who").set_value("rater-01")
    app.button(key="restore").click().run()
    assert not watch_study(project, "s").raters[0].withdrawn


def test_guidelines_are_edited_on_the_page_and_broken_ones_refused(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    app = open_page(project.folder, PAGE, study="s")
    text = str(app.text_area(key="rubric-en").value)
    ours = text.replace("How much does the marked difference harm a reader?", "How bad is the marked difference?")
    app.text_area(key="rubric-en").set_value(ours)
    app.button(key="rubric-save").click().run()
    assert load_rubric(StudyKind.EDIT_SEVERITY, "en", project.folder).question == "How bad is the marked difference?"
    app.text_area(key="rubric-en").set_value(ours.replace("examples:", "samples:"))
    app.button(key="rubric-save").click().run()
    assert "found a rubric that lacks 'examples'" in text_of(app)
    assert load_rubric(StudyKind.EDIT_SEVERITY, "en", project.folder).question == "How bad is the marked difference?"


def test_watching_shows_the_agreement_so_far(open_page: OpenPage, project: Project) -> None:
    open_study(project, size=4)
    raters = [seat(project) for _rater in range(2)]
    for value in "3":
        answer(project, raters[0], value)
    assert "not defined yet (" in text_of(open_page(project.folder, PAGE, study="s"))
    for value in "211":
        answer(project, raters[0], value)
    for _turn in range(4):
        desk = current_desk(project, raters[1])
        assert desk.task is not None
        same = open_answer(project, raters[0], desk.task.task_key)
        answer(project, raters[1], same.value if same else None, desk)
    text = text_of(open_page(project.folder, PAGE, study="s"))
    assert "Krippendorff's alpha 1.000" in text
    assert "4 items, 2 raters, 8 ratings" in text
    assert "Equals the rest" in text


def test_a_disputed_transcription_is_settled_and_adopted(open_page: OpenPage, tmp_path: Path) -> None:
    project = picture_project(tmp_path / "p", ("one", "two"), items=1)
    open_study(project, StudyKind.TRANSCRIPTION, overlap=2, settings=PLAIN)
    for text in ("Werd", "Word"):
        answer(project, seat(project), write_written(Written(text)))
    app = open_page(project.folder, PAGE, study="s")
    app = (
        app.segmented_control(key="studies-view-1-W").set_value("Settle").run()
        if hasattr(app, "segmented_control")
        else app
    )
    pictures = [str(element.proto.json) for element in app.get("bidi_component")]
    assert any("The image that was transcribed" in told for told in pictures)  # it stands above the versions
    app = app.button(key="pick-1-1").click().run()
    assert not app.exception
    app.button(key="adopt").click().run()
    with project.read() as connection:
        assert connection.execute("SELECT gold FROM item").fetchone()[0] == "Word"
    assert "export dataset --study s --split 50,10,40 --seed 0" in text_of(app)
    app.button(key="dataset-make").click().run()
    assert "1 items: train 1" in text_of(app)
    assert "0 read by one rater alone" in text_of(app)
    app.text_input(key="dataset-split").set_value("half")
    app.button(key="dataset-make").click().run()
    assert "found the split 'half'" in text_of(app)


def test_a_list_that_was_made_a_pool_is_used(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    app = open_page(project.folder, PAGE)
    app.session_state[Session.POOL] = ("i3", "i4")
    app = app.run()
    assert not app.exception
    assert "Only the 2 items" in text_of(app)
    app.text_input(key="make-name").set_value("two")
    app = next(b for b in app.button if b.label == "Create the study").click().run()
    assert not app.exception
    assert {task.item_id for task in load_study(project, "two").tasks} == {"i3", "i4"}
