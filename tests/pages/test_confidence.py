"""The confidence page: empty, without confidence, per cell, a number as a map, a probe."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.confidence.answersure import say_confidence_kind
from annotator.store.project import open_project
from tests.analyses.confidence.test_rescoring import give_beams
from tests.analyses.strata.builders import give_confidence, grid_items, grid_project, right_but
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/confidence.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [{**item, "attributes": {"ratio": str(k / 100)}} for k, item in enumerate(grid_items(copies=4))]
    built = grid_project(tmp_path, items, {"one": right_but(items, {"5-5-0": "x", "3-3-0": "y"})})
    give_confidence(built, "one", {str(item["id"]): 0.75 for item in items})
    return built.folder


def test_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "import predictions" in text_of(app)


def test_answers_without_confidence_say_so(open_page: OpenPage, tmp_path: Path) -> None:
    items = grid_items()
    folder = grid_project(tmp_path, items, {"one": right_but(items, {})}).folder
    app = open_page(folder, PAGE, reference="signs")
    assert not app.exception
    assert any(head.value == "No confidence here" for head in app.subheader)


def test_the_corner_stands_beside_the_centre(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs")
    assert not app.exception
    heads = [head.value for head in app.subheader]
    assert heads == ["Cell 3-3", "Cell 5-5"]
    assert "0.750" in text_of(app)


def test_a_cell_is_chosen_from_the_list(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs")
    app.selectbox(key="confidence-list").select("1-1").run()
    assert not app.exception
    assert [head.value for head in app.subheader] == ["Cell 1-1", "Cell 3-3", "Cell 5-5"]


def test_any_number_is_drawn_as_a_map(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs", view="map", metric="ratio")
    assert not app.exception
    assert "Mean ratio along each axis" in text_of(app)


def test_the_probe_asks_for_a_file(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs", view="probe")
    assert not app.exception
    assert "Activations" in text_of(app)


def test_calibration_says_what_the_confidence_is(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs", view="calibration")
    assert not app.exception
    assert "one, default" in [head.value for head in app.header]
    assert "are unknown" in text_of(app) or "is unknown" in text_of(app)
    assert "Accuracy by coverage" in text_of(app)
    say_confidence_kind(open_project(project), "one", "engine-score")
    app = open_page(project, PAGE, reference="signs", view="calibration")
    assert not app.exception
    assert "No reliability curve: an engine score is no probability" in text_of(app)


def test_confident_errors_open_their_item(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs", view="errors")
    assert not app.exception
    assert "surer than 0 of 98 right answers" in text_of(app)
    assert "5-5-0" in text_of(app)
    item = open_page(project, "pages/items.py", item="5-5-0", view="sure")
    assert not item.exception
    assert "No character of this answer carries a confidence." in text_of(item)
    assert "confidence 0.750 (kind unknown)" in text_of(item)


def test_rescoring_says_what_it_needs(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="signs", view="rescoring")
    assert not app.exception
    assert any(head.value == "No candidates here" for head in app.subheader)


def test_candidates_are_chosen_again_over_a_sweep(open_page: OpenPage, tmp_path: Path) -> None:
    items = [{**item, "language": "en"} for item in grid_items(copies=2)]
    built = grid_project(tmp_path, items, {"one": right_but(items, {"5-5-0": "x"})})
    give_beams(built, {str(item["id"]): [(str(item["gold"]), -0.2), ("water", -0.9)] for item in items})
    app = open_page(built.folder, PAGE, reference="signs", view="rescoring")
    assert not app.exception
    text = text_of(app)
    assert "Chosen again with a language model" in text
    assert "How sure the beam is at a temperature" in text
    assert "report rescoring" in " ".join(block.value for block in app.code)
