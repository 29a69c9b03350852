"""The sample for review: seeded, with its modes, and room for the reviewer."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from click.testing import CliRunner

from annotator.cli.main import root
from annotator.exports.samples import sample_table
from annotator.records import Cell, Query
from tests.analyses.strata.builders import QUERY, grid_items, grid_project, right_but


def test_a_sample_holds_wrong_answers_with_their_mode_and_empty_columns(tmp_path: Path) -> None:
    items = grid_items(copies=4)
    project = grid_project(tmp_path, items, {"one": right_but(items, {"5-5-0": "", "5-5-1": "x", "3-3-0": "y"})})
    table = sample_table(project, QUERY, Cell(5, 5))
    found = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["id"], row["read"]) for row in found] == [("5-5-0", "abstain"), ("5-5-1", "commit")]
    assert {(row["reviewer"], row["reviewed_mode"], row["note"]) for row in found} == {("", "", "")}
    assert table.name == "sample 5-5"


def test_the_seed_decides_and_the_page_command_and_file_agree(tmp_path: Path) -> None:
    items = grid_items(copies=4)
    wrong = {str(item["id"]): "q" for item in items[:60]}
    folder = grid_project(tmp_path / "p", items, {"one": right_but(items, wrong)}).folder
    drawn = {}
    for seed in ("0", "0", "1"):
        out = tmp_path / f"sample-{len(drawn)}.csv"
        given = ["export", "sample", "--size", "10", "--seed", seed, "--reference", "signs", "--out", str(out)]
        assert CliRunner().invoke(root, [*given, "--project", str(folder)]).exit_code == 0
        rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
        command = ["report", "modes", "--sample", "10", "--seed", seed, "--reference", "signs", "--json"]
        said = json.loads(CliRunner().invoke(root, [*command, "--project", str(folder)]).stdout)["sample"]
        assert [(row["id"], row["mode"], row["rule"]) for row in rows] == [
            (one["item_id"], one["mode"], one["rule"]) for one in said
        ]
        assert len(rows) == 10
        ids = [row["id"] for row in rows]
        assert drawn.setdefault(seed, ids) == ids
    assert drawn["0"] != drawn["1"]
    assert Query().seed == 0
