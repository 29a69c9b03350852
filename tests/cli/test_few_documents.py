"""Under five documents the items are resampled, and every report that resamples says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.contract import annotate, read

NOTE = "fewer than 5 documents: items were resampled instead of documents"
WORDS = ["cat", "dog", "hen", "owl", "ant", "bee"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two projects of the same answers: `few` with two documents, `none` without any; `row` is different in every item."""
    folder = tmp_path_factory.mktemp("documents")
    for name, column in (("few", "document"), ("none", "shelf")):
        lines = [f"id,gold,predicted,system,row,{column}"]
        lines += [f"{k},{word},{word[: k % 3 + 1]},s,{k},d{k % 2}" for k, word in enumerate(WORDS)]
        (folder / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
        read("import", "pairs", str(folder / f"{name}.csv"), "--project", str(folder / name))
    return folder


@pytest.mark.parametrize("report", [("scores",), ("severity",), ("taxonomy",), ("attributes", "row")], ids=" ".join)
def test_the_report_says_so(report: tuple[str, ...], folder: Path) -> None:
    asked = ("report", *report, "--resamples", "20", "--project", str(folder / "few"))
    assert read(*asked)["note"] == NOTE
    assert annotate(*asked).out.count(NOTE) == 1
    assert "note" not in read(*asked, "--cluster", "row")


def test_a_project_without_documents_has_nothing_to_say(folder: Path) -> None:
    asked = ("report", "scores", "--resamples", "20", "--project", str(folder / "none"))
    assert "note" not in read(*asked)
    assert read(*asked, "--cluster", "shelf")["note"] == NOTE


def test_what_does_not_resample_does_not_say_it(folder: Path, tmp_path: Path) -> None:
    assert "note" not in read("report", "confusions", "--project", str(folder / "few"))
    assert "note" not in read("export", "items", "--out", str(tmp_path / "i.csv"), "--project", str(folder / "few"))
