"""What the diagnostic cannot place, by page and by command: each says what it did, or why it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.analyses.strata.builders import grid_items, grid_project, right_but
from tests.cli.contract import annotate
from tests.pages.conftest import OpenPage, text_of

STRATA, COMPARE, CONFIDENCE = "pages/strata.py", "pages/compare.py", "pages/confidence.py"
ZEBRAS = [{"id": f"i{k}", "gold": "zzzz", "language": "en"} for k in range(4)]
NUMBERS = [{"id": "a", "gold": "42", "language": "en"}, {"id": "b", "gold": "a b", "language": "en"}]
HALF = {str(item["id"]): str(item["gold"]) for item in grid_items(copies=2) if str(item["id"]).endswith("-0")}
CASES: dict[str, tuple[list[dict[str, Any]], dict[str, str] | None, str]] = {
    # items, answers of the second system (None: all right), what is said
    "no benchmark column": (grid_items(copies=2), None, "all items"),
    "one item": ([{"id": "a", "gold": "bgp", "language": "en"}], None, "leave quintiles empty"),
    "all labels dropped": (NUMBERS, None, "no label enters the grid"),
    "all ranks equal": (ZEBRAS, None, "leave quintiles empty"),
    "half the predictions": (grid_items(copies=2), HALF, "25"),
}


@pytest.fixture(params=sorted(CASES))
def poor(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, str]:
    items, second, said = CASES[request.param]
    answers = {"one": right_but(items, {str(items[0]["id"]): "x"}), "two": second or right_but(items, {})}
    return request.param, grid_project(tmp_path, items, answers).folder, said


def test_the_command_says_what_it_did(poor: tuple[str, Path, str]) -> None:
    name, folder, said = poor
    ran = annotate("report", "strata", "--reference", "signs", "--resamples", "200", "--project", str(folder))
    assert ran.code == 0, ran.err
    assert "Traceback" not in ran.err
    if name == "no benchmark column":
        document = annotate(
            "report", "strata", "--json", "--reference", "signs", "--resamples", "200", "--project", str(folder)
        ).document
        assert set(document["edges"]) == {""}
    else:
        assert said in ran.out


@pytest.mark.parametrize("page", [STRATA, COMPARE, CONFIDENCE])
def test_the_pages_say_it_too(open_page: OpenPage, poor: tuple[str, Path, str], page: str) -> None:
    name, folder, said = poor
    app = open_page(folder, page, reference="signs", system="two")
    assert not app.exception
    if page == STRATA and name != "no benchmark column":
        assert said in text_of(app)


@pytest.mark.parametrize("readout", ["gap", "benchmarks", "effects", "curves", "modes", "ngrams", "suspects"])
def test_every_read_out_stands_on_a_grid_without_labels(open_page: OpenPage, tmp_path: Path, readout: str) -> None:
    folder = grid_project(tmp_path, NUMBERS, {"one": {"a": "4"}, "two": {"a": "4", "b": "ab"}}).folder
    app = open_page(folder, STRATA, reference="signs", readout=readout, cell="5-5")
    assert not app.exception


@pytest.mark.parametrize("view", ["pair", "grid", "ngrams", "variants", "corpora", "router", "control"])
def test_every_comparison_stands_on_one_item(open_page: OpenPage, tmp_path: Path, view: str) -> None:
    folder = grid_project(
        tmp_path, [{"id": "a", "gold": "bgp", "language": "en"}], {"one": {"a": "bgp"}, "two": {"a": "x"}}
    ).folder
    value = {"value": "signs"} if view == "corpora" else {}
    app = open_page(folder, COMPARE, reference="signs", view=view, **value)
    assert not app.exception


EDGES = "benchmark,axis,e1,e2,e3,e4,reference\n{b},word,0,0.5,{e3},1.2,signs\n{b},ngram,0.1,0.2,0.3,0.4,signs\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (EDGES.format(b="other", e3="1"), "no edges for the benchmark ''"),
        (EDGES.format(b="", e3="0.2"), "four numbers that do not fall"),
        (EDGES.replace(",e4", "").format(b="", e3="1"), "lacks e4"),
        (EDGES.format(b="", e3="x"), "four numbers that do not fall"),
        ("", "the columns benchmark, axis"),
    ],
)
def test_edges_that_do_not_fit_are_refused_in_words(tmp_path: Path, text: str, told: str) -> None:
    items = grid_items(copies=1)
    folder = grid_project(tmp_path, items, {"one": right_but(items, {})}).folder
    path = tmp_path / "edges.csv"
    path.write_text(text, encoding="utf-8")
    ran = annotate("report", "strata", "--reference", "signs", "--edges", str(path), "--project", str(folder))
    assert ran.code == 2
    assert told in ran.err
    assert ran.out == ""


def test_a_reference_without_words_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    items = grid_items(copies=1)
    folder = grid_project(tmp_path, items, {"one": right_but(items, {})}).folder
    path = tmp_path / "empty.tsv"
    path.write_text(" \n\n", encoding="utf-8")
    ran = annotate("import", "reference", str(path), "--name", "empty", "--project", str(folder))
    assert ran.code == 2
    assert "no words" in ran.err
    ran = annotate("report", "strata", "--reference", "empty", "--project", str(folder))
    assert (ran.code, "expected one of: signs" in ran.err) == (2, True)


def test_the_page_overrides_axes_and_says_why_edges_do_not_fit(open_page: OpenPage, tmp_path: Path) -> None:
    items = grid_items(copies=1)
    folder = grid_project(tmp_path, items, {"one": right_but(items, {})}).folder
    app = open_page(folder, STRATA, reference="signs", axes="character")
    assert not app.exception
    assert "axes <b>character</b>" in text_of(app)
    assert "--axes character" in text_of(app)
    refused = open_page(folder, STRATA, reference="signs", edges="stratistr")
    assert "--force-edges" in text_of(refused)
    nonsense = open_page(folder, STRATA, reference="signs", axes="sideways", edges="mine", letters="x")
    assert not nonsense.exception
    assert "axes <b>word</b>" in text_of(nonsense)
