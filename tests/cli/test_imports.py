"""Imports and exports on the command line: exit status, one JSON document, nothing written when refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from annotator.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(arg) for arg in args])
    shown = capsys.readouterr()
    code = ended.value.code
    return (code if isinstance(code, int) else 0), shown.out, shown.err


def document(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.csv"
    path.write_text("id,gold\na,one\nb,two\n", encoding="utf-8")
    return path


def test_import_makes_a_project_and_reports(capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path) -> None:
    code, out, err = run(capsys, "import", "items", items, "--json", "--project", tmp_path / "p")
    found = document(out)
    assert (code, err) == (0, "")
    assert {
        key: found[key] for key in ("read", "written", "unchanged", "missing", "extra", "duplicates", "problems")
    } == {
        "read": 2,
        "written": 2,
        "unchanged": 0,
        "missing": 0,
        "extra": 0,
        "duplicates": 0,
        "problems": [],
    }


def test_a_refused_file_makes_no_project(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("id,words\na,one\n", encoding="utf-8")
    code, out, err = run(capsys, "import", "items", path, "--json", "--project", tmp_path / "p")
    (problem,) = document(out)["problems"]
    assert (code, problem["line"], "no column for gold" in problem["found"]) == (2, 1, True)
    assert err.startswith("error: bad.csv: refused, nothing was imported (1 problem)")
    assert "Traceback" not in err
    assert not (tmp_path / "p").exists()


def test_a_dry_run_makes_no_project(capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "import", "items", items, "--dry-run", "--project", tmp_path / "p")
    assert (code, "would write 2" in out) == (0, True)
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("import", "items", "none.csv"), "no such file"),
        (("import", "items", "{items}", "--encoding", "klingon"), "not a known text encoding"),
        (("import", "items", "{items}", "--map", "gold"), "expected field=column"),
        (("import", "items", "{items}", "--as", "magic"), "magic"),
        (("import", "predictions", "{items}", "--map", "predicted=gold"), "--map system=COLUMN"),
        (("export", "items"), "no project at"),
        (("export", "cell", "9-9"), "unknown cell"),
        (("system", "delete", "x"), "no project at"),
    ],
)
def test_bad_usage_ends_with_status_2(
    capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path, args: tuple[str, ...], words: str
) -> None:
    filled = [arg.format(items=items) for arg in args]
    code, _, err = run(capsys, *filled, "--project", tmp_path / "p")
    assert (code, words in err) == (2, True)
    assert "Traceback" not in err


def test_out_and_in_again(capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path) -> None:
    project = tmp_path / "p"
    run(capsys, "import", "items", items, "--project", project)
    said = tmp_path / "said.csv"
    said.write_text("id,text\na,0ne\n", encoding="utf-8")
    _, out, _ = run(capsys, "import", "predictions", said, "--system", "s", "--json", "--project", project)
    assert (document(out)["missing"], document(out)["first_missing"]) == (1, ["b"])
    for kind, rows in (("items", 2), ("predictions", 1), ("edits", 1)):
        target = tmp_path / f"{kind}.csv"
        code, out, _ = run(capsys, "export", kind, "--out", target, "--json", "--project", project)
        assert (code, document(out)["rows"]) == (0, rows)
        meta = json.loads((tmp_path / f"{kind}.csv.meta.json").read_text(encoding="utf-8"))
        assert (meta["rows"], meta["project_revision"]) == (rows, 2)
    _, out, _ = run(capsys, "import", "predictions", tmp_path / "predictions.csv", "--json", "--project", project)
    assert (document(out)["written"], document(out)["unchanged"]) == (0, 1)


def test_check_realign_backup_undo(capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path) -> None:
    project = tmp_path / "p"
    run(capsys, "import", "items", items, "--project", project)
    code, out, _ = run(capsys, "check", "--json", "--project", project)
    assert (code, document(out)["problems"]) == (0, [])
    code, out, _ = run(capsys, "realign", "--json", "--project", project)
    assert (code, document(out)["rows"]) == (0, 0)
    code, out, _ = run(capsys, "backup", tmp_path / "b.db", "--json", "--project", project)
    assert (code, document(out)["bytes"]) == (0, (tmp_path / "b.db").stat().st_size)
    code, out, _ = run(capsys, "project", "undo", "--json", "--project", project)
    assert (code, document(out)["rows"]) == (0, 2)


def test_a_folder_given_as_a_dot_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "signs"
    folder.mkdir()
    Image.new("RGB", (8, 8)).save(folder / "one.png")
    monkeypatch.chdir(folder)
    code, out, _ = run(capsys, "import", "items", ".", "--no-gold", "--json", "--project", tmp_path / "p")
    assert (code, document(out)["file"], document(out)["written"]) == (0, "signs", 1)


def test_ids_that_only_lost_their_zeros_are_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "items.csv").write_text("id,gold\n007,one\n008,two\n", encoding="utf-8")
    (tmp_path / "answers.csv").write_text("id,predicted\n7,one\n8,two\n", encoding="utf-8")
    run(capsys, "import", "items", tmp_path / "items.csv", "--project", tmp_path / "p")
    code, _, err = run(
        capsys, "import", "predictions", tmp_path / "answers.csv", "--system", "s", "--project", tmp_path / "p"
    )
    assert code == 2
    assert (
        "found 0 of 2 ids known to the project; expected ids of the project's items; all 2 differ from an item's id "
        "only by leading zeros (7 here, 007 there): --join leading-zeros joins them"
    ) in err


def test_an_export_with_more_columns_comes_back_as_attributes(
    capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path
) -> None:
    run(capsys, "import", "items", items, "--project", tmp_path / "p")
    (tmp_path / "more.csv").write_text("id,gold,colour\na,changed,red\n", encoding="utf-8")
    code, out, _ = run(capsys, "import", "attributes", tmp_path / "more.csv", "--json", "--project", tmp_path / "p")
    assert (code, document(out)["written"]) == (0, 1)
    assert document(out)["notes"] == ["gold of the items stay as they are (import items --replace changes them)"]
    run(capsys, "export", "items", "--out", tmp_path / "out.csv", "--project", tmp_path / "p")
    head, first, _ = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert (head.split(",")[1], head.split(",")[-1]) == ("gold", "colour")
    assert (first.split(",")[1], first.split(",")[-1]) == ("one", "red")


def test_merge_and_undo_say_how_many_rows_changed(
    capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path
) -> None:
    (tmp_path / "answers.csv").write_text("id,predicted,system\na,one,s\nb,two,s\n", encoding="utf-8")
    for name in ("p", "q"):
        run(capsys, "import", "items", items, "--project", tmp_path / name)
    run(capsys, "import", "predictions", tmp_path / "answers.csv", "--project", tmp_path / "q")
    code, out, _ = run(capsys, "project", "merge", tmp_path / "q", "--json", "--project", tmp_path / "p")
    assert (code, document(out)["rows"], document(out)["written"]) == (0, 2, 2)
    for rows in (2, 2):
        code, out, _ = run(capsys, "project", "undo", "--json", "--project", tmp_path / "p")
        assert (code, document(out)["rows"]) == (0, rows)
    code, _, err = run(capsys, "project", "undo", "--project", tmp_path / "p")
    assert code == 2
    assert "no import can be undone; expected one of: none" in err


def test_an_unknown_way_to_join_is_refused(capsys: pytest.CaptureFixture[str], items: Path, tmp_path: Path) -> None:
    code, _, err = run(capsys, "import", "items", items, "--join", "magic", "--project", tmp_path / "p")
    assert code == 2
    assert "--join magic: expected one of leading-zeros" in err
