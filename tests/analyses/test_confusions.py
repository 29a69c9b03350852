"""What became what."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.confusions import report_confusions
from annotator.analyses.items import list_items
from annotator.errors import UsageError
from annotator.records import ItemFilter, Query
from annotator.store.project import Project
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [
        {"id": "a", "gold": "oo", "benchmark": "x"},
        {"id": "b", "gold": "so"},
        {"id": "c", "gold": "কি"},
        {"id": "d", "gold": "o", "mark": "gold-wrong"},
    ]
    return build_project(tmp_path, items, {"one": {"a": "00", "b": "s", "c": "কী", "d": "0"}, "two": {"a": "o0"}})


def test_counts_by_hand(project: Project) -> None:
    report = report_confusions(project, Query())
    found = [(r.op, r.gold, r.predicted, r.script, r.count, r.items, r.examples) for r in report.rows]
    assert found == [
        ("sub", "o", "0", "Latin", 3, 1, ("a",)),
        ("del", "o", "", "Latin", 1, 1, ("b",)),
        ("sub", "কি", "কী", "Bengali", 1, 1, ("c",)),
    ]
    assert (report.edits, report.kinds, report.rows[0].share) == (5, 3, 0.6)
    assert report_confusions(project, Query(keep_wrong_gold=True)).rows[0].count == 4


def test_filters(project: Project) -> None:
    assert [r.op for r in report_confusions(project, Query(), op="del").rows] == ["del"]
    assert [r.gold for r in report_confusions(project, Query(), script="bengali").rows] == ["কি"]
    assert [r.count for r in report_confusions(project, Query(systems=("two",))).rows] == [1]
    assert [r.count for r in report_confusions(project, Query(benchmark="x")).rows] == [3]
    with pytest.raises(UsageError, match="expected sub, del or ins"):
        report_confusions(project, Query(), op="swap")
    with pytest.raises(UsageError, match="profile raw"):
        report_confusions(project, Query(profile="full"))


def test_a_confusion_opens_its_items(project: Project) -> None:
    page = list_items(project, Query(), ItemFilter(edit=("sub", "o", "0")))
    assert [row.item.id for row in page.rows] == ["a"]
    page = list_items(project, Query(), ItemFilter(edit=("del", "o", ""), run="two"))
    assert page.total == 0
