"""A full and a read-only disk: an error in words, and nothing corrupted."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import ProjectReadOnlyError, VerbatimError
from annotator.exports.tables import predictions_table
from annotator.exports.writing import write_table
from annotator.ingest import imagefolder
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.options import ImportOptions
from annotator.ingest.upkeep import backup_project, check_project, realign_project
from annotator.records import Query
from annotator.store import project as store
from annotator.store.project import Project, open_project
from annotator.studies.links import invite
from tests.reliability.harness import build_workplace, content, make_stale
from tests.studies.builders import answer, seat

Limit = Callable[[str], None]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(build_workplace(tmp_path / "work", items=60))


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Limit]:
    """`limit(pragma)` puts a pragma on every connection that the store opens from now on."""
    connect = store._connect

    def start(pragma: str) -> None:
        def limited(database: Path, patience: float | None = None) -> sqlite3.Connection:
            connection = connect(database, patience)
            connection.execute(pragma)
            return connection

        monkeypatch.setattr(store, "_connect", limited)

    yield start
    monkeypatch.setattr(store, "_connect", connect)


def full(project: Project) -> str:
    """The pragma that lets the database grow no more: SQLite then says what it says on a full disk."""
    with project.read() as connection:
        return f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}"


def import_much(project: Project) -> None:
    work = project.folder.parent
    rows = "".join(f"i{k},{'x' * 4000}\n" for k in range(60))
    (work / "long.csv").write_text(f"id,predicted\n{rows}", encoding="utf-8")
    bring(Kind.PREDICTIONS, work / "long.csv", ImportOptions(system="three"), lambda: project)


WRITES: dict[str, Callable[[Project], object]] = {
    "import": import_much,
    "realign": realign_project,
    "rate": lambda project: [answer(project, rater) for rater in (seat(project),) for _turn in range(60)],
    "invite": lambda project: [invite(project, "s", count=200) for _turn in range(20)],
}


@pytest.mark.parametrize("name", WRITES)
def test_a_full_disk_is_said_and_changes_nothing(name: str, project: Project, limit: Limit) -> None:
    make_stale(project)
    with project.write() as connection:
        connection.execute("DELETE FROM edit")
    with project.read() as connection:
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    before = content(project)
    limit(full(project))
    with pytest.raises(ProjectReadOnlyError, match=r"full.*Free disk space"):
        WRITES[name](project)
    kinds = {fault.kind for fault in check_project(project).faults}
    assert kinds == {"stale-alignment", "broken-alignment"}
    if name in ("import", "realign"):
        assert content(project) == before


@pytest.mark.parametrize("name", WRITES)
def test_a_read_only_disk_is_said_and_changes_nothing(name: str, project: Project, limit: Limit) -> None:
    make_stale(project)
    before = content(project)
    limit("PRAGMA query_only = ON")
    with pytest.raises(ProjectReadOnlyError, match=r"readonly.*writable"):
        WRITES[name](project)
    assert content(project) == before


def test_a_project_on_a_read_only_disk_can_be_read(project: Project, limit: Limit) -> None:
    limit("PRAGMA query_only = ON")
    assert open_project(project.folder).revision() == project.revision()
    assert check_project(project).faults == ()


def no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_while_images_are_copied(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(project)
    work = project.folder.parent
    options = ImportOptions(replace=True, copy_images=True, images=work / "pictures")
    monkeypatch.setattr(imagefolder.shutil, "copyfile", no_space)
    with pytest.raises(ProjectReadOnlyError, match="No space left on device"):
        bring(Kind.ITEMS, work / "items-new.csv", options, lambda: project)
    assert content(project) == before
    assert list((project.folder / "images").iterdir()) == []
    monkeypatch.undo()
    bring(Kind.ITEMS, work / "items-new.csv", options, lambda: project)
    assert len(list((project.folder / "images").iterdir())) == 12


def test_a_full_disk_leaves_the_earlier_export(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, table = tmp_path / "out.csv", predictions_table(project, Query())
    write_table(project, table, out)
    earlier = out.read_bytes()
    monkeypatch.setattr(Path, "write_text", no_space)
    with pytest.raises(VerbatimError, match="No space left on device"):
        write_table(project, table, out)
    assert out.read_bytes() == earlier
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("out")) == [
        "out.csv",
        "out.csv.meta.json",
    ]


def test_a_backup_that_cannot_be_written_leaves_nothing(project: Project, tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("not a folder", encoding="utf-8")
    with pytest.raises(VerbatimError, match="cannot write"):
        backup_project(project, place / "b.db")
    assert check_project(project).faults == ()


def test_what_a_killed_backup_left_does_not_spoil_the_next(project: Project, tmp_path: Path) -> None:
    from annotator.store.upkeep import copy_database

    target = tmp_path / "b.db"
    for tail in ("", "-journal", "-wal", "-shm"):
        shutil.copyfile(project.database, target.with_name(target.name + tail))
    copy_database(project, target)
    restored = tmp_path / "restored"
    restored.mkdir()
    target.rename(restored / "verbatim.db")
    assert content(open_project(restored)) == content(project)


REPORTS = (
    ("report", "scores", "--resamples", "50"),
    ("report", "strata", "--resamples", "50"),
    ("report", "outcomes"),
    ("report", "confusions"),
    ("check",),
    ("study", "status", "s"),
)


@pytest.mark.parametrize("command", REPORTS, ids=" ".join)
@pytest.mark.parametrize("kind", ["read-only", "full"])
def test_reports_need_no_room(command: tuple[str, ...], kind: str, project: Project, limit: Limit) -> None:
    limit("PRAGMA query_only = ON" if kind == "read-only" else full(project))
    done = CliRunner().invoke(root, [*command, "--json", "--project", str(project.folder)])
    assert done.exception is None, done.exception
    assert json.loads(done.stdout)


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[None]:
    """Work as a user who may read everything and write nothing."""
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in tmp_path.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o011)
    root_user = os.geteuid() == 0
    if root_user:
        os.seteuid(65534)
    yield
    if root_user:
        os.seteuid(0)
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_folder_that_cannot_be_written_is_said(project: Project, nobody: None) -> None:
    with pytest.raises(ProjectReadOnlyError, match="make the folder writable"):
        open_project(project.folder).revision()
