"""The compare page: empty, with a grid, every view, the items behind a transition, hostile text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analyses.strata.builders import give_confidence, grid_items, grid_project, right_but
from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/compare.py"
VIEWS = ("pair", "grid", "ngrams", "variants", "corpora", "router", "control")
HOSTILE = "<img src=x onerror=alert(1)> [a](javascript:x) \u202egnol"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = grid_items(copies=4)
    one = right_but(items, {"5-5-0": "good", "5-5-1": "", "3-3-0": HOSTILE})
    two = right_but(items, {"5-5-0": "good", "2-2-0": "x"})
    built = grid_project(tmp_path, items, {"one": one, "two": two, "two@gray": two})
    for name in ("one", "two"):
        give_confidence(built, name, {str(item["id"]): 0.9 for item in items[:40]})
    return built.folder


def test_one_run_is_not_enough_and_the_page_says_what_to_do(open_page: OpenPage, tmp_path: Path) -> None:
    folder = build_project(tmp_path / "p", [{"id": "a", "gold": "cat"}], {"one": {"a": "cat"}}).folder
    app = open_page(folder, PAGE)
    assert not app.exception
    assert "import predictions" in text_of(app)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_drawn(open_page: OpenPage, project: Path, view: str) -> None:
    app = open_page(project, PAGE, view=view, reference="signs", value="signs" if view == "corpora" else "")
    assert not app.exception
    assert not app.error
    assert "<img src=x" not in text_of(app).replace("&lt;img", "")


def test_the_difference_and_its_transitions(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, a="one", b="two", reference="signs", cell="5-5")
    shown = text_of(app)
    assert "n 4" in shown
    assert "A minus B" in shown
    assert "Transitions on the same items" in shown


def test_the_items_behind_a_transition_open(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, a="one", b="two", reference="signs")
    app.selectbox(key="choose-value").select("01").run()
    assert not app.exception
    assert app.query_params["value"] in ("01", ["01"])
    item = open_page(project, PAGE, a="one", b="two", reference="signs", value="01", item="2-2-0")
    assert not item.exception
    assert "2-2-0" in text_of(item)


def test_a_cell_of_the_difference_grid_is_chosen(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, view="grid", reference="signs")
    app.selectbox(key="difference-list").select("5-5").run()
    assert not app.exception
    assert app.query_params["cell"] in ("5-5", ["5-5"])


def test_unknown_names_in_the_address_fall_back(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, a="nobody", b="nobody", cell="9-9", metric="beauty", view="upside-down")
    assert not app.exception


def test_variants_of_a_baseline_are_chosen(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, view="variants", a="one", reference="signs")
    assert "report mitigation one" in text_of(app)
    app.multiselect(key="several-variant").select("two@gray").run()
    assert not app.exception
    assert app.query_params["variant"] in ("two@gray", ["two@gray"])
    body = text_of(app)
    assert "report mitigation one two@gray --reference signs" in body
    assert "Changes over the baseline one" in body
    chosen = open_page(project, PAGE, view="variants", a="one", reference="signs", variant="two")
    assert "report mitigation one two --reference signs" in text_of(chosen)


@pytest.mark.parametrize(
    ("view", "drawn"),
    [
        ("pair", {"choose-a", "choose-b", "choose-cell", "choose-metric"}),
        ("ngrams", {"choose-a", "choose-b", "choose-cell"}),
        ("variants", {"choose-a"}),
        ("corpora", {"choose-value"}),
        ("control", {"choose-a", "choose-b"}),
    ],
)
def test_a_view_draws_the_choices_that_it_needs(open_page: OpenPage, project: Path, view: str, drawn: set[str]) -> None:
    app = open_page(project, PAGE, view=view, reference="signs")
    own = {"choose-a", "choose-b", "choose-cell", "choose-metric", "choose-value"}
    shown = {box.key for box in app.selectbox if box.key in own}
    assert shown - {"choose-value"} == drawn - {"choose-value"}


def test_the_command_gives_the_figures_of_the_view(open_page: OpenPage, project: Path) -> None:
    for view, said in {
        "pair": "report compare one two --cell 5-5 --metric cer",
        "grid": "report strata --metric cer",
        "ngrams": "report ngrams one two --cell 5-5",
        "corpora": "report crosscorpus --second signs",
        "router": "report router one two",
    }.items():
        value = {"value": "signs"} if view == "corpora" else {}
        app = open_page(project, PAGE, view=view, reference="signs", cell="5-5", metric="cer", **value)
        assert said in text_of(app), view


def test_the_items_behind_gains_and_losses_open(open_page: OpenPage, project: Path) -> None:
    body = text_of(open_page(project, PAGE, view="control", a="one", b="two", reference="signs"))
    assert 'href="compare?reference=signs&amp;a=one&amp;b=two&amp;value=10"' in body
    assert 'href="compare?reference=signs&amp;a=one&amp;b=two&amp;cell=5-5&amp;value=01"' in body
    item = open_page(project, PAGE, a="one", b="two", reference="signs", cell="5-5", value="10")
    assert not item.exception


def test_two_systems_are_compared_before_two_conditions_of_one(open_page: OpenPage, tmp_path: Path) -> None:
    runs = {"one": {"a": "cat"}, "one@blur": {"a": "cut"}, "two": {"a": "cot"}}
    app = open_page(build_project(tmp_path / "p", [{"id": "a", "gold": "cat"}], runs).folder, PAGE)
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["A"], chosen["B"]) == ("one", "two")


@pytest.mark.parametrize("view", ["variants", "router", "control"])
def test_a_view_of_one_language_says_what_it_leaves_out(open_page: OpenPage, tmp_path: Path, view: str) -> None:
    items = [*grid_items(copies=4), {"id": "bn", "gold": "রাস্তা", "language": "bn"}]
    answers = {"bn": "রাস্তা"} | right_but(items, {"5-5-0": "good"})
    built = grid_project(tmp_path, items, {"one": answers, "two": answers | {"5-5-1": ""}})
    for name in ("one", "two"):
        give_confidence(built, name, {str(item["id"]): 0.9 for item in items})
    app = open_page(built.folder, PAGE, view=view, reference="signs")
    assert not app.exception
    assert "Items in en only; left out: 1 bn." in text_of(app)
