"""`annotator score`."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from annotator.cli.main import root

ITEMS = "id,gold\n1,cat\n2,a b\n"


def run(folder: Path, predictions: str, *options: str) -> Result:
    (folder / "items.csv").write_text(ITEMS, encoding="utf-8")
    (folder / "predictions.csv").write_text(predictions, encoding="utf-8")
    files = ["--items", str(folder / "items.csv"), "--predictions", str(folder / "predictions.csv")]
    return CliRunner().invoke(root, ["score", *files, "--out", str(folder / "out.jsonl"), *options])


def test_the_document(tmp_path: Path) -> None:
    result = run(tmp_path, "id,predicted\n1,cut\n2,a b\n", "--system", "s", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["read"], document["written"], document["n"]) == (2, 2, 2)
    assert (document["cer"], document["wer"], document["exact"]) == (1 / 6, 1 / 3, 0.5)
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_rows_left_out_are_named_and_end_with_status_1(tmp_path: Path) -> None:
    result = run(tmp_path, "id,predicted\n1,cat\n9,x\n", "--system", "s")
    assert result.exit_code == 1
    assert "extra 1" in result.stdout
    assert "line 3, column id: found '9'" in result.stdout


def test_wide_files(tmp_path: Path) -> None:
    result = run(tmp_path, "id,first,second\n1,cat,cut\n2,a b,ab\n", "--wide", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["written"] == 4
