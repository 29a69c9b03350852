"""The working list: filters, marks, explanations, pages without sorting; and outputs that CER and semCER order oppositely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.analyses.severity.checking import (
    check_first,
    edit_order,
    explain_edit,
    mark_edit,
    severities_of,
)
from annotator.analyses.severity.loading import provider_names
from annotator.analyses.severity.opposed import opposed_outputs, opposed_systems
from annotator.errors import UsageError
from annotator.exports.checklist import CHECKLIST_COLUMNS, checklist_table
from annotator.records import Query
from annotator.store.checklist import EDITS_SQL
from annotator.store.project import Project
from tests.builders import build_project

ITEMS = [
    {"id": "time", "gold": "open at 3pm", "language": "en", "benchmark": "signs"},
    {"id": "hello", "gold": "Hello, World!", "language": "en", "benchmark": "lines"},
    {"id": "ciao", "gold": "ciao", "language": "it", "benchmark": "lines"},
    {"id": "wrong", "gold": "at 7", "language": "en", "benchmark": "signs", "mark": "gold-wrong"},
]
ANSWERS = {
    "one": {"time": "open at 8pm", "hello": "Hello, World!", "ciao": "ciao", "wrong": "at 9"},
    "two": {"time": "open at 3pm", "hello": "hello world", "ciao": "cia", "wrong": "at 7"},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return build_project(tmp_path, ITEMS, ANSWERS)


def listed(project: Project, query: Query) -> list[tuple[str, str]]:
    return [(edit.system, edit.item_id) for edit in check_first(project, query, "rubric").edits]


def test_the_list_keeps_to_the_filters(project: Project) -> None:
    assert listed(project, Query())[0] == ("one", "time")
    assert len(listed(project, Query())) == 6
    assert listed(project, Query(benchmark="SIGNS")) == [("one", "time")]
    assert listed(project, Query(language="it")) == [("two", "ciao")]
    assert listed(project, Query(systems=("one",))) == [("one", "time")]
    assert ("one", "wrong") in listed(project, Query(keep_wrong_gold=True))


def test_an_item_with_blank_gold_is_on_no_list(tmp_path: Path) -> None:
    project = build_project(
        tmp_path, [{"id": "a", "gold": "ab"}, {"id": "b", "gold": " "}], {"one": {"a": "ac", "b": "x"}}
    )
    assert [edit.item_id for edit in check_first(project, Query(), "unit").edits] == ["a"]


def test_pages_go_on_where_the_last_ended(project: Project) -> None:
    whole = check_first(project, Query(), "rubric")
    parts = [check_first(project, Query(), "rubric", offset, 2) for offset in (0, 2, 4)]
    assert tuple(edit for part in parts for edit in part.edits) == whole.edits
    assert [c for part in parts for c in part.caught] == pytest.approx(list(whole.caught))


def test_an_order_is_kept_while_edits_are_marked(project: Project) -> None:
    order = edit_order(project, Query(), "rubric")
    assert (np.diff(order.edits.severities) <= 0).all()
    first, second = check_first(project, Query(), "rubric", limit=2, order=order).edits
    mark_edit(project, first.prediction_key, first.ordinal, "done")
    shown = check_first(project, Query(), "rubric", limit=2, order=order)
    assert [edit.state for edit in shown.edits] == ["done", ""]
    hidden = check_first(project, Query(), "rubric", limit=2, hide_done=True, order=order)
    assert (hidden.edits[0], hidden.listed, hidden.marked, hidden.total_edits) == (second, 5, 1, 6)
    assert hidden.caught[0] == shown.caught[1]


def test_a_page_is_read_by_key(project: Project) -> None:
    check_first(project, Query(), "rubric")
    with project.read() as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {EDITS_SQL}", ("[]", 1)).fetchall()
    assert all("SEARCH" in str(row[3]) or "SCAN j" in str(row[3]) or "B-TREE" in str(row[3]) for row in plan)


def test_an_unknown_mark_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="expected done, gold-wrong"):
        mark_edit(project, 1, 0, "later")


def test_an_edit_is_explained_in_words(project: Project) -> None:
    worst = check_first(project, Query(), "rubric").edits[0]
    assert "well-formed number" in explain_edit(worst).rule


def test_severities_of_answers_come_in_the_order_of_their_edits(project: Project) -> None:
    assert severities_of(project, "rubric", [(1, 1)]) == {}
    worst = check_first(project, Query(), "rubric").edits[0]
    assert severities_of(project, "rubric", [(worst.prediction_key, 2)]) == {worst.prediction_key: (1.0, None)}


def test_the_export_holds_the_whole_list(project: Project) -> None:
    table = checklist_table(project, Query(), "rubric")
    rows = [dict(zip(CHECKLIST_COLUMNS, row, strict=True)) for row in table.rows]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert (rows[0]["id"], rows[0]["severity"], rows[-1]["caught"]) == ("time", 1.0, pytest.approx(1.0))
    worst = check_first(project, Query(), "rubric").edits[0]
    mark_edit(project, worst.prediction_key, worst.ordinal, "done")
    hidden = checklist_table(project, Query(), "rubric", hide_done=True)
    assert (len(hidden.rows), hidden.left_out) == (5, {"marked done or gold wrong": 1})


def test_systems_in_opposite_order_and_the_outputs_behind_it(project: Project) -> None:
    """`one` makes one costly edit; `two` makes four cheap ones on other items, and one more."""
    query = Query(language="en")
    (row,) = opposed_systems(project, query, "rubric")
    assert (row.a, row.b, row.n, row.opposite) == ("one", "two", 2, True)
    assert row.cer_a < row.cer_b
    assert row.semcer_a > row.semcer_b
    assert row.outputs_opposite == 0
    assert opposed_outputs(project, query, "rubric", "one", "two") == ()


def test_outputs_in_opposite_order(tmp_path: Path) -> None:
    items = [{"id": "a", "gold": "Born in 1999, here", "language": "en"}]
    project = build_project(tmp_path, items, {"x": {"a": "Born in 1989, here"}, "y": {"a": "born in 1999 Here"}})
    (row,) = opposed_systems(project, Query(), "rubric")
    assert row.outputs_opposite == 1
    (pair,) = opposed_outputs(project, Query(), "rubric", "x", "y")
    assert (pair.cer_a, pair.cer_b) == (pytest.approx(1 / 18), pytest.approx(3 / 18))
    assert (pair.semcer_a, pair.semcer_b) == (pytest.approx(1 / 18), 0.0)


def test_names_hold_what_can_be_asked_for(project: Project) -> None:
    names = provider_names(project)
    assert names[:4] == ("rubric", "unit", "filter-label", "real-word-label")
    assert "type-table:rubric" in names
    assert "mode:unit" not in names
