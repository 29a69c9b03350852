"""The project folder, its transactions and its migrations."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotator.errors import ProjectMissingError, ProjectTooNewError, StoreError
from annotator.store.migrate import known_migrations, statements
from annotator.store.project import DATABASE, open_project, read_revision


def test_open_without_a_project_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ProjectMissingError, match="annotator import items"):
        open_project(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_create_makes_an_empty_project_in_wal_mode(tmp_path: Path) -> None:
    project = open_project(tmp_path / "p", create=True)
    assert project.revision() == 0
    with project.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert [r[0] for r in connection.execute("SELECT name FROM migration ORDER BY name")] == list(
            known_migrations()
        )


def test_write_raises_the_revision_once_and_a_failed_write_leaves_it(tmp_path: Path) -> None:
    project = open_project(tmp_path, create=True)
    with project.write() as connection:
        assert read_revision(connection) == 1
    with pytest.raises(RuntimeError), project.write() as connection:
        connection.execute("INSERT INTO system (name) VALUES ('s')")
        raise RuntimeError
    assert project.revision() == 1
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM system").fetchone()[0] == 0


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"not a database at all, but long enough to have a header" * 20)
    with pytest.raises(StoreError, match="not a Verbatim project"):
        open_project(tmp_path)


def test_a_project_of_a_later_version_is_refused(tmp_path: Path) -> None:
    project = open_project(tmp_path, create=True)
    with project.write() as connection:
        connection.execute("INSERT INTO migration (name, at) VALUES ('9999_future', 0)")
    with pytest.raises(ProjectTooNewError, match="9999_future"):
        open_project(tmp_path)


def test_statements_split_only_at_their_ends() -> None:
    script = "-- head; not a statement\nCREATE TABLE a (x TEXT DEFAULT ';');\nINSERT INTO a\n VALUES (1);\n-- tail\n"
    connection = sqlite3.connect(":memory:")
    assert len([connection.execute(s) for s in statements(script)]) == 2
    connection.close()
