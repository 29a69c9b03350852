"""`report strata` and `import reference` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from tests.analyses.strata.builders import grid_items, grid_project, right_but


@pytest.fixture
def folder(tmp_path: Path) -> str:
    items = grid_items(copies=2)
    return str(grid_project(tmp_path, items, {"one": right_but(items, {"5-5-0": "x"})}).folder)


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(root, list(args))
    return result.exit_code, result.stdout


def test_the_document_has_the_keys_of_the_contract(folder: str) -> None:
    code, text = run("report", "strata", "--json", "--project", folder, "--reference", "signs", "--resamples", "100")
    document = json.loads(text)
    assert code == 0
    assert {
        "reference",
        "kept",
        "dropped",
        "short_labels",
        "edges",
        "systems",
        "language",
        "languages_left_out",
    } <= set(document)
    assert set(document["dropped"]) == {"total", "by_benchmark", "by_reason"}
    assert {"project_revision", "alignment_version", "profile", "seed"} <= set(document)
    (system,) = document["systems"]
    assert {"system", "condition", "grid", "gap", "gap_low", "gap_high", "gap_stratified", "corner", "centre",
            "aggregate", "aggregate_kept", "interaction"} <= set(system)  # fmt: skip
    assert set(system["interaction"]) >= {"marginal_ngram", "marginal_word", "conditional_ngram", "joint"}
    assert [len(row) for row in system["grid"]] == [5] * 5
    assert system["grid"][4][4] == {"n": 2, "correct": 1, "value": 0.5}
    assert document["edges"][""]["word"] == sorted(document["edges"][""]["word"])


def test_the_table_reads_the_same(folder: str) -> None:
    code, text = run("report", "strata", "--project", folder, "--reference", "signs", "--resamples", "100")
    assert code == 0
    assert "kept 50, dropped 0" in text
    assert "0.500 (2)" in text


def test_what_is_undefined_is_null_with_a_reason(folder: str) -> None:
    _, text = run("report", "strata", "--json", "--project", folder, "--reference", "signs", "--metric", "confidence")
    (system,) = json.loads(text)["systems"]
    assert system["gap"] is None
    assert system["why"]["gap"] == "nothing measured in cells 5-5 and 3-3"
    assert system["interaction"]["why"]["joint"] == "nothing measured in cell 1-1 and 5-5"


def test_import_reference_reports_what_it_did(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("of\nthe\n", encoding="utf-8")
    args = ("import", "reference", str(path), "--name", "mine", "--project", str(tmp_path / "p"), "--json")
    code, text = run(*args)
    assert code == 0
    assert {"read", "written", "unchanged", "missing", "extra", "duplicates", "problems"} <= set(json.loads(text))
    assert json.loads(run(*args)[1])["unchanged"] == 2


def test_a_dry_run_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("of\nthe\n", encoding="utf-8")
    folder = str(tmp_path / "p")
    run("import", "reference", str(path), "--name", "mine", "--project", folder, "--dry-run")
    with pytest.raises(Exception, match="unknown reference corpus"):
        CliRunner().invoke(
            root, ["report", "strata", "--project", folder, "--reference", "mine"], catch_exceptions=False
        )
