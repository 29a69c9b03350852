"""`report taxonomy`, `report attributes` and `condition` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.metrics.taxonomy import ErrorClass
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [
        {"id": "a", "gold": "পাখি ডাকে", "standard": "পাখী ডাকে", "attributes": {"place": "wall", "kind": "sign"}},
        {"id": "b", "gold": "কলম আছে", "attributes": {"place": "bus", "kind": "sign"}},
    ]
    answers = {"one@P1": {"a": "পাখী ডাকে", "b": "কলস আছে"}, "one@P2": {"a": "পাখি ডাকে", "b": "কলম আছে"}}
    return build_project(tmp_path, items, answers).folder


def test_taxonomy_json_is_the_contract(project: Path) -> None:
    document = _json(project, "report", "taxonomy", "--script", "bengali", "--resamples", "50")
    row = document["rows"][0]
    assert (row["system"], row["condition"], row["events"], row["exact"]) == ("one", "P1", 2, 0.0)
    assert list(row["counts"]) == list(row["shares"]) == [name.value for name in ErrorClass]
    assert (row["shares"]["vowel-sign"], row["counts"]["vowel-sign"]) == (0.5, 1)
    assert row["visual_orthographic_ratio"] == 1.0
    assert document["rows"][1]["visual_orthographic_ratio"] is None
    assert document["rows"][1]["why"]["visual_orthographic_ratio"]
    assert document["dual"][0]["standard"] == 1.0
    assert document["best"][0]["condition"] == "P2"


def test_taxonomy_as_a_table(project: Path) -> None:
    result = CliRunner().invoke(root, ["report", "taxonomy", "--project", str(project), "--resamples", "50"])
    assert result.exit_code == 0, result.output
    assert "vowel-sign" in result.output
    assert "best condition that is not oracle" in result.output


def test_a_condition_is_marked_oracle(project: Path) -> None:
    assert _json(project, "condition", "P2", "--role", "oracle") == {"condition": "P2", "role": "oracle", "runs": 1}
    assert _json(project, "report", "taxonomy", "--resamples", "50")["best"][0]["condition"] == "P1"


def test_attributes_json_is_the_contract(project: Path) -> None:
    document = _json(
        project, "report", "attributes", "place", "--metric", "exact", "--system", "one", "--condition", "P1"
    )
    assert [(row["values"], row["n"], row["value"]) for row in document["rows"]] == [
        ({"place": "bus"}, 1, 0.0),
        ({"place": "wall"}, 1, 0.0),
    ]
    assert {"system", "condition", "values", "n", "value", "low", "high"} <= set(document["rows"][0])


def test_attributes_of_two_axes_as_a_table(project: Path) -> None:
    args = ["report", "attributes", "place", "kind", "--project", str(project), "--resamples", "50"]
    result = CliRunner().invoke(root, args)
    assert result.exit_code == 0, result.output
    assert "[place]" in result.output
    assert "excess" in result.output


def _json(project: Path, *args: str) -> dict[str, Any]:
    result = CliRunner().invoke(root, [*args, "--project", str(project), "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    return document
