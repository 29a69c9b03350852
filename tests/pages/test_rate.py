"""The rater's page: the way in, answering, undo, resume, and what it never shows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotator.store.project import Project
from annotator.studies.kinds import StudyKind
from annotator.studies.links import invite, new_token, take_seat
from annotator.studies.rubric import check_set, load_rubric
from annotator.studies.settings import StudySettings
from annotator.studies.withdraw import withdraw
from tests.pages.conftest import OpenPage, text_of
from tests.studies.builders import PLAIN, answer, open_study, picture_project, seat, text_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "project")


def personal(project: Project, study: str = "s", token: str = "") -> str:
    """A personal link; a given token makes its order and sides the same in every run."""
    made = invite(project, study, count=1, tokens=lambda: token or new_token())
    return made.rater_links[0][1].partition("=")[2]


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def give(app: AppTest, key: str) -> AppTest:
    return press(app, f"give-{key}")


def board(app: AppTest) -> dict[str, Any]:
    """What the board of the page was told."""
    found: dict[str, Any] = json.loads(app.get("bidi_component")[0].proto.json)
    return found


def ratings(project: Project) -> list[tuple[str | None, str]]:
    with project.read() as connection:
        return [tuple(row) for row in connection.execute("SELECT value, cannot FROM rating ORDER BY position")]


def test_a_study_link_leads_through_consent_and_guidelines_to_a_task(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    link = invite(project, "s").study_link.partition("=")[2]
    app = open_page(project.folder, "pages/rate.py", join=link)
    assert not app.exception
    token = str(app.query_params["as"])
    assert take_seat(project, token).rater.label == "rater-01"
    app = press(press(app, "way-start"), "way-check")
    assert take_seat(project, token).rater.stage == "rating"
    app = give(app, "3")
    assert ratings(project) == [("3", "")]
    assert "Saved" in text_of(app)


def test_back_to_the_study_link_makes_no_second_rater(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    link = invite(project, "s").study_link.partition("=")[2]
    app = open_page(project.folder, "pages/rate.py", join=link)
    token = str(app.query_params["as"])
    app.query_params.clear()
    app.query_params["join"] = link
    app.run()
    assert app.query_params["as"] in (token, [token])
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM rater").fetchone()[0] == 1


def test_an_address_with_both_links_resumes_the_personal_one(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    link = invite(project, "s").study_link.partition("=")[2]
    token = personal(project)
    app = open_page(project.folder, "pages/rate.py", join=link, **{"as": token})
    assert app.query_params["as"] in (token, [token])
    assert "join" not in app.query_params
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM rater").fetchone()[0] == 1


def test_a_study_link_beside_a_wrong_personal_one_makes_a_rater(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    link = invite(project, "s").study_link.partition("=")[2]
    app = open_page(project.folder, "pages/rate.py", join=link, **{"as": "nonsense"})
    assert not app.error
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM rater").fetchone()[0] == 1


def test_a_rater_who_was_left_out_in_the_middle_is_told_so(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    app = give(app, "1")
    withdraw(project, "s", take_seat(project, token).rater.label)
    app = give(app, "2")
    assert "has ended" in text_of(app)
    assert "Others hold" not in text_of(app)
    assert ratings(project) == [("1", "")]
    assert "has ended" in text_of(open_page(project.folder, "pages/rate.py", **{"as": token}))


def test_a_language_is_chosen_before_anything_is_agreed_to(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    token = personal(project)
    app = open_page(project.folder, "pages/rate.py", **{"as": token})
    app = app.selectbox(key="way-locale").set_value("bn").run()
    bengali = load_rubric(StudyKind.EDIT_SEVERITY, "bn")
    assert bengali.consent in text_of(app)
    app = press(app, "way-start")
    assert bengali.guidelines[0] in text_of(app)
    assert take_seat(project, token).rater.locale == "bn"
    again = open_page(project.folder, "pages/rate.py", **{"as": token})
    assert bengali.guidelines[0] in text_of(again)


def test_nothing_is_preselected(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    answers = [b for b in app.button if str(b.key).startswith("give-")]
    assert [b.proto.type for b in answers] == ["secondary"] * 5
    assert ratings(project) == []


def test_undo_and_resume_in_a_fresh_session(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    app = give(give(app, "1"), "2")
    app = press(app, "tool-undo")
    assert ratings(project) == [("1", "")]
    again = open_page(project.folder, "pages/rate.py", **{"as": token})
    assert board(again)["item"] == board(app)["item"] != ""
    assert "Done <b>1</b>" in text_of(again)


def test_an_earlier_answer_can_be_changed(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    app = press(give(app, "1"), "tool-back")
    assert [b.proto.type for b in app.button if b.key == "give-1"] == ["primary"]
    app = give(app, "4")
    assert ratings(project) == [("4", "")]


def test_cannot_judge_asks_for_a_reason(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    app = press(app, "tool-cannot")
    press(app, "reason-3")
    assert ratings(project) == [(None, "gold-wrong")]


def test_a_check_with_open_questions_uses_no_try(open_page: OpenPage, project: Project) -> None:
    open_study(project, settings=StudySettings())
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    app.radio(key="check-0-0").set_value("0")
    app = next(b for b in app.button if b.label == "Next").click().run()
    assert not app.exception
    assert "Answer every question" in app.warning[0].value
    assert take_seat(project, token).rater.check_tries == 0
    assert take_seat(project, token).rater.stage == "check"


@pytest.mark.parametrize(("right", "stages"), [(5, ["rating"]), (4, ["rating"]), (3, ["check", "refused"])])
def test_the_check_admits_and_refuses(open_page: OpenPage, project: Project, right: int, stages: list[str]) -> None:
    open_study(project, settings=StudySettings())
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    for tries, stage in enumerate(stages):
        rater = take_seat(project, token).rater
        for number, case in enumerate(check_set(load_rubric(StudyKind.EDIT_SEVERITY), 5, tries, rater.seed)):
            wrong = next(v for v in "01234" if v not in case.accepted)
            app.radio(key=f"check-{tries}-{number}").set_value(case.accepted[0] if number < right else wrong)
        app = next(b for b in app.button if b.label == "Next").click().run()
        assert take_seat(project, token).rater.stage == stage
    if stages[-1] == "refused":
        assert "Thank you for trying" in text_of(app)


def test_a_preference_stores_the_output_and_not_the_side(open_page: OpenPage, project: Project) -> None:
    open_study(project, StudyKind.PREFERENCE)
    token = personal(project, token="sides-of-this-test")
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    for _turn in range(6):
        app = give(app, "a")
    with project.read() as connection:
        rows = connection.execute("SELECT value, shown_first FROM rating_event").fetchall()
    assert all(row["value"] == row["shown_first"] for row in rows)
    assert {row["value"] for row in rows} == {"a", "b"}


def test_every_kind_of_pressed_answer_has_its_buttons(open_page: OpenPage, project: Project) -> None:
    for kind, keys in (
        (StudyKind.TEXT_SEVERITY, "01234"),
        (StudyKind.TEXT_SCORE, "12345"),
        (StudyKind.PREFERENCE, "abt"),
    ):
        open_study(project, kind, name=kind.value)
        token = personal(project, kind.value)
        app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
        assert not app.exception
        assert [str(b.key)[5] for b in app.button if str(b.key).startswith("give-")] == list(keys)


def test_no_system_band_item_or_other_answer_is_on_the_page(open_page: OpenPage, project: Project) -> None:
    open_study(project)
    answer(project, seat(project), "4", rationale="secret reason")
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    app = give(app, "2")
    text = f"{text_of(app)}{board(app)}".casefold()
    for word in ("alpha", "beta", "secret", "i0", "rater-01", "severity 0"):
        assert word not in text


def test_a_pair_without_gold_shows_its_image_even_where_the_study_shows_none(
    open_page: OpenPage, tmp_path: Path
) -> None:
    pictures = picture_project(tmp_path / "q" / "p", ("one", "two"), items=4)
    with pictures.write() as connection:
        connection.execute("UPDATE item SET gold = NULL")
    open_study(pictures, StudyKind.PREFERENCE, settings=replace(PLAIN, image=False))
    token = personal(pictures)
    app = press(press(open_page(pictures.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    html = board(app)["html"]
    assert "v-task-image" in html
    assert ">written<" not in html
    assert ratings(pictures) == []
    give(app, "t")
    assert ratings(pictures) == [("tie", "")]


def test_the_end_shows_a_completion_code(open_page: OpenPage, project: Project) -> None:
    open_study(project, size=1)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    assert "completion code" in text_of(give(app, "0"))


@pytest.mark.parametrize("query", [{"as": "nonsense"}, {"join": "nonsense"}])
def test_a_wrong_link_is_said_in_words(open_page: OpenPage, project: Project, query: dict[str, str]) -> None:
    app = open_page(project.folder, "pages/rate.py", **query)
    assert not app.exception
    assert "is not valid" in app.error[0].value


def test_a_closed_study_thanks_and_stores_nothing(open_page: OpenPage, project: Project) -> None:
    from annotator.studies.create import change_state

    open_study(project, settings=PLAIN)
    token = personal(project)
    app = press(press(open_page(project.folder, "pages/rate.py", **{"as": token}), "way-start"), "way-check")
    change_state(project, "s", "closed")
    app = give(app, "2")
    assert "closed" in text_of(app)
    assert ratings(project) == []
