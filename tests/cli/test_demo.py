"""`annotator demo`: the JSON of the contract, and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root


def test_json_then_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = json.loads(CliRunner().invoke(root, ["demo", "--json"], catch_exceptions=False).stdout)
    assert (tmp_path / "demo" / "verbatim.db").is_file()
    assert first["project"] == "demo"
    assert first["items"] >= 240
    assert first["systems"] == 3
    assert first["predictions"] > first["items"]
    assert len(list((tmp_path / "demo" / "conditions" / "strong").rglob("*.png"))) >= 30
    second = json.loads(CliRunner().invoke(root, ["demo", "--json"], catch_exceptions=False).stdout)
    assert second == {**first, "written": 0}


def test_words_name_the_project(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    result = CliRunner().invoke(root, ["demo", "--project", str(folder)], catch_exceptions=False)
    assert result.exit_code == 0
    assert f"annotator serve --project {folder}" in result.stdout
