"""`report confusions`: the table shows ids as text, the document as a list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.cli.main import main


def shown(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    with pytest.raises(SystemExit) as ended:
        main([str(arg) for arg in args])
    assert not ended.value.code
    return capsys.readouterr().out


def test_ids_of_the_examples_are_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(
        "id,gold,predicted,system\n007,cat,cut,s\nline 2,bat,but,s\nc,dog,dog,s\n", encoding="utf-8"
    )
    project = tmp_path / "p"
    shown(capsys, "import", "pairs", tmp_path / "pairs.csv", "--project", project)
    table = shown(capsys, "report", "confusions", "--project", project).splitlines()
    assert table[0].split() == ["op", "gold", "predicted", "script", "count", "items", "share", "examples"]
    assert table[2].split(maxsplit=7) == ["sub", "a", "u", "Latin", "2", "2", "1.0000", "007, line 2"]
    (row,) = json.loads(shown(capsys, "report", "confusions", "--json", "--project", project))["rows"]
    assert (row["op"], row["gold"], row["predicted"], row["examples"]) == ("sub", "a", "u", ["007", "line 2"])
