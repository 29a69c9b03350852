"""Predictions that are staged and moved are those that are written directly."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store.predictions import Answer, NewAnswer, ensure_run, insert_predictions
from annotator.store.project import Project
from annotator.store.staging import move_staged, stage_predictions
from annotator.text.align import align_texts
from tests.builders import build_project

TABLES = ("run", "prediction", "prediction_detail", "edit")
WORDS = ("shop", "open", "coffee")


def answers(runs: tuple[int, int]) -> list[NewAnswer]:
    said = (("shop", "{}"), ("opens", None), ("cofee", '{"a": "b"}'))
    return [
        NewAnswer(run, key, Answer(text, extra=extra), None, align_texts(WORDS[key - 1], text))
        for run in runs
        for key, (text, extra) in enumerate(said, start=1)
    ]


def build(folder: Path) -> Project:
    items = [{"id": word, "gold": word} for word in WORDS]
    return build_project(folder, items, {"old": {"shop": "sh0p"}})


def content(project: Project) -> dict[str, list[tuple[object, ...]]]:
    with project.read() as connection:
        return {
            name: [tuple(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")] for name in TABLES
        }


def test_moved_rows_equal_those_written_directly(tmp_path: Path) -> None:
    direct, moved = build(tmp_path / "direct"), build(tmp_path / "moved")
    with direct.write() as connection:
        runs = ensure_run(connection, "a", "default", 2), ensure_run(connection, "b", "default", 2)
        assert insert_predictions(connection, answers(runs), "v", None) == 6
    with moved.write(before=lambda c: [stage_predictions(c, answers((0, 1)), "v") for _ in "twice"]) as connection:
        found = [ensure_run(connection, name, "default", 2) for name in "ab"]
        assert move_staged(connection, found, None) == 6
    assert content(direct) == content(moved)


def test_what_fails_while_it_is_staged_leaves_nothing(tmp_path: Path) -> None:
    project = build(tmp_path / "project")
    before = content(project)

    def stage(connection: object) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), project.write(before=stage):
        raise AssertionError("the block is not reached")
    assert content(project) == before
