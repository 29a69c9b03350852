"""Gold marked wrong, corrected, and put back."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.dataset import load_dataset
from annotator.analyses.items import show_item
from annotator.errors import UsageError
from annotator.ingest.corrections import correct_item, mark_item, undo
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [{"id": "a", "gold": "cat"}, {"id": "b", "gold": "dog"}]
    return build_project(tmp_path, items, {"one": {"a": "cot", "b": "dog"}})


def edits(project: Project) -> list[int]:
    return [int(e) for e in load_dataset(project, Query()).runs[0].edits]


def stored_edits(project: Project) -> int:
    with project.read() as connection:
        return int(connection.execute("SELECT count(*) FROM edit").fetchone()[0])


def test_a_marked_item_leaves_every_rate_and_comes_back(project: Project) -> None:
    before = project.revision()
    done = mark_item(project, "a", "gold-wrong")
    data = load_dataset(project, Query())
    assert (data.items.ids, data.left_out.gold_wrong, data.revision) == (("b",), 1, before + 1)
    undo(project, done.history_keys[0])
    assert load_dataset(project, Query()).items.ids == ("a", "b")


def test_a_corrected_gold_is_realigned_and_undone(project: Project) -> None:
    assert (edits(project), stored_edits(project)) == ([1, 0], 1)
    done = correct_item(project, "a", "cot", source="rater-03")
    assert (done.realigned, edits(project), stored_edits(project)) == (1, [0, 0], 0)
    history = show_item(project, Query(), "a").history
    assert [(h.field, h.old, h.new, h.source, h.undone) for h in history] == [("gold", "cat", "cot", "rater-03", False)]
    undo(project, done.history_keys[0])
    assert (edits(project), stored_edits(project)) == ([1, 0], 1)
    assert show_item(project, Query(), "a").history[0].undone


def test_undo_goes_from_the_latest_back(project: Project) -> None:
    first, second = correct_item(project, "a", "cot"), correct_item(project, "a", "coat")
    with pytest.raises(UsageError, match="undo that one first"):
        undo(project, first.history_keys[0])
    undo(project, second.history_keys[0])
    undo(project, first.history_keys[0])
    assert show_item(project, Query(), "a").item.gold == "cat"
    with pytest.raises(UsageError, match="undone already"):
        undo(project, first.history_keys[0])


def test_bad_input_changes_nothing(project: Project) -> None:
    before = project.revision()
    with pytest.raises(UsageError, match="no item has the id"):
        mark_item(project, "z", "gold-wrong")
    with pytest.raises(UsageError, match="expected gold-wrong"):
        mark_item(project, "a", "bad")
    with pytest.raises(UsageError, match="lone surrogate"):
        correct_item(project, "a", "\ud800")
    assert project.revision() == before


def test_the_same_value_changes_no_history(project: Project) -> None:
    assert correct_item(project, "a", "cat").history_keys == ()
    assert show_item(project, Query(), "a").history == ()
