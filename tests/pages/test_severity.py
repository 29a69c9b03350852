"""The severity page: without answers, scores, opposite orders, the working list by button and address, hostile text."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotator.store import project as store
from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/severity.py"
HOSTILE = "<img src=x onerror=alert(1)> \u202egnol [a](javascript:x)"
ITEMS = [
    {"id": "time", "gold": "open at 3pm", "language": "en", "benchmark": "signs"},
    {"id": "born", "gold": "Born in 1999, here", "language": "en", "benchmark": "signs"},
    {"id": "evil", "gold": HOSTILE, "language": "en", "benchmark": "lines"},
]
ANSWERS = {
    "one": {"time": "open at 8pm", "born": "Born in 1989, here", "evil": HOSTILE.replace("gnol", "gno1")},
    "two": {"time": "open at 3pm", "born": "born in 1999 Here", "evil": HOSTILE},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return build_project(tmp_path / "p", ITEMS, ANSWERS).folder


def severities(page: str) -> list[str]:
    """The severities of the rows, top to bottom."""
    return [part[:4] for part in page.split('class="v-severity">')[1:]]


def test_without_answers_the_page_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "import predictions" in text_of(app)


def test_scores_stand_beside_cer_with_the_outputs_behind_an_opposite_order(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, benchmark="signs")
    shown = text_of(app)
    assert not app.exception
    assert "semCER" in shown
    assert "opposite" in shown
    app.selectbox(key="choose-value").select("one | two").run()
    assert "semCER 5.6 %" in text_of(app)


def test_another_provider_changes_the_numbers(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check")
    assert severities(text_of(app))[:2] == ["1.00", "1.00"]
    app.selectbox(key="choose-provider").select("filter-label").run()
    assert not app.exception
    assert app.query_params["provider"] in ("filter-label", ["filter-label"])
    assert set(severities(text_of(app))) == {"1.00", "0.00"}


def test_an_edit_is_marked_and_hidden(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check", hide_done="1")
    before = severities(text_of(app))
    app.button(key="Done-0").click().run()
    after = severities(text_of(app))
    assert not app.exception
    assert len(after) == len(before) - 1
    shown = open_page(project, PAGE, tab="check")
    assert "marked done" in text_of(shown)
    shown.button(key="Take back-0").click().run()
    assert "marked done" not in text_of(shown)


def test_wrong_gold_takes_the_item_out_of_every_rate(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check", benchmark="signs", system="one")
    assert len(severities(text_of(app))) == 2
    app.button(key="Gold wrong-0").click().run()
    assert not app.exception
    assert len(severities(text_of(app))) == 1


def test_a_slip_of_gold_wrong_is_taken_back_where_it_was_made(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check", benchmark="signs", system="one")
    before = severities(text_of(app))
    app.button(key="Gold wrong-0").click().run()
    assert "marked wrong: the item is in no rate" in text_of(app)
    app.button(key="check-wrong-back").click().run()
    assert not app.exception
    assert severities(text_of(app)) == before
    assert "marked gold wrong" not in text_of(app)
    assert "check-wrong-back" not in {button.key for button in app.button}


def test_taking_back_a_row_of_wrong_gold_takes_the_item_back(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check", benchmark="signs", system="one")
    before = severities(text_of(app))
    app.button(key="Gold wrong-0").click().run()
    kept = open_page(project, PAGE, tab="check", benchmark="signs", system="one", keep_wrong_gold="1")
    at = next(button.key for button in kept.button if (button.key or "").startswith("Take back-"))
    kept.button(key=at).click().run()
    assert severities(text_of(open_page(project, PAGE, tab="check", benchmark="signs", system="one"))) == before


def test_a_project_that_cannot_be_written_shows_its_list_and_refuses_marks(
    open_page: OpenPage, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = store._connect

    def connect_to_read(database: Path, patience: float | None = None) -> sqlite3.Connection:
        connection = connect(database, patience)
        if database.parent == project:
            connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(store, "_connect", connect_to_read)
    app = open_page(project, PAGE, tab="check")
    before = severities(text_of(app))
    assert before
    app.button(key="Done-0").click().run()
    assert not app.exception
    assert severities(text_of(app)) == before
    assert "marked done" not in text_of(app)


@pytest.mark.parametrize("number", ["0", "-3", "x", "999999"])
def test_a_page_number_that_is_none_breaks_nothing(open_page: OpenPage, project: Path, number: str) -> None:
    app = open_page(project, PAGE, tab="check")
    app.query_params["page"] = number
    app.run()
    assert not app.exception
    assert not app.error


def test_steps_move_the_row_in_hand(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check")
    app.button(key="check-Next").click().run()
    assert not app.exception
    assert app.query_params["edit"]
    assert not app.button(key="check-Previous").disabled


def test_hostile_text_and_addresses_are_inert(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="check", provider="<b>", edit="x.y", system="nobody")
    assert not app.exception
    listed = open_page(project, PAGE, tab="check")
    assert "<img src=x" not in text_of(listed)


def test_the_item_view_tints_edits_by_severity(open_page: OpenPage, project: Path) -> None:
    open_page(project, PAGE)
    app = open_page(project, "pages/items.py", item="time")
    assert "severity 1.00" in text_of(app)
    assert "semCER 9.1 %" in text_of(app)


@pytest.mark.parametrize("view", ["readers", "two", "equal", "load", "words", "unlike"])
def test_every_view_is_drawn(open_page: OpenPage, project: Path, view: str) -> None:
    app = open_page(project, PAGE, tab=view)
    assert not app.exception
    assert not app.error
    drawn = "".join(element.proto.body for element in app.get("html"))  # code to copy is plain text, and stays exact
    assert "<img src=x" not in drawn
