"""The public Python interface gives the numbers of the reports, as data frames."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import annotator
from annotator.analyses.scores import report_scores
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [{"id": "a", "gold": "catt", "standard": "cat"}, {"id": "b", "gold": "dogs"}, {"id": "c", "gold": "stone"}]
    return build_project(tmp_path / "p", items, {"one": {"a": "cat", "b": "dogs", "c": "stome"}, "two": {"a": "catt"}})


def test_every_public_name_exists() -> None:
    for name in annotator._PUBLIC:
        assert callable(getattr(annotator, name))
        assert name in dir(annotator)
    with pytest.raises(AttributeError, match="no attribute 'luck'"):
        _ = annotator.luck


def test_importing_the_package_is_light() -> None:
    code = "import sys, annotator; sys.exit(bool({'numpy', 'pandas', 'torch'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scores_are_those_of_the_report(project: Project) -> None:
    frame = annotator.scores(project.folder, resamples=50)
    rows = report_scores(project, Query(resamples=50)).rows
    assert frame["cer"].tolist() == [row.cer for row in rows]
    assert annotator.scores(project, systems=("two",), resamples=50)["n"].tolist() == [1]


def test_the_other_frames(project: Project) -> None:
    assert annotator.outcomes(project, resamples=50).set_index("system").loc["one", "canonical"] == 1
    assert annotator.strata(project, resamples=50)["n"].tolist() == [3, 1]
    assert annotator.grid(project, "one", resamples=50)["n"].sum() == 3
    assert annotator.taxonomy(project)["count"].sum() == 2
    assert (
        annotator.severity(project, resamples=50)["semcer"] <= annotator.severity(project, resamples=50)["cer"]
    ).all()


def test_agreement_of_a_table() -> None:
    rows = [("i1", "r1", 0), ("i1", "r2", 0), ("i2", "r1", 4), ("i2", "r2", 4), ("i3", "r1", 1), ("i3", "r2", None)]
    found = annotator.agreement(pd.DataFrame(rows, columns=["item", "rater", "value"]))
    assert found["alpha"] == pytest.approx(1.0)
    assert found["ratings"] == 5


def test_two_runs_compared(project: Project) -> None:
    found = annotator.compare(project, "one", "two", resamples=50)
    assert (found["n"], found["a"], found["b"], found["delta"]) == (1, 0, 1, -1)
    with pytest.raises(UsageError, match="unknown cell: found '9-9'; expected I-J"):
        annotator.compare(project, "one", "two", cell="9-9")


def test_rows_of_predictions_and_edits_are_those_of_the_exports(project: Project) -> None:
    answers = annotator.predictions(project, classes=True)
    assert answers[["id", "system", "predicted"]].values.tolist()[0] == ["a", "one", "cat"]
    assert answers.set_index(["id", "system"]).loc[("b", "one"), "error_classes"] == ""
    edits = annotator.edits(project, systems=("one",))
    assert edits[["id", "op", "gold_edit", "predicted_edit"]].values.tolist() == [
        ["a", "del", "t", ""],
        ["c", "sub", "n", "m"],
    ]
