"""Commands on pages name the project on show."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.place import for_project, project_folder


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python -m annotator check", "python -m annotator check --project 'my set'"),
        ("python -m annotator check --project other", "python -m annotator check --project other"),
        ("python -m annotator demo", "python -m annotator demo"),
        ("export X=$(python -m annotator password)", "export X=$(python -m annotator password)"),
        (
            "python -m annotator import items A\npython -m annotator import predictions B",
            "python -m annotator import items A --project 'my set'\n"
            "python -m annotator import predictions B --project 'my set'",
        ),
    ],
)
def test_each_line_names_the_folder_once(command: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERBATIM_PROJECT", "my set")
    assert for_project(command) == expected


def test_the_demo_is_shown_only_without_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERBATIM_PROJECT", raising=False)
    monkeypatch.chdir(tmp_path)
    assert project_folder() == Path("project")
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "verbatim.db").touch()
    assert project_folder() == Path("demo")
    assert for_project("python -m annotator check") == "python -m annotator check --project demo"
