"""Check, realign, backup, copy, merge, undo and delete."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from annotator.errors import FileError, UsageError
from annotator.ingest.history import delete_system, list_imports, undo_imports
from annotator.ingest.items import import_items
from annotator.ingest.merge import merge_predictions
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictions import import_predictions
from annotator.ingest.upkeep import backup_project, check_project, copy_project, realign_project
from annotator.store.project import Project, open_project

TABLES = ("item", "prediction", "prediction_detail", "edit", "run", "system")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = open_project(tmp_path / "project", create=True)
    Image.new("RGB", (4, 4)).save(tmp_path / "x.png")
    items(project, "id,gold,image\na,one,x.png\nb,two,x.png\n")
    predictions(project, "id,text,conf\na,0ne,0.5\nb,two,0.5\n", "s")
    return project


def items(project: Project, text: str, **options: Any) -> None:
    path = project.folder.parent / "items.csv"
    path.write_text(text, encoding="utf-8")
    import_items(project, path, ImportOptions(**options))


def predictions(project: Project, text: str, system: str, **options: Any) -> None:
    path = project.folder.parent / f"{system}.csv"
    path.write_text(text, encoding="utf-8")
    import_predictions(project, path, ImportOptions(system=system, **options))


def contents(project: Project) -> dict[str, list[tuple[Any, ...]]]:
    """Every row, without keys of imports and revisions."""
    found = {}
    with project.read() as connection:
        for table in TABLES:
            rows = connection.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            kept = [k for k, name in enumerate(names) if name not in ("import_key", "changed_revision")]
            found[table] = sorted((tuple(row[k] for k in kept) for row in rows), key=repr)
    return found


def test_a_sound_project_has_no_faults(project: Project) -> None:
    assert check_project(project).faults == ()
    assert realign_project(project).realigned == 0
    assert project.revision() == 2


def test_stale_and_broken_alignments_are_found_and_repaired(project: Project) -> None:
    before = contents(project)
    with project.write(raises_revision=False) as connection:
        connection.execute("UPDATE prediction SET alignment_version = 'old' WHERE prediction_key = 2")
        connection.execute("DELETE FROM edit")
    assert [(fault.kind, fault.count) for fault in check_project(project).faults] == [
        ("stale-alignment", 1),
        ("broken-alignment", 1),
    ]
    assert realign_project(project).realigned == 2
    assert contents(project) == before
    assert check_project(project).faults == ()


def test_a_lost_image_is_found(project: Project) -> None:
    (project.folder.parent / "x.png").unlink()
    (fault,) = check_project(project).faults
    assert (fault.kind, fault.count) == ("image", 2)
    assert "item a: not a file here" in fault.words
    assert realign_project(project).images == 2
    health = check_project(project)
    assert (health.faults, health.known_image_problems) == ((), 2)


def test_backup_and_copy_are_whole_projects(project: Project, tmp_path: Path) -> None:
    with project.write() as connection:  # a writer at work does not stop a copy, and is not in it
        connection.execute("INSERT INTO system (name) VALUES ('half-written')")
        assert backup_project(project, tmp_path / "b.db") > 0
        connection.execute("DELETE FROM system WHERE name = 'half-written'")
    restored = sqlite3.connect(tmp_path / "b.db")
    assert restored.execute("SELECT count(*) FROM system").fetchone() == (1,)
    restored.close()
    with pytest.raises(UsageError, match="exists already"):
        backup_project(project, tmp_path / "b.db")
    copied = open_project(copy_project(project, tmp_path / "copy"))
    assert contents(copied) == contents(project)
    with pytest.raises(UsageError, match="holds a project already"):
        copy_project(project, tmp_path / "copy")


def test_undo_of_predictions_takes_their_system_with_it(project: Project) -> None:
    before = contents(project)
    predictions(project, "id,text\na,one\n", "t")
    assert undo_imports(project).rows == 1
    assert contents(project) == before
    assert [row.undone_at is None for row in list_imports(project)] == [False, True, True]


def test_undo_puts_replaced_rows_back(project: Project) -> None:
    before = contents(project)
    predictions(project, "id,text,conf\na,once,0.9\nb,two,0.5\n", "s", replace=True)
    items(project, "id,gold\na,won\n", replace=True)
    assert contents(project) != before
    undo_imports(project)
    undo_imports(project)
    assert contents(project) == before
    assert check_project(project).faults == ()


def test_undo_refuses_while_a_later_import_stands_on_it(project: Project) -> None:
    with pytest.raises(UsageError, match=r"undo revision 2 \(predictions s.csv\) first"):
        undo_imports(project, 1)
    undo_imports(project, 2)
    undo_imports(project, 1)
    assert contents(project)["item"] == []
    with pytest.raises(UsageError, match="no import"):
        undo_imports(project)


def test_a_deleted_system_is_gone(project: Project) -> None:
    predictions(project, "id,text\na,one\n", "t", condition="gray")
    with pytest.raises(UsageError, match="no system 't' under 'default'"):
        delete_system(project, "t", "default")
    assert delete_system(project, "t", "gray").rows == 1
    assert [row[1] for row in contents(project)["system"]] == ["s"]


def test_predictions_of_another_project_are_merged(project: Project, tmp_path: Path) -> None:
    other = open_project(tmp_path / "other" / "project", create=True)
    items(other, "id,gold\na,One\nc,three\n")
    predictions(other, "id,text,score,note\na,One,0.25,n\nc,three,1,\n", "t")
    report = merge_predictions(project, other)
    assert (report.written, report.ids.extra, report.ids.missing) == (1, 1, 1)
    assert [warned.kind for warned in report.warnings] == ["extra", "own-gold-case"]
    assert merge_predictions(project, other).written == 0
    with project.read() as connection:
        row = connection.execute(
            "SELECT predicted, confidence, own_gold, substitutions FROM prediction WHERE run_key = 2"
        )
        assert tuple(row.fetchone()) == ("One", 0.25, "One", 1)
    predictions(other, "id,text\na,Two\n", "t", replace=True)
    with pytest.raises(FileError, match=r"another .*predicted than in the project"):
        merge_predictions(project, other)
