"""From a cell to its items and from an item to its cell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotator.analyses.strata import cell_items, explain_item
from annotator.analyses.strata.cells import mark_ngram
from annotator.errors import UsageError
from annotator.metrics.strata.labels import Axes
from annotator.records import Cell, MissingRule
from annotator.store.project import Project
from tests.analyses.strata.builders import QUERY, grid_items, grid_project, right_but

CORNER, CENTRE = Cell(5, 5), Cell(3, 3)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [*grid_items(copies=3), {"id": "digits", "gold": "42"}]
    answers = right_but(items, {"5-5-0": "x", "5-5-2": "y"})
    del answers["5-5-1"], answers["3-3-0"]
    return grid_project(tmp_path, items, {"one": answers, "one@gray": {}})


@pytest.mark.parametrize(
    ("show", "ids"),
    [("wrong", ["5-5-0", "5-5-2"]), ("right", []), ("missing", ["5-5-1"]), ("all", ["5-5-0", "5-5-1", "5-5-2"])],
)
def test_a_cell_shows_what_was_asked_for(project: Project, show: str, ids: list[str]) -> None:
    page = cell_items(project, QUERY, "one", "default", CORNER, show)
    assert [row.item.id for row in page.rows] == ids
    assert (page.total, page.n, page.right, page.missing) == (len(ids), 2, 0, 1)
    assert page.coverage == pytest.approx(3 / 75)
    assert page.rate == 0.0


def test_several_cells_are_one_selection(project: Project) -> None:
    page = cell_items(project, QUERY, "one", "default", [CORNER, CENTRE, CORNER], "right")
    assert [row.item.id for row in page.rows] == ["3-3-1", "3-3-2"]
    assert (page.n, page.missing, page.rate) == (4, 2, 0.5)
    assert page.coverage == pytest.approx(6 / 75)


def test_pages_follow_each_other_and_the_keys_are_all_there(project: Project) -> None:
    pages = [cell_items(project, QUERY, "one", "default", CORNER, "all", offset, 1) for offset in range(3)]
    assert [page.rows[0].item.key for page in pages] == list(pages[0].keys)


def test_a_missing_answer_counts_as_wrong_when_told_to(project: Project) -> None:
    page = cell_items(project, replace(QUERY, missing=MissingRule.ERROR), "one", "gray", CORNER)
    assert (page.total, page.n, page.rows[0].predicted, page.rows[0].right) == (3, 3, None, False)


def test_a_run_without_answers_has_no_rate(project: Project) -> None:
    page = cell_items(project, QUERY, "one", "gray", CORNER, "all")
    assert (page.n, page.missing, page.rate, page.rows[0].right) == (0, 3, None, None)


@pytest.mark.parametrize(("system", "condition", "show"), [("two", "default", "all"), ("one", "default", "some")])
def test_unknown_names_are_refused(project: Project, system: str, condition: str, show: str) -> None:
    with pytest.raises(UsageError):
        cell_items(project, QUERY, system, condition, CORNER, show)


def test_an_item_tells_what_put_it_in_its_cell(project: Project) -> None:
    place = explain_item(project, QUERY, "5-5-0")
    assert place.cell == CORNER
    assert place.row is not None
    assert place.edges is not None
    assert place.row.word_value > place.edges.word[3]
    assert place.row.ngram_value > place.edges.ngram[3]
    assert (place.row.ngram, place.marks, place.short) == (place.gold.casefold(), (0, 1, 2), False)


def test_an_item_outside_the_grid_tells_why(project: Project) -> None:
    place = explain_item(project, QUERY, "digits")
    assert (place.cell, place.row, place.why) == (None, None, "its label stays out of the grid (digit)")
    with pytest.raises(UsageError, match="'nobody'"):
        explain_item(project, QUERY, "nobody")


def test_a_gold_marked_wrong_is_outside_and_says_so(project: Project) -> None:
    with project.write() as connection:
        connection.execute("UPDATE item SET mark = 'unreadable' WHERE id = '5-5-0'")
    assert explain_item(project, QUERY, "5-5-0").why == "its gold was marked unreadable"


@pytest.mark.parametrize(
    ("gold", "ngram", "axes", "marks"),
    [
        ("GABBANA", "bba", Axes.WORD, (2, 3, 4)),
        ("STRASSE", "tra", Axes.WORD, (1, 2, 3)),
        ("Straße", "ass", Axes.WORD, (3, 4)),
        ("Straße", "sse", Axes.WORD, (4, 5)),
        ("Straße", "rast", Axes.WORD, ()),
        ("欢-迎", "欢迎", Axes.CHARACTER, (0, 2)),
        ("অক্ষর", "ক্ষর", Axes.CHARACTER, (1, 2)),
        ("abc", "xyz", Axes.WORD, ()),
    ],
)
def test_the_deciding_ngram_is_marked_in_gold(gold: str, ngram: str, axes: Axes, marks: tuple[int, ...]) -> None:
    assert mark_ngram(gold, ngram, axes) == marks


def test_a_project_that_cannot_be_written_shows_the_same_cells(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotator.errors import ProjectReadOnlyError

    def refuse(*_: object, **__: object) -> None:
        raise ProjectReadOnlyError("read-only")

    monkeypatch.setattr(Project, "write", refuse)
    page = cell_items(project, QUERY, "one", "default", CORNER)
    assert [row.item.id for row in page.rows] == ["5-5-0", "5-5-2"]
    assert page.rows[0].place is None
    assert "cannot be written" in explain_item(project, QUERY, "5-5-0").why
    assert "(digit)" in explain_item(project, QUERY, "digits").why
