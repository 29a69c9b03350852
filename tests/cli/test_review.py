"""`annotator review`: list, accept, reject, correct, propose; refusals in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import UsageError
from tests.analyses.strata.builders import grid_items, grid_project, right_but


@pytest.fixture
def folder(tmp_path: Path) -> str:
    items = grid_items(copies=2)
    same = right_but(items, {"5-5-0": "agreed", "3-3-0": "other"})
    systems = {"one": same, "two": same, "three": right_but(items, {})}
    return str(grid_project(tmp_path, items, systems).folder)


def run(folder: str, *given: str) -> dict[str, object]:
    result = CliRunner().invoke(root, [*given, "--json", "--project", folder], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    document: dict[str, object] = json.loads(result.stdout)
    return document


def suspects(folder: str) -> dict[str, object]:
    return run(folder, "report", "suspects", "--agree", "2", "--reference", "signs")


def test_suspects_are_listed_reviewed_and_corrected(folder: str) -> None:
    before = suspects(folder)
    assert (before["n"], before["reviewed"], before["agree"]) == (2, 0, 2)
    proposed = run(folder, "review", "5-5-0", "gold-wrong", "--by", "rater-03", "--propose")
    assert (proposed["binding"], proposed["mark"]) == (False, "")
    marked = run(folder, "review", "5-5-0", "gold-wrong", "--by", "owner")
    assert (marked["binding"], marked["mark"], marked["reviewer"]) == (True, "gold-wrong", "owner")
    assert isinstance(marked["at"], float)
    after = suspects(folder)
    assert (after["n"], after["reviewed"]) == (2, 1)
    row = after["rows"][0]  # type: ignore[index]
    assert [(given["reviewer"], given["binding"]) for given in row["verdicts"]] == [
        ("rater-03", False),
        ("owner", True),
    ]
    corrected = run(folder, "review", "5-5-0", "gold-wrong", "--by", "owner", "--gold", "agreed")
    assert (corrected["mark"], corrected["gold"], corrected["realigned"]) == ("", "agreed", 3)
    assert suspects(folder)["n"] == 1


def test_what_the_table_says_of_reviews(folder: str) -> None:
    run(folder, "review", "3-3-0", "gold-right", "--by", "rater-03", "--propose")
    shown = CliRunner().invoke(root, ["report", "suspects", "--reference", "signs", "--project", folder]).stdout
    assert "rater-03: gold-right (proposal)" in shown
    assert "annotator review ITEM" in shown


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("nobody", "gold-right", "--by", "owner"), "no item has the id 'nobody'"),
        (("5-5-0", "gold-right", "--by", "owner", "--gold", "x"), "beside gold-right"),
        (("5-5-0", "gold-wrong", "--by", " "), "no reviewer"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(folder: str, given: tuple[str, ...], told: str) -> None:
    before = suspects(folder)
    with pytest.raises(UsageError, match=told):
        CliRunner().invoke(root, ["review", *given, "--project", folder], catch_exceptions=False)
    assert suspects(folder) == before
