"""The self-contained report: every chapter, nothing from outside, hostile text inert."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from annotator.errors import ProjectReadOnlyError, UsageError
from annotator.exports.report.page import aligned
from annotator.exports.report.whole import write_report
from annotator.records import Query
from annotator.store.project import Project
from annotator.text.align import align_texts
from tests.builders import build_project

QUERY = Query(resamples=50)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [
        {"id": "a", "gold": "teh cat", "standard": "the cat", "language": "en"},
        {"id": "<b>", "gold": "<script>alert(1)</script>\u202e", "language": "en"},
        {"id": "c", "gold": "রাজনীতি", "language": "bn"},
    ]
    answers = {"one": {"a": "the cat", "<b>": "x", "c": "রাজনিতি"}, "two": {"a": "teh cat"}}
    return build_project(tmp_path / "p", items, answers)


def test_the_report_holds_every_chapter_and_nothing_from_outside(project: Project, tmp_path: Path) -> None:
    made = write_report(project, QUERY, tmp_path / "out" / "r.html", title="A <title>")
    page = made.html.read_text(encoding="utf-8")
    for title in (
        "Systems side by side",
        "Rarity and novelty",
        "Verbatim or rewritten",
        "Error classes",
        "Severity",
        "Worked examples",
    ):
        assert title in made.chapters
        assert f"<h2>{title}</h2>" in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\u202e" not in page
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)
    assert str(project.folder) not in page


def test_a_profile_changes_the_rates_and_not_the_marked_edits(project: Project, tmp_path: Path) -> None:
    page = write_report(project, Query(profile="full", resamples=50), tmp_path / "r.html").html.read_text(
        encoding="utf-8"
    )
    assert "Worked examples" in page


def test_without_predictions_there_is_no_report(tmp_path: Path) -> None:
    empty = build_project(tmp_path / "p", [{"id": "a", "gold": "x"}])
    with pytest.raises(UsageError, match="annotator import predictions"):
        write_report(empty, QUERY, tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_a_place_that_cannot_be_written_is_said(project: Project, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ProjectReadOnlyError, match="cannot write"):
        write_report(project, QUERY, tmp_path / "file" / "r.html")


def test_edits_are_marked_on_both_lines() -> None:
    body = aligned("abc", "axcd", align_texts("abc", "axcd"))
    assert 'a<span class="e-s" title="substituted">b</span>c' in body
    assert 'a<span class="e-s" title="substituted">x</span>c<span class="e-i" title="inserted">d</span>' in body
    assert "∅" in aligned("a", "", align_texts("a", ""))


@pytest.mark.browser
def test_it_prints_as_pdf(project: Project, tmp_path: Path) -> None:
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    made = write_report(project, QUERY, tmp_path / "r.html", pdf=True)
    assert made.pdf is not None
    assert made.pdf.read_bytes().startswith(b"%PDF")


def test_many_runs_make_several_tables_of_classes_that_a_page_holds(tmp_path: Path) -> None:
    runs = {f"s{k}": {"a": "cot"} for k in range(8)}
    project = build_project(tmp_path / "p", [{"id": "a", "gold": "cat"}], runs)
    body = write_report(project, Query(resamples=20), tmp_path / "r.html").html.read_text(encoding="utf-8")
    assert body.count("<caption>Events by class</caption>") == 2
    assert body.count('<th scope="row">Visual misread</th>') == 2
