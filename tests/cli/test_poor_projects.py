"""Every report on a project that holds too little: a table or one clear sentence, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.analyses.names import what_is_missing
from annotator.cli.frame import table
from annotator.cli.main import REPORTS, root
from annotator.errors import VerbatimError
from tests.builders import build_project

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "attributes": ("place",),
    "calibration": (),
    "compare": ("one", "two"),
    "consensus": ("one", "two"),
    "control": ("one", "two"),
    "judge": ("cer",),
    "lexical": ("--prior", "place"),
    "mitigation": ("one", "two"),
    "modes": ("--cell", "5-5"),
    "ngrams": ("one", "two", "--cell", "5-5"),
    "probe": ("--activations", "none.npz"),
    "router": ("one", "two"),
    **dict.fromkeys(("agreement", "preferences", "ranking", "ratings"), ("--study", "none")),
}
NO_ITEMS, NO_ANSWERS, NO_GOLD = "the project has no items", "the project has no predictions", "no item has a gold text"
PLACE = {"attributes": {"place": "wall"}, "language": "en"}
POOR: dict[str, tuple[list[dict[str, object]], dict[str, dict[str, str]], str]] = {
    "nothing": ([], {}, NO_ITEMS),
    "no predictions": ([{"id": "a", "gold": "Bakery", **PLACE}], {}, NO_ANSWERS),
    "no gold": ([{"id": "a", "gold": None, **PLACE}], {"one": {"a": "x"}, "two": {"a": ""}}, NO_GOLD),
    "blank gold": ([{"id": "a", "gold": " \t", **PLACE}], {"one": {"a": "x"}, "two": {"a": ""}}, NO_GOLD),
    "empty gold": ([{"id": "a", "gold": "", **PLACE}], {"one": {"a": "word"}, "two": {"a": ""}}, NO_GOLD),
    "no letter": ([{"id": "a", "gold": "12:30", **PLACE}], {"one": {"a": "i2:3O"}, "two": {"a": "x 12"}}, ""),
    "one item": ([{"id": "a", "gold": "Bakery", **PLACE}], {"one": {"a": "Bakory"}, "two": {"a": ""}}, ""),
    "no common item": (
        [{"id": "a", "gold": "Bakery", **PLACE}, {"id": "b", "gold": "Bar", **PLACE}],
        {"one": {"a": "Bakory"}, "two": {"b": "Bar"}},
        "",
    ),
}


def cut(names: set[str]) -> list[str]:
    """Without `all` (every read-out again, with pictures) and without a second word list, which is slow to read."""
    return sorted(names - {"all", "crosscorpus"})


@pytest.fixture(params=sorted(POOR))
def poor(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    items, answers, missing = POOR[request.param]
    monkeypatch.chdir(tmp_path)
    return build_project(tmp_path / "project", items, answers).folder, missing


def test_every_report_gives_a_table_or_a_sentence(poor: tuple[Path, str]) -> None:
    folder, missing = poor
    for name in cut(set(REPORTS)):
        given = ["report", name, *ARGUMENTS.get(name, ()), "--project", str(folder)]
        result = CliRunner().invoke(root, given)
        if isinstance(result.exception, VerbatimError):
            continue  # one sentence, and status 2
        assert result.exit_code in (0, 2), (name, result.exception)
        assert result.stdout.strip() or result.stderr.strip(), name
        if missing and result.exit_code == 0:
            assert result.stderr.count(missing) == 1, (name, result.stderr)


def test_the_note_leaves_the_document_alone(poor: tuple[Path, str]) -> None:
    folder, missing = poor
    result = CliRunner().invoke(root, ["report", "scores", "--json", "--project", str(folder)])
    assert result.exit_code == 0
    assert isinstance(json.loads(result.stdout)["rows"], list)
    assert missing in result.stderr


def test_what_is_missing_is_nothing_on_a_full_project(tmp_path: Path) -> None:
    project = build_project(tmp_path, [{"id": "a", "gold": "Bar"}], {"one": {"a": "Bar"}})
    assert what_is_missing(project) == ""


def test_a_table_without_rows_says_so() -> None:
    assert table([], ("system", "n")).splitlines()[-1] == "(no rows)"
    assert "(no rows)" not in table([{"system": "one", "n": 0}], ("system", "n"))


def test_suspects_of_one_system_ask_for_another(tmp_path: Path) -> None:
    folder = build_project(tmp_path, [{"id": "a", "gold": "Bar"}], {"one": {"a": "Bat"}}).folder
    with pytest.raises(VerbatimError, match="found 1 systems with answers; expected two or more"):
        CliRunner().invoke(root, ["report", "suspects", "--project", str(folder)], catch_exceptions=False)


def test_a_negative_seed_and_a_folder_to_write_are_refused_in_words(tmp_path: Path) -> None:
    folder = build_project(tmp_path / "project", [{"id": "a", "gold": "Bar"}], {"one": {"a": "Bat"}}).folder
    result = CliRunner().invoke(root, ["report", "scores", "--seed", "-5", "--project", str(folder)])
    assert result.exit_code == 2
    assert "--seed" in result.stderr
    with pytest.raises(VerbatimError, match="expected the name of a file"):
        CliRunner().invoke(root, ["export", "items", "--out", ".", "--project", str(folder)], catch_exceptions=False)
