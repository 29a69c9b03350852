"""The attributes page: empty, one axis, two axes, one act, hostile values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/attributes.py"
HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [
        {"id": f"{place}{kind}{k}", "gold": "abcdefghij", "attributes": {"place": place, "kind": kind}}
        for place, kind, n in (("wall", "poem", 12), ("wall", HOSTILE, 12), ("bus", "poem", 12), ("bus", HOSTILE, 3))
        for k in range(n)
    ]
    answers = {item["id"]: "zzcdefghij" if "bus" in str(item["id"]) else "abcdefghij" for item in items}
    return build_project(tmp_path / "project", items, {"one": answers, "one@oracle": {}}).folder


def test_an_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "import attributes" in text_of(app)


def test_one_axis_lists_values_easiest_first(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, axis="place")
    shown = text_of(app)
    assert not app.exception
    assert shown.index(">wall<") < shown.index(">bus<")
    assert "20.00" in shown


def test_choosing_a_value_shows_what_was_misread(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, axis="place")
    app.selectbox(key="choose-value").select("bus").run()
    assert app.query_params["value"] == "bus"
    assert "of 15<" in text_of(app)


def test_two_axes_with_a_cell_from_the_list(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, axis="place", axis2="kind")
    assert not app.exception
    app.selectbox(key="joint-list").select("bus · poem").run()
    assert not app.exception
    assert app.query_params["value"] == "bus · poem"
    assert "of 12<" in text_of(app)
    assert "Hardest, one@default" in text_of(app)


def test_hostile_values_are_inert(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, axis="kind", axis2="place", value=f"{HOSTILE} · bus")
    assert not app.exception
    assert "<img src=x" not in "".join(element.proto.body for element in app.get("html"))
    assert "<img src=x" not in "".join(element.value for element in app.markdown)
    assert "of 3<" in text_of(app)


def test_another_metric(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, axis="place", metric="exact")
    assert not app.exception
    assert "100.00" in text_of(app)


def test_values_without_an_answer_are_one_sentence_and_no_rows(open_page: OpenPage, project: Path) -> None:
    shown = text_of(open_page(project, PAGE, axis="place"))
    assert "Without an answered item and so left out: one@oracle: " in shown
    table = shown[shown.index("Every value per system") :]
    assert ">oracle<" not in table[: table.index("</table>")]
