"""The read-outs of the grid from the command line: every one prints its document and its table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import UsageError
from tests.analyses.strata.builders import give_confidence, grid_items, grid_project, right_but

OPTIONS = ("--reference", "signs", "--resamples", "100")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("cells")
    items = grid_items(copies=5)
    answers = {"one": right_but(items, {"5-5-0": "", "3-3-0": "q"}), "two": right_but(items, {"5-5-1": "q"})}
    project = grid_project(base, items, answers)
    for name in answers:
        give_confidence(project, name, {str(item["id"]): 0.9 for item in items})
    np.savez(base / "layers.npz", ids=np.array([str(item["id"]) for item in items]), layer=np.ones((125, 1)))
    return base


COMMANDS = {
    "compare": (("one", "two", "--cell", "5-5"), {"n", "a", "b", "delta", "low", "high", "p", "verdict", "mcnemar_p", "transitions"}),
    "ngrams": (("one", "two", "--cell", "5-5"), {"ngram", "n", "a_failure", "b_failure"}),
    "mitigation": (("one",), {"system", "corner", "centre", "aggregate", "improves_both"}),
    "router": (("one", "two"), {"scope", "n", "oracle", "routed", "gain"}),
    "control": (("one", "two"), {"scope", "n", "gained", "lost", "gained_items"}),
    "marginals": ((), {"system", "axis", "quintile", "n", "value", "low", "high"}),
    "crosscorpus": (("--second", "wordfreq-en"), {"system", "axis", "pearson", "change"}),
    "confidence": ((), {"system", "condition", "cell", "n", "accuracy", "mean", "mean_correct", "mean_wrong"}),
    "modes": ((), {"system", "script", "wrong", "counts", "abstain", "commit"}),
    "suspects": (("--agree", "2"), {"item_id"}),
    "probe": ((), {"layer", "auc", "balanced_accuracy"}),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_a_read_out_prints_its_document_and_its_table(folder: Path, name: str) -> None:
    args, keys = COMMANDS[name]
    more = ("--activations", str(folder / "layers.npz")) if name == "probe" else ()
    command = ["report", name, *args, *more, "--project", str(folder / "project"), *OPTIONS]
    result = CliRunner().invoke(root, [*command, "--json"], catch_exceptions=False)
    document = json.loads(result.stdout)
    assert {"seed", "project_revision", "alignment_version", "profile"} <= set(document)
    rows = document["rows"] if name != "compare" else [document]
    assert all(keys <= set(row) for row in rows)
    assert rows or name == "suspects"
    table = CliRunner().invoke(root, command, catch_exceptions=False)
    assert table.exit_code == 0
    assert "seed 0, 100 resamples" in table.stdout


@pytest.mark.parametrize("cell", ["6-1", "5", "a-b", "5-5-5"])
def test_a_cell_that_is_none_is_refused(folder: Path, cell: str) -> None:
    command = ["report", "compare", "one", "two", "--cell", cell, "--project", str(folder / "project"), *OPTIONS]
    with pytest.raises(UsageError, match="I-J"):
        CliRunner().invoke(root, command, catch_exceptions=False)
