"""`annotator agreement FILE`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import FileError

HEADERS = [
    "item,rater,value",
    "item_id,rater_id,rating",
    "task,annotator,score",
    "task,user,severity",
    "item,user,label",
]
ROWS = ["a,r1,0", "a,r2,1", "b,r1,2", "b,r2,2", "c,r1,4", "c,r2,3", "d,r1,1", "d,r2,", "e,r2,4", "e,r1,4"]


@pytest.mark.parametrize("header", HEADERS)
def test_keys_and_aliases(tmp_path: Path, header: str) -> None:
    document = _agreement(_file(tmp_path, header, ROWS), "ordinal")
    assert (document["items"], document["raters"], document["ratings"]) == (5, 2, 9)
    assert (document["icc_items"], document["icc_raters"]) == (4, 2)
    assert 0.8 < document["alpha"] < 1
    assert document["alpha_low"] <= document["alpha"] <= document["alpha_high"]
    assert list(document["kappa"]) == ["r1|r2"]
    assert document["why"] == {}


def test_undefined_is_null_with_a_reason(tmp_path: Path) -> None:
    document = _agreement(_file(tmp_path, HEADERS[0], [f"{i},{r},2" for i in "abcd" for r in "xy"]), "ordinal")
    assert document["alpha"] is document["icc2k"] is document["kappa"]["x|y"] is None
    assert document["why"]["alpha"] == "all ratings are equal"


def test_text_choices(tmp_path: Path) -> None:
    rows = ["a,x,left", "a,y,left", "b,x,right", "b,y,right", "c,x,tie", "c,y,left"]
    document = _agreement(_file(tmp_path, HEADERS[0], rows), "nominal")
    assert document["icc2k"] is None
    assert document["alpha"] is not None


FAULTS = [
    (["a,x,minor"], "line 2", "number"),
    (["a,x,1", "a,x,2"], "line 3", "row 1"),
    (["a,x,1", ",x,2"], "line 3", "empty id"),
    (["a,x,1", "b,,2"], "line 3", "empty id"),
    (["a,x,1", "b,y"], "line 3", "cells"),
]


@pytest.mark.parametrize(("rows", "line", "words"), FAULTS)
def test_faults_name_the_line(tmp_path: Path, rows: list[str], line: str, words: str) -> None:
    file = _file(tmp_path, HEADERS[0], rows)
    result = CliRunner().invoke(root, ["agreement", str(file), "--level", "ordinal", "--json"])
    assert isinstance(result.exception, FileError)
    assert line in str(result.exception)
    assert words in str(result.exception)


def test_identical_rows_are_dropped_and_counted(tmp_path: Path) -> None:
    document = _agreement(_file(tmp_path, HEADERS[0], [*ROWS, ROWS[0]]), "ordinal")
    assert (document["duplicates"], document["ratings"]) == (1, 9)


def test_of_repeats_the_first_counts(tmp_path: Path) -> None:
    rows = [f"{row},0" for row in ROWS] + ["a,r1,4,1"]
    document = _agreement(_file(tmp_path, f"{HEADERS[0]},repeat", rows), "ordinal")
    assert (document["repeats"], document["ratings"]) == (1, 9)
    assert document["alpha"] == _agreement(_file(tmp_path, HEADERS[0], ROWS), "ordinal")["alpha"]


def test_readable_output(tmp_path: Path) -> None:
    result = CliRunner().invoke(root, ["agreement", str(_file(tmp_path, HEADERS[0], ROWS)), "--level", "interval"])
    assert result.exit_code == 0
    assert "Krippendorff's alpha" in result.output
    assert "kappa r1|r2" in result.output


def _file(folder: Path, header: str, rows: list[str]) -> Path:
    path = folder / "ratings.csv"
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    return path


def _agreement(file: Path, level: str) -> dict[str, object]:
    result = CliRunner().invoke(root, ["agreement", str(file), "--level", level, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    assert isinstance(document, dict)
    return document
