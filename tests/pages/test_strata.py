"""The strata page: empty, with a grid, one act, the address, an item that is not on the grid."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import build_project
from tests.conftest import ROOT
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/strata.py"
WORDS = [
    "the",
    "and",
    "you",
    "that",
    "was",
    "for",
    "are",
    "with",
    "his",
    "they",
    "this",
    "have",
    "from",
    "one",
    "had",
    "word",
    "but",
    "not",
    "what",
    "all",
    "were",
    "when",
    "your",
    "can",
    "said",
    "there",
    "use",
    "each",
    "which",
    "she",
    "how",
    "their",
    "will",
    "other",
    "about",
    "out",
    "many",
    "then",
    "them",
    "these",
    "some",
    "her",
    "would",
    "make",
    "like",
    "him",
    "into",
    "time",
    "has",
    "look",
    "two",
    "more",
    "write",
    "see",
    "number",
    "way",
    "could",
    "people",
    "than",
    "first",
    "water",
    "been",
    "call",
    "who",
    "oil",
    "its",
    "now",
    "find",
    "long",
    "down",
    "day",
    "did",
    "get",
    "come",
    "made",
    "may",
    "part",
    "zyzzyva",
    "quokka",
    "xylem",
    "rhythm",
    "gnostic",
    "syzygy",
    "phlegm",
    "mnemonic",
    "fjord",
    "kvass",
    "borscht",
    "tsar",
    "qwerty",
    "vortex",
    "jinx",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [{"id": f"i{k}", "gold": word, "language": "en"} for k, word in enumerate(WORDS)]
    items.append({"id": "digits", "gold": "42nd", "language": "en"})
    answers = {f"i{k}": word if len(word) < 6 else word[:-1] for k, word in enumerate(WORDS)}
    return build_project(tmp_path / "project", items, {"alpha": answers, "beta": answers | {"i0": "teh"}}).folder


def test_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "import predictions" in text_of(app)


def test_the_grid_says_what_entered_and_what_stayed_out(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    assert not app.exception
    assert f"{len(WORDS)} of {len(WORDS) + 1} labels entered the grid; 1 stayed out" in text_of(app)
    assert "wordfreq-en" in text_of(app)


def test_a_cell_is_chosen_from_the_list_and_stands_in_the_address(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    app.selectbox(key="heat-list").select("5-5").run()
    assert not app.exception
    assert app.query_params["cell"] == "5-5"
    assert any(head.value == "Cell 5-5" for head in app.subheader)


def test_cells_are_added_to_the_selection(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, cell="5-5", add="1")
    app.selectbox(key="heat-list").select("3-3").run()
    assert app.query_params["cell"] == "5-5,3-3"
    assert any(head.value == "Cells 5-5 + 3-3" for head in app.subheader)


def test_the_button_opens_the_corner_and_next_walks_its_items(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, show="all")
    app.button(key="open-corner").click().run()
    assert app.query_params["cell"] == "5-5"
    app = open_page(project, PAGE, show="all", cell="5-5", item="digits")
    assert "not in this list" in text_of(app)
    assert "Not on this grid" in text_of(app)
    app.button(key="item-next").click().run()
    assert "1 of " in text_of(app)
    assert "Why cell 5-5" in text_of(app)


@pytest.mark.parametrize("cell", ["9-9", "5", "<script>", "5-5-5", ""])
def test_a_cell_that_is_none_is_ignored(open_page: OpenPage, project: Path, cell: str) -> None:
    app = open_page(project, PAGE, cell=cell)
    assert not app.exception
    assert any(head.value == "From corner to failures" for head in app.subheader)


def test_unknown_reference_in_the_address_falls_back(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, reference="no-such-corpus")
    assert not app.exception
    assert "wordfreq-en" in text_of(app)


@pytest.mark.parametrize(
    ("readout", "said"),
    [
        ("gap", "Corner against centre"),
        ("benchmarks", "Corner and centre by benchmark"),
        ("effects", "Interaction of word rarity"),
        ("curves", "Marginal curves"),
        ("modes", "Error modes of wrong answers in cell 5-5"),
        ("ngrams", "N-grams of cell 5-5"),
        ("suspects", "systems agree with each other against gold"),
        ("nonsense", "Corner against centre"),
    ],
)
def test_each_read_out_is_drawn(open_page: OpenPage, project: Path, readout: str, said: str) -> None:
    app = open_page(project, PAGE, readout=readout, cell="5-5")
    assert not app.exception
    assert said in text_of(app)


@pytest.mark.parametrize("metric", ["cer", "exact", "one_minus_ned"])
def test_the_cells_show_another_metric(open_page: OpenPage, project: Path, metric: str) -> None:
    app = open_page(project, PAGE, metric=metric)
    assert not app.exception
    assert f"metric <b>{metric}</b>" in text_of(app)


def test_a_verdict_on_a_suspect_is_kept(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, readout="suspects")
    app.button(key="verdict-gold-wrong").click().run()
    assert not app.exception
    assert "1 reviewed" in text_of(app)
    assert "gold marked wrong <b>1</b>" in text_of(app)


def test_a_suspect_gold_is_corrected_by_a_named_reviewer(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, readout="suspects", agree="2")
    assert "at least 2 of 2 systems" in text_of(app)
    first = app.selectbox(key="choose-suspect").value
    app.text_input(key="suspect-reviewer").set_value("rater-03").run()
    corrected = next(field for field in app.text_input if field.label == "Corrected gold")
    corrected.set_value(str(corrected.value))
    next(button for button in app.button if "correct it" in button.label).click().run()
    assert not app.exception
    assert "Gold corrected" in app.toast[0].value
    assert first not in app.selectbox(key="choose-suspect").options


def test_another_sample_is_drawn_and_its_command_said(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, readout="modes", cell="5-5")
    assert "Sample for review" in [head.value for head in app.subheader]
    next(button for button in app.button if button.label == "Draw another").click().run()
    assert not app.exception
    assert "drawn with seed 1" in text_of(app)
    assert "report modes --cell 5-5 --seed 1" in text_of(app)
    for junk in ("-3", "x", "999999999999", "١"):
        app = open_page(project, PAGE, readout="modes", seed=junk)
        assert "drawn with seed 0" in text_of(app)
        assert "--seed" not in text_of(app), junk


def test_one_system_has_no_suspects(open_page: OpenPage, tmp_path: Path) -> None:
    items = [{"id": f"i{k}", "gold": word, "language": "en"} for k, word in enumerate(WORDS)]
    answers = {f"i{k}": word for k, word in enumerate(WORDS)}
    folder = build_project(tmp_path / "p", items, {"alone": answers}).folder
    app = open_page(folder, PAGE, readout="suspects")
    assert not app.exception
    assert "two or more systems" in text_of(app)


@pytest.mark.shared
def test_real_crops_give_the_published_figures(open_page: OpenPage, shared_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    data = shared_data / "str"
    for line in (["items", str(data / "items.tsv"), "--images", str(data)], *(
        ["predictions", str(path)] for path in sorted(data.glob("predictions_*.jsonl"))
    )):  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "annotator", "import", *line, "--project", str(folder)], check=True, cwd=ROOT,
            capture_output=True,
        )  # fmt: skip
    app = open_page(folder, PAGE, system="tesseract_dict")
    shown = text_of(app)
    assert "5,798 of 6,657 labels entered the grid; 859 stayed out" in shown
    for figure in (
        "−10.71",
        "−9.11",
        "−9.34",
        "−21.23",
        "−9.84",
        "−8.06",
        "−8.29",
        "−20.14",
        "92.18",
        "81.46",
        "89.29",
    ):
        assert f">{figure}<" in shown
    assert "n 615" in app.selectbox(key="heat-list").options[0]
    assert any("3-3: 68.71, n 294" in option for option in app.selectbox(key="heat-list").options)
