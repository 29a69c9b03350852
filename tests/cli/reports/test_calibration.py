"""`report calibration` and `system confidence` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from annotator.cli.main import root
from tests.analyses.confidence.test_calibration import project_of


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(root, list(args))
    return result.exit_code, result.stdout


def test_the_document_and_the_table(tmp_path: Path) -> None:
    folder = str(project_of(tmp_path, [0.9] * 6 + [0.4] * 6, {0, 6, 7, 8, 9}).folder)
    args = ("report", "calibration", "--project", folder, "--resamples", "100")
    code, text = run(*args, "--json")
    document = json.loads(text)
    (row,) = document["rows"]
    assert code == 0
    assert {"system", "condition", "kind", "n", "ece", "ece_low", "ece_high", "ece_fitted", "auroc", "why"} <= set(row)
    assert {"project_revision", "alignment_version", "profile", "seed"} <= set(document)
    assert document["errors"][0]["item_id"] == "0"
    code, text = run(*args)
    assert code == 0
    assert "accuracy by coverage: 50% at 0.900: 0.8333" in text


def test_the_kind_changes_what_is_given(tmp_path: Path) -> None:
    folder = str(project_of(tmp_path, [0.9] * 6, {0}).folder)
    assert run("system", "confidence", "one", "engine-score", "--project", folder)[0] == 0
    document = json.loads(run("report", "calibration", "--project", folder, "--json")[1])
    assert document["rows"][0]["ece"] is None
    assert "engine score" in document["rows"][0]["why"]["ece"]
