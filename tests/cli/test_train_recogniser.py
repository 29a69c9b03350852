"""`annotator train-recogniser`: its card as JSON, usage errors in one line, a run of what it saved."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from annotator.cli.main import root


def run(*args: str) -> Result:
    return CliRunner().invoke(root, list(args))


def test_the_card_is_printed_and_the_recogniser_runs(tmp_path: Path) -> None:
    project = tmp_path / "project"
    small = ("--vocabulary", "300", "--crops", "32", "--threads", "1", "--tests", "20", "--project", str(project))
    result = run("train-recogniser", "--out", str(tmp_path / "reader"), "--json", *small)
    assert result.exit_code == 0, result.output
    card = json.loads(result.stdout)
    assert (card["reference"], card["language"], card["crops"]) == ("wordfreq-en", "en", 32)
    assert not project.exists()  # wordfreq's list needs none
    assert {score["head"] for score in card["scores"]} == {"ctc", "ar"}
    assert "learned 32 of 32" in result.stderr
    demo = Path(__file__).resolve().parents[2] / "data" / "demo" / "images" / "en" / "en-sign-001.jpg"
    (tmp_path / "a.jpg").write_bytes(demo.read_bytes())
    (tmp_path / "items.csv").write_text("id,gold,image\na,Open,a.jpg\n", encoding="utf-8")
    assert run("import", "items", str(tmp_path / "items.csv"), "--project", str(project)).exit_code == 0
    done = run("recognise", "--system", f"torch:{tmp_path / 'reader'}:ar", "--json", "--project", str(project))
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["written"] == 1


def test_a_file_in_the_way_is_said_before_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    result = run("train-recogniser", "--out", str(tmp_path / "file"), "--project", str(tmp_path / "project"))
    assert result.exit_code != 0
    assert "nothing can be written there" in str(result.exception or result.output)
