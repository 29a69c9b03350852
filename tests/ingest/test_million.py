"""A million rows: all of them there, in bounded memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.store.project import open_project
from tests.conftest import ROOT

ROWS = 1_000_000
MOST_KILOBYTES = 1_500_000


@pytest.mark.stress
def test_a_million_predictions(tmp_path: Path) -> None:
    items, predictions = tmp_path / "items.tsv", tmp_path / "predictions.tsv"
    with items.open("w") as gold, predictions.open("w") as said:
        gold.write("id\tgold\n")
        said.write("id\tpredicted\tsystem\n")
        for number in range(ROWS):
            gold.write(f"{number:07d}\tword{number * 7919 % 99991}\n")
            said.write(f"{number:07d}\tw{'o' if number % 3 else '0'}rd{number * 7919 % 99991}\ts\n")
    for kind, path in (("items", items), ("predictions", predictions)):
        command = [sys.executable, "-m", "annotator", "import", kind, str(path), "--project", str(tmp_path / "p")]
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MOST_KILOBYTES
    with open_project(tmp_path / "p").read() as connection:
        counts = "SELECT count(*), sum(substitutions), sum(insertions + deletions) FROM prediction"
        assert tuple(connection.execute(counts).fetchone()) == (ROWS, (ROWS + 2) // 3, 0)
        assert connection.execute("SELECT count(*) FROM edit").fetchone()[0] == (ROWS + 2) // 3
