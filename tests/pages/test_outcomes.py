"""The outcomes page: empty, with data, one act for each view, hostile text."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store.project import open_project
from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/outcomes.py"
HOSTILE = '<img src=x onerror="alert(1)">:red[**x**]'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [
        {"id": "a", "gold": "dolphiin", "standard": "dolphin", "attributes": {"domain": "animal", "d": "1"}},
        {"id": "b", "gold": "t00l", "standard": "tool", "attributes": {"domain": HOSTILE, "d": "2.5"}},
        {"id": "c", "gold": "elephat", "standard": "elephant", "attributes": {"domain": "animal", "d": "3"}},
        {"id": "e", "gold": HOSTILE, "standard": "nice", "attributes": {"domain": "animal", "d": "4"}},
        {"id": "f", "gold": "rose", "standard": "", "attributes": {"domain": "animal", "d": "9"}},
    ]
    answers = {
        "one": {"a": "dolphin", "b": "t00l", "c": "x"},
        "two": {"a": "dolphin", "b": "tool", "c": "elephant", "e": HOSTILE},
        "two@gray": {"a": "dolphiin", "b": "tool", "c": "elephat"},
    }
    return build_project(tmp_path / "project", items, answers).folder


def test_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "No outcomes yet" in text_of(app)


def test_what_is_left_out_is_said(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    assert not app.exception
    assert "4 items have gold and a standard form that differ; left out: 1 without a standard form" in text_of(app)


COUNTS = [
    ({"system": "one"}, 3),
    ({"system": "one", "outcome": "canonical"}, 1),
    ({"system": "one", "outcome": "missing"}, 1),
    ({"system": "two", "condition": "gray", "outcome": "literal"}, 2),
    ({"system": "two", "by": "perturbation", "group": "deletion", "outcome": "canonical"}, 1),
    ({"system": "two", "by": "@domain", "group": "animal", "outcome": ""}, 3),
    ({"system": "two", "by": "length", "group": "6-7", "outcome": "canonical"}, 1),
    ({"system": "two", "by": "pair", "group": "deletion n>", "outcome": "canonical"}, 1),
    ({"tab": "pair", "a": "one@default", "b": "two@default"}, 3),
    ({"tab": "pair", "a": "one@default", "b": "two@default", "outcome": "literal", "to": "canonical"}, 1),
    ({"tab": "consensus", "panel": "one@default|two@default", "outcome": "canonical"}, 1),
    ({"tab": "lexical", "prior": "d", "group": "5"}, 1),
]


@pytest.mark.parametrize(("query", "count"), COUNTS)
def test_every_count_opens_its_items(open_page: OpenPage, project: Path, query: dict[str, str], count: int) -> None:
    app = open_page(project, PAGE, **query)
    assert not app.exception
    assert f"{count:,} item{'s' * (count != 1)}\n" in text_of(app) + "\n"


def test_an_item_is_shown_with_its_outcomes(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, system="one", outcome="canonical", item="a")
    assert not app.exception
    shown = text_of(app)
    assert "standard form" in shown
    assert "canonical" in shown


def test_choosing_a_system_opens_its_items(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    app.selectbox(key="choose-system").set_value("two").run()
    assert not app.exception
    assert "4 items" in text_of(app)


def test_conditions_families_and_traces(open_page: OpenPage, project: Path) -> None:
    for view, words in (
        ("conditions", "Outcomes"),
        ("families", "Means over systems"),
        ("traces", "No answer has reasoning"),
    ):
        app = open_page(project, PAGE, tab=view)
        assert not app.exception
        assert words in text_of(app)


def test_a_family_is_assigned_on_the_page(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="families")
    app.text_input[0].set_value("big")
    next(button for button in app.button if button.label == "Assign").click().run()
    assert not app.exception
    with open_project(project).read() as connection:
        assert connection.execute("SELECT family FROM system WHERE name = 'one'").fetchone()[0] == "big"


def test_language_prior(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="lexical", prior="d")
    assert not app.exception
    assert "Rewriting by quintile of D" in text_of(app)


def test_reasoning_opens_its_items(open_page: OpenPage, project: Path) -> None:
    with open_project(project).write() as connection:
        connection.execute(
            "INSERT INTO prediction_detail (prediction_key, reasoning) VALUES (1, 'dolphiin, a dolphin')"
        )
    app = open_page(project, PAGE, tab="traces", system="one", outcome="canonical", to="both")
    assert not app.exception
    assert "1 item\n" in text_of(app)


def test_unknown_outcome_in_the_address(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, system="one", outcome="nonsense", group="nonsense", tab="nonsense", by="nonsense")
    assert not app.exception
    assert "3 items" in text_of(app)


def test_hostile_text_is_inert(open_page: OpenPage, project: Path) -> None:
    for query in ({"system": "two", "item": "e"}, {"system": "two", "by": "@domain"}):
        app = open_page(project, PAGE, **query)
        assert not app.exception
        drawn = [element.proto.body for element in app.get("html")] + [element.value for element in app.markdown]
        assert not any("<img src=x" in part for part in drawn)
