"""The items page: empty, with items, one act, hostile text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/items.py"
HOSTILE = '<img src=x onerror="alert(1)">:red[**x**] $y$'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [
        {"id": "1", "gold": "cat", "benchmark": "one", "language": "en"},
        {"id": "2", "gold": "سلام", "benchmark": "two", "language": "ar"},
        {"id": "3", "gold": HOSTILE, "standard": "nice", "benchmark": "two", "language": "en"},
        {"id": "4", "gold": None, "benchmark": "two", "language": "en"},
    ]
    answers = {
        "alpha": {"1": "cat", "2": "سلم", "3": "x", "4": "free"},
        "beta": {"1": "cut", "2": "سلام", "3": HOSTILE},
        "beta@gray": {"1": "cat"},
    }
    return build_project(tmp_path / "project", items, answers).folder


def test_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "import items" in text_of(app)


def test_all_items_are_counted(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    assert not app.exception
    assert "of 4" in text_of(app)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"show": "wrong", "system": "beta"}, 1),
        ({"show": "wrong"}, 3),
        ({"show": "differ"}, 3),
        ({"search": "CAT"}, 1),
        ({"search": "^c.t$", "regex": "1"}, 1),
        ({"benchmark": "two", "language": "ar"}, 1),
        ({"search": "سلم"}, 1),
    ],
)
def test_the_address_filters(open_page: OpenPage, project: Path, query: dict[str, str], count: int) -> None:
    app = open_page(project, PAGE, **query)
    assert not app.exception
    assert f"of {count}<" in text_of(app)


def test_choosing_writes_the_address(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, item="1")
    app.selectbox(key="choose-show").select("wrong").run()
    assert app.query_params["show"] == "wrong"
    assert "item" not in app.query_params


def test_next_walks_the_filtered_list(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, system="alpha", show="wrong", item="2")
    assert "1 of 2" in text_of(app)
    app.button(key="item-next").click().run()
    assert app.query_params["item"] == "3"
    assert app.button(key="item-next").disabled


def test_hostile_text_is_inert(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, item="3")
    shown = text_of(app)
    assert not app.exception
    assert "<img src=x" not in shown
    assert ":red[" not in "".join(element.value for element in app.markdown)


def test_unknown_item_and_broken_pattern_are_said_in_words(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, item="nope")
    assert "no item has the id" in text_of(app)
    app.button(key="close-item").click().run()
    assert "item" not in app.query_params
    assert "no item has the id" not in text_of(app)
    assert "does not compile" in text_of(open_page(project, PAGE, search="(", regex="1"))


def test_gold_is_marked_wrong_corrected_and_taken_back(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, item="1", system="beta")
    app.button_group(key="mark-1").set_value("gold-wrong").run()
    assert "in no rate" in text_of(app)
    assert "of 3<" in text_of(app), "an item with a wrong gold is left out of the list's rates and counts"
    app.button(key="undo-1").click().run()
    assert "of 4<" in text_of(app)
    gold = next(field for field in app.text_input if field.label == "Gold")
    gold.input("cut")
    next(button for button in app.button if button.label == "Correct and realign").click().run()
    assert "gold before" in text_of(app)
    assert not app.exception


def test_a_list_is_filtered_by_attribute_and_made_a_pool(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, attribute="benchmark", value="two")
    assert "of 3<" in text_of(app)
    app.button(key="pool-items").click().run()
    assert not app.exception
    assert "Only the 3 items of the list that you chose" in text_of(app)
    app.button(key="pool-forget").click().run()
    assert "of the list that you chose" not in text_of(app)


def test_what_counts_stands_in_the_address_and_follows(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, "app.py", missing="1", system="alpha")
    assert not app.exception
    assert "--missing error" in text_of(app)
    app = open_page(project, "app.py")
    app.toggle(key="switch-missing").set_value(True).run()
    assert app.query_params["missing"] == "1"
