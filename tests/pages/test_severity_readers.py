"""Severities against readers on the severity page: rated edits, rated texts, preferences, two sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.conftest import OpenPage, text_of
from tests.readers import read_project

PAGE = "pages/severity.py"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return read_project(tmp_path_factory.mktemp("readers") / "p", each=2).folder


@pytest.mark.parametrize(
    ("study", "shown"),
    [
        ("edits", ("Top-of-list share", "not drawn by band", "report ratings --study edits")),
        ("texts", ("Whole line", "judge-line", "semCER minus this", "report ratings --study texts")),
        ("pairs", ("Normalization-proof", "semCER (rubric)", "Overrides", "report preferences --study pairs")),
    ],
)
def test_each_kind_of_study_has_its_table(
    open_page: OpenPage, project: Path, study: str, shown: tuple[str, ...]
) -> None:
    app = open_page(project, PAGE, tab="readers", study=study)
    assert not app.exception
    assert not app.error
    page = text_of(app)
    assert [text for text in shown if text not in page] == []


def test_sets_without_a_pair_are_named_and_not_drawn(open_page: OpenPage, project: Path) -> None:
    page = text_of(open_page(project, PAGE, tab="readers", study="pairs"))
    assert "Near misses: none in this study." in page
    assert ">Near misses<" not in page
    assert "never picks the output that CER rejects" in page


def test_two_sources_and_whom_readers_follow(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="two", other="unit", study="pairs")
    page = text_of(app)
    assert not app.exception
    assert "report providers rubric unit --study pairs" in page
    assert "Where semCER overrides CER" in page
    app.selectbox(key="choose-other").select("mode:rubric").run()
    assert "1.000" in text_of(app)


def test_an_unknown_study_in_the_address_shows_another(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="readers", study="<b>gone</b>")
    assert not app.exception
    assert "report ratings --study edits" in text_of(app)
