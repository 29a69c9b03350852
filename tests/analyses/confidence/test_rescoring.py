"""Rescoring of beams: what a language model fixes and breaks, temperatures, and refusals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.analyses.confidence.rescoring import report_rescoring
from annotator.cli.main import root
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project

QUERY = Query(resamples=200)
# Words that the language knows, and one it does not.
GOLDS = ("water", "house", "xqzvk", "people")


def give_beams(project: Project, beams: Mapping[str, Sequence[tuple[str, float | None]]]) -> None:
    """Candidates of the run `one` by item id."""
    with project.write() as connection:
        for item_id, beam in beams.items():
            connection.execute(
                "INSERT INTO prediction_detail (prediction_key, candidates) SELECT prediction_key, ? FROM prediction "
                "JOIN item USING (item_key) WHERE item.id = ?",
                (json.dumps(beam), item_id),
            )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items: list[dict[str, Any]] = [{"id": gold, "gold": gold, "language": "en"} for gold in GOLDS]
    answers = {"water": "watcr", "house": "house", "xqzvk": "xqzvk", "people": "people"}
    built = build_project(tmp_path / "p", items, {"one": answers})
    give_beams(
        built,
        {
            "water": [("watcr", -0.1), ("Water", -0.6)],
            "house": [("house", -0.1), ("hcuse", -2.0)],
            "xqzvk": [("xqzvk", -0.1), ("water", -0.6)],
            "people": [("people", None)],
        },
    )
    return built


def test_a_prior_fixes_words_and_breaks_what_is_no_word(project: Project) -> None:
    report = report_rescoring(project, QUERY, weights=(1.0,))
    rows = {(row.scope, row.weight): row for row in report.rows}
    own, moved = rows["all", 0.0], rows["all", 1.0]
    assert (own.n, own.accuracy, own.changed) == (3, pytest.approx(2 / 3), 0)
    assert (moved.changed, moved.fixed, moved.broken) == (2, 1, 1)
    assert moved.delta == 0.0
    assert moved.oracle == 1.0
    assert {row.scope for row in report.rows} == {"all", "corner", "centre"}
    empty = next(row for row in report.rows if row.n == 0)
    assert (empty.accuracy, empty.delta) == (None, None)
    assert empty.why


def test_temperatures_lower_the_share_and_keep_the_choice(project: Project) -> None:
    rows = report_rescoring(project, QUERY, temperatures=(1.0, 5.0)).temperatures
    assert [row.temperature for row in rows] == [1.0, 5.0]
    assert rows[0].accuracy == rows[1].accuracy
    assert rows[0].mean is not None
    assert rows[1].mean is not None
    assert rows[0].mean > rows[1].mean
    assert rows[0].ece is not None
    assert rows[0].low is not None


def test_refusals_say_what_is_missing(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="0 or more"):
        report_rescoring(project, QUERY, weights=(-1.0,))
    bare = build_project(tmp_path / "q", [{"id": "a", "gold": "water"}], {"one": {"a": "water"}})
    with pytest.raises(UsageError, match="carries candidates"):
        report_rescoring(bare, QUERY)


def test_the_command_prints_rows_with_intervals(project: Project) -> None:
    args = ["report", "rescoring", "--project", str(project.folder), "--resamples", "100", "--weight", "0.2"]
    result = CliRunner().invoke(root, [*args, "--json"])
    document = json.loads(result.stdout)
    assert [row["weight"] for row in document["rows"] if row["scope"] == "all"] == [0.0, 0.2]
    assert {"n", "accuracy", "delta", "low", "high", "p", "oracle"} <= set(document["rows"][0])
    assert {"project_revision", "alignment_version", "seed", "reference"} <= set(document)
    text = CliRunner().invoke(root, args).stdout
    assert "some weight lifts corner and aggregate both" in text
