"""Every command and export of a hostile project: no traceback, nothing that moves the cursor, nothing that runs."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import VerbatimError
from annotator.ingest.upkeep import check_project
from annotator.store.project import Project, open_project
from annotator.studies.kinds import StudyKind
from tests.hostile import FORMULA, SCRIPT, SECRET, TEXTS, hostile_project
from tests.studies.builders import open_study

STUDY = "<b>=1+1"
MOVING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FEW = (
    ("report", "scores", "--resamples", "50", "--by", SCRIPT),
    ("study", "status", STUDY),
    ("check",),
)
MORE = (
    ("report", "scores", "--resamples", "50"),
    ("report", "strata", "--resamples", "50"),
    ("report", "compare", SCRIPT, FORMULA, "--resamples", "50"),
    ("report", "outcomes"),
    ("report", "taxonomy"),
    ("report", "confusions"),
    ("report", "attributes", SCRIPT),
    ("report", "agreement", "--study", STUDY),
    ("study", "invite", STUDY),
    ("project", "imports"),
)
COMMANDS = (*FEW, *(pytest.param(each, marks=pytest.mark.stress) for each in MORE))
EXPORTS = ("items", "predictions", "edits")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = hostile_project(tmp_path_factory.mktemp("hostile"))
    open_study(project, StudyKind.TEXT_SEVERITY, name=STUDY, overlap=2)
    return project


def run(project: Project, *command: str) -> tuple[int, str]:
    """Exit status and output; an error that is not ours is raised."""
    done = CliRunner().invoke(root, [*command, "--project", str(project.folder)])
    if done.exception is not None and not isinstance(done.exception, VerbatimError | SystemExit):
        raise done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_nothing_that_moves_the_cursor(project: Project, command: tuple[str, ...]) -> None:
    status, output = run(project, *command)
    assert status == 0, output[-500:]
    assert MOVING.search(output) is None
    assert SECRET not in output
    status, output = run(project, *command, "--json")
    assert status == 0
    json.loads(output)


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_for_spreadsheets_holds_no_formula(project: Project, what: str, tmp_path: Path) -> None:
    out = tmp_path / f"{what}.csv"
    assert run(project, "export", what, "--excel", "--out", str(out))[0] == 0
    csv.field_size_limit(10_000_000)
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    number = re.compile(r"-?\d+(\.\d+)?")
    running = [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "\t", "\r", "-"))]
    assert [cell for cell in running if not number.fullmatch(cell)] == []
    assert str(project.folder) not in out.read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("what", EXPORTS)
def test_a_plain_export_is_exact(project: Project, what: str, tmp_path: Path) -> None:
    out = tmp_path / f"{what}.jsonl"
    assert run(project, "export", what, "--format", "jsonl", "--out", str(out))[0] == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").split("\n") if line]
    if what == "items":
        assert [row["gold"] for row in rows[: len(TEXTS)]] == list(TEXTS)


def test_text_that_looks_like_sql_is_text(project: Project) -> None:
    for word in ("'; DROP TABLE item; --", "x' OR '1'='1", "%", "_", "\\"):
        run(project, "report", "scores", "--system", word, "--benchmark", word)
        run(project, "study", "status", word)
        run(project, "export", "items", "--language", word, "--out", str(project.folder.parent / "out.csv"))
    kept = open_project(project.folder)
    assert [fault.kind for fault in check_project(kept).faults] == []
    connection = sqlite3.connect(project.database)
    assert connection.execute("SELECT count(*) FROM item").fetchone()[0] == len(TEXTS) + 8
    connection.close()
