"""Several processes on one project: serialised or refused with words, never corrupt."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from annotator.errors import StoreError
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.options import ImportOptions
from annotator.ingest.upkeep import backup_project, check_project
from annotator.store import migrate
from annotator.store import project as store
from annotator.store.migrate import known_migrations
from annotator.store.project import DATABASE, Project, open_project
from tests.reliability.child import import_when_told
from tests.reliability.harness import build_workplace, content
from tests.studies.builders import answer, seat

_PROCESSES = get_context("forkserver")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(build_workplace(tmp_path / "work", items=60))


def predictions(work: Path, name: str, answer: str) -> Path:
    path = work / f"{name}.csv"
    path.write_text("id,predicted\n" + "".join(f"i{k},{answer} {k}\n" for k in range(60)), encoding="utf-8")
    return path


def at_once(jobs: list[tuple[Path, Path, str]]) -> list[tuple[str, object, int]]:
    """Import in as many processes, all let loose together."""
    ends = []
    for job in jobs:
        ours, theirs = _PROCESSES.Pipe()
        child = _PROCESSES.Process(target=import_when_told, args=(*job, theirs))
        child.start()
        ends.append((child, ours))
    for _child, ours in ends:
        ours.send("go")
    told = [ours.recv() for _child, ours in ends]
    for child, ours in ends:
        child.join()
        ours.close()
    return told


def test_imports_at_once_are_all_there_each_at_its_own_revision(project: Project) -> None:
    work, before = project.folder.parent, project.revision()
    told = at_once([(project.folder, predictions(work, f"s{k}", f"text {k}"), f"s{k}") for k in range(4)])
    assert [(word, rows) for word, rows, _ in told] == [("written", 60)] * 4
    assert sorted(revision for _, _, revision in told) == [before + k for k in range(1, 5)]
    assert check_project(project).faults == ()
    with project.read() as connection:
        rows = connection.execute("SELECT count(*), count(DISTINCT run_key) FROM prediction").fetchone()
    assert tuple(rows) == (6 * 60, 6)


def test_imports_at_once_that_disagree_are_one_written_and_one_refused(project: Project) -> None:
    work = project.folder.parent
    told = at_once([(project.folder, predictions(work, f"v{k}", f"version {k}"), "same") for k in range(2)])
    assert sorted(word for word, _, _ in told) == ["FileError", "written"]
    words = next(said for word, said, _ in told if word == "FileError")
    assert "another predicted than in the project" in str(words)
    assert check_project(project).faults == ()
    with project.read() as connection:
        texts = {
            row[0].partition(" ")[2][0]
            for row in connection.execute("SELECT predicted FROM prediction WHERE run_key > 2")
        }
    assert len(texts) == 1


def test_processes_that_make_one_project_at_once_make_one(tmp_path: Path) -> None:
    path = predictions(tmp_path, "p", "x")
    told = at_once([(tmp_path / "new", path, f"s{k}") for k in range(6)])
    assert {word for word, _, _ in told} == {"FileError"}, told
    assert all("has no items" in str(words) for _, words, _ in told)
    assert check_project(open_project(tmp_path / "new")).faults == ()


def test_raters_go_on_during_imports_and_backups(project: Project) -> None:
    work = project.folder.parent

    def rate(_number: int) -> int:
        rater = seat(project)
        return sum(answer(project, rater).outcome == "stored" for _turn in range(40))

    def copy(number: int) -> int:
        return backup_project(project, work / f"copy-{number}" / DATABASE)

    def bring_in(number: int) -> int:
        options = ImportOptions(system=f"s{number}")
        return bring(Kind.PREDICTIONS, predictions(work, f"s{number}", f"{number}"), options, lambda: project).written

    with ThreadPoolExecutor(10) as pool:
        rated, imported = pool.map(rate, range(4)), pool.map(bring_in, range(3))
        copied = pool.map(copy, range(4))
        assert list(rated) == [40] * 4
        assert list(imported) == [60] * 3
        assert all(list(copied))
    assert check_project(project).faults == ()
    for number in range(4):
        restored = open_project(work / f"copy-{number}")
        assert check_project(restored).faults == ()
        with restored.read() as connection:
            ratings, taken = (
                connection.execute(f"SELECT {what}").fetchone()[0]
                for what in ("count(*) FROM rating", "sum(taken) FROM task")
            )
        assert ratings == taken, "a copy holds whole answers"


def test_nobody_waits_while_an_import_aligns(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "RATER_SECONDS", 0.0)
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.0)
    work, rater, heard = project.folder.parent, seat(project), list[str]()

    def meanwhile(*_: object) -> None:
        heard.append(answer(project, rater).outcome)

    path = predictions(work, "n", "text")
    report = bring(Kind.PREDICTIONS, path, ImportOptions(system="n"), lambda: project, progress=meanwhile)
    assert (heard, report.written) == (["stored"], 60)
    assert check_project(project).faults == ()


def test_an_import_that_was_overtaken_plans_and_aligns_again(project: Project) -> None:
    work, before = project.folder.parent, project.revision()
    first, second = (predictions(work, name, f"text {name}") for name in ("first", "second"))
    overtaken = list[int]()

    def overtake(*_: object) -> None:
        if not overtaken:
            report = bring(Kind.PREDICTIONS, second, ImportOptions(system="new"), lambda: project)
            overtaken.append(report.revision)

    options = ImportOptions(system="new", replace=True)
    report = bring(Kind.PREDICTIONS, first, options, lambda: project, progress=overtake)
    assert (overtaken, report.revision, report.replaced) == ([before + 1], before + 2, 60)
    with project.read() as connection:
        texts = connection.execute("SELECT predicted FROM prediction ORDER BY prediction_key DESC LIMIT 60").fetchall()
    assert {row[0].partition(" ")[2].partition(" ")[0] for row in texts} == {"first"}
    assert check_project(project).faults == ()


def test_a_backup_taken_later_holds_the_answers_given_before(project: Project, tmp_path: Path) -> None:
    answer(project, seat(project))
    backup_project(project, tmp_path / "kept" / DATABASE)
    assert content(open_project(tmp_path / "kept")) == content(project)


def test_a_migration_leaves_a_reader_its_snapshot(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    with project.read() as reader:
        before = reader.execute("SELECT count(*) FROM migration").fetchone()[0]
        apply_one_more(project, monkeypatch)
        assert reader.execute("SELECT count(*) FROM migration").fetchone()[0] == before
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM migration").fetchone()[0] == before + 1
        assert connection.execute("SELECT count(*) FROM extra_table").fetchone()[0] == 0
    assert answer(project, seat(project)).outcome == "stored", "the process that was open before goes on"


def apply_one_more(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open the project with a version that knows one migration more."""
    extra = project.folder.parent / "migrations"
    extra.mkdir()
    for path in migrate.FOLDER.glob("*.sql"):
        (extra / path.name).write_bytes(path.read_bytes())
    (extra / "9000_extra.sql").write_text("CREATE TABLE extra_table (x INTEGER);\n", encoding="utf-8")
    monkeypatch.setattr(migrate, "FOLDER", extra)
    known_migrations.cache_clear()
    try:
        open_project(project.folder)
    finally:
        monkeypatch.undo()
        known_migrations.cache_clear()


def test_a_migration_while_another_process_writes_is_refused_in_words(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(project)
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.2)
    with project.write() as connection:
        with pytest.raises(StoreError, match=r"busy.*Try again"):
            apply_one_more(project, monkeypatch)
        connection.execute("ROLLBACK")
        connection.execute("BEGIN")
    assert content(project) == before


def test_a_migration_that_fails_changes_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(project)
    monkeypatch.setattr(migrate, "statements", lambda _script: iter(["CREATE TABLE half (x)", "not SQL"]))
    with pytest.raises(sqlite3.OperationalError):
        apply_one_more(project, monkeypatch)
    assert content(project) == before
