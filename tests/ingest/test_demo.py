"""The demo project: built by the ordinary import, once, without any engine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.ingest.demo import DATA, SYSTEMS, build_demo
from annotator.store.detail import find_item, image_file, read_answers
from annotator.store.project import open_project
from annotator.store.reading import read_runs


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    build_demo(folder)
    return folder


def test_holds_every_shipped_row(tmp_path: Path) -> None:
    report = build_demo(tmp_path)
    lines = sum(
        len((DATA / f"predictions_{name}.jsonl").read_text(encoding="utf-8").splitlines())
        for name in (*SYSTEMS, "conditions")
    )
    assert report.predictions == lines
    assert report.items >= 240
    assert report.systems == tuple(SYSTEMS)
    assert report.written == report.items + report.predictions


def test_a_second_build_changes_nothing(demo: Path) -> None:
    before = open_project(demo).revision()
    report = build_demo(demo)
    assert report.written == 0
    assert open_project(demo).revision() == before


def test_notes_what_each_confidence_is(demo: Path) -> None:
    with open_project(demo).read() as connection:
        kinds = {run.system: (run.family, run.confidence_kind) for run in read_runs(connection)}
    assert kinds == SYSTEMS


def test_images_and_answers_are_reachable(demo: Path) -> None:
    project = open_project(demo)
    with project.read() as connection:
        item = find_item(connection, "en-square-2")
        assert item is not None
        assert (item.gold, item.standard, item.document) == ("Opticlan", "Optician", "en-square")
        assert item.box is not None
        assert image_file(connection, project.folder, item.key) is not None
        answers = read_answers(connection, item.key)
    runs = [(answer.system, answer.condition) for answer in answers]
    assert [system for system, condition in runs if condition == "default"] == list(SYSTEMS)
    assert {condition for _, condition in runs} == {"default", "moderate", "strong"}
    assert all(answer.char_confidence and len(answer.char_confidence) == len(answer.predicted) for answer in answers)


def test_needs_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("tesserocr", "rapidocr", "onnxruntime"):
        monkeypatch.setitem(sys.modules, name, None)
    assert build_demo(tmp_path).items >= 240


def test_missing_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"items\.csv"):
        build_demo(tmp_path / "project", tmp_path / "nowhere")
    assert not (tmp_path / "project").exists()
