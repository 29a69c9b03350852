"""Find items, and see one whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.items import list_items, show_item
from annotator.errors import UsageError
from annotator.metrics.outcomes import Outcome
from annotator.records import ItemFilter, Query
from annotator.store.project import Project
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [
        {"id": "a", "gold": "catt", "standard": "cat", "attributes": {"place": "shop"}},
        {"id": "b", "gold": "dogs", "attributes": {"place": "road"}},
        {"id": "c", "gold": "রাজনীতি"},
    ]
    answers = {"one": {"a": "cat", "b": "dogs", "c": "রাজনিতি"}, "two": {"a": "catt", "b": "bogz"}}
    return build_project(tmp_path, items, answers)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (ItemFilter(), ["a", "b", "c"]),
        (ItemFilter(text="DOG"), ["b"]),
        (ItemFilter(text="^c.t+$", regex=True, where="gold"), ["a"]),
        (ItemFilter(text="bog", where="predicted"), ["b"]),
        (ItemFilter(text="bog", where="predicted", run="one"), []),
        (ItemFilter(show="wrong", run="one"), ["a", "c"]),
        (ItemFilter(show="right", run="one"), ["b"]),
        (ItemFilter(show="missing", run="two"), ["c"]),
        (ItemFilter(show="differ"), ["a", "b"]),
        (ItemFilter(attributes=(("place", "road"),)), ["b"]),
        (ItemFilter(ids=("c", "a")), ["a", "c"]),
        (ItemFilter(error_class="visual-misread"), ["a", "b"]),
        (ItemFilter(error_class="vowel-sign", run="one"), ["c"]),
        (ItemFilter(error_class="vowel-sign", run="two"), []),
        (ItemFilter(sort="edits", run="two"), ["b", "a", "c"]),
        (ItemFilter(sort="difference", run="one", other="two"), ["a", "c", "b"]),
    ],
)
def test_filters_and_orders(project: Project, wanted: ItemFilter, ids: list[str]) -> None:
    page = list_items(project, Query(), wanted)
    assert [row.item.id for row in page.rows] == ids
    assert page.total == len(ids) == len(page.keys)


def test_a_page_of_a_list(project: Project) -> None:
    page = list_items(project, Query(), ItemFilter(), offset=1, limit=1)
    assert (page.total, [row.item.id for row in page.rows]) == (3, ["b"])
    glance = page.rows[0].answers[1]
    assert (glance.predicted, glance.exact, glance.edits, glance.gold_length) == ("bogz", False, 2, 4)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (ItemFilter(text="(", regex=True), "does not compile"),
        (ItemFilter(sort="luck"), "expected import, id"),
        (ItemFilter(show="luck"), "expected all, wrong"),
        (ItemFilter(error_class="luck"), "expected one of truncation"),
        (ItemFilter(text="x", where="luck"), "expected any, id"),
        (ItemFilter(show="wrong", run="none"), "expected one of: one, two"),
    ],
)
def test_bad_filters_say_what_is_expected(project: Project, wanted: ItemFilter, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        list_items(project, Query(), wanted)


def test_one_item_whole(project: Project) -> None:
    detail = show_item(project, Query(), "a")
    assert [a.outcome for a in detail.answers] == [Outcome.CANONICAL, Outcome.LITERAL]
    assert [a.exact for a in detail.answers] == [False, True]
    assert [a.classes for a in detail.answers] == [("visual-misread",), ()]
    assert detail.standard_alignment is not None
    assert [e.op for e in detail.standard_alignment.edits] == ["ins"]
    assert detail.item.attributes == {"place": "shop"}
    with pytest.raises(UsageError, match="no item has the id 'z'"):
        show_item(project, Query(), "z")
