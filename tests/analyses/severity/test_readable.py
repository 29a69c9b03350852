"""Severities of a project that cannot be written are computed all the same, and nothing is left behind."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.analyses.severity.checking import check_first, mark_edit
from annotator.analyses.severity.report import report_severity
from annotator.cli.main import root
from annotator.errors import ProjectReadOnlyError
from annotator.records import Query
from annotator.store import project
from annotator.store.project import Project
from tests.readers import read_project


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose own file takes no writes, as a read-only file does not."""
    found = read_project(tmp_path / "p", each=2)
    connect = project._connect

    def connect_to_read(database: Path, patience: float | None = None) -> sqlite3.Connection:
        connection = connect(database, patience)
        if database == found.database:
            connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(project, "_connect", connect_to_read)
    return found


def copies() -> list[str]:
    return [path.name for path in Path(tempfile.gettempdir()).glob("verbatim-*")]


def test_a_project_that_cannot_be_written_has_its_severities(locked: Project) -> None:
    before = copies()
    rows = report_severity(locked, Query(resamples=20), "mode:rubric").rows
    assert [row.coverage for row in rows] == [1.0, 1.0]
    page = check_first(locked, Query(), "rubric", limit=5)
    assert len(page.edits) == 5
    with pytest.raises(ProjectReadOnlyError):
        mark_edit(locked, page.edits[0].prediction_key, 0, "done")
    assert copies() == before


@pytest.mark.parametrize(
    "command",
    [
        "report severity",
        "report ratings --study edits",
        "report ratings --study texts",
        "report preferences --study pairs --provider rubric",
        "report providers rubric unit --study pairs",
        "report equal-count",
        "report load",
        "export check-first --out {out}",
    ],
)
def test_every_command_on_severities_answers(locked: Project, command: str, tmp_path: Path) -> None:
    words = command.format(out=tmp_path / "list.csv").split()
    done = CliRunner().invoke(root, [*words, "--json", "--resamples", "20", "--project", str(locked.folder)])
    assert done.exception is None, done.exception
    assert done.stdout.startswith("{")
