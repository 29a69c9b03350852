"""The marked edit of a task: the cluster on both sides, or a caret where a side has nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.store.study_records import EditMark
from annotator.text.align import align_texts
from components.rating_view import marked_texts, storage_slot

CARET = "|"


def plain(marked: str) -> str:
    """The text with its caret as a bar and its marked cluster in brackets."""
    marked = re.sub(r'<span class="v-gap-at"[^>]*><i aria-hidden="true"></i></span>', CARET, marked)
    marked = re.sub(r'<span class="ge-\w+">(.*?)</span>', r"[\1]", marked)
    return re.sub(r"<[^>]+>", "", marked)


def marks(gold: str, predicted: str) -> list[tuple[str, str]]:
    """Every edit of a pair as it is marked, in order."""
    found = []
    for edit in align_texts(gold, predicted).edits:
        mark = EditMark(str(edit.op), edit.gold_index, edit.predicted_index, edit.gold, edit.predicted)
        left, right = marked_texts(gold, predicted, mark, "en")
        found.append((plain(left), plain(right)))
    return found


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("abc", "axc", [("a[b]c", "a[x]c")]),
        ("abc", "ac", [("a[b]c", "a|c")]),
        ("abc", "bc", [("[a]bc", "|bc")]),
        ("abc", "ab", [("ab[c]", "ab|")]),
        ("abc", "c", [("[a]bc", "|c"), ("a[b]c", "|c")]),  # both stand before the first cluster
        ("abcd", "ad", [("a[b]cd", "a|d"), ("ab[c]d", "a|d")]),
        ("abc", "abxc", [("ab|c", "ab[x]c")]),
        ("", "a", [("|", "[a]")]),
        ("a", "", [("[a]", "|")]),
    ],
)
def test_the_caret_stands_where_the_cluster_is_missing(
    gold: str, predicted: str, expected: list[tuple[str, str]]
) -> None:
    assert marks(gold, predicted) == expected


@settings(max_examples=150)
@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_putting_every_missing_cluster_at_its_caret_and_taking_out_the_added_ones_gives_gold(
    gold: str, predicted: str
) -> None:
    places = marks(gold, predicted)
    built = list(predicted)
    for left, right in reversed(places):  # from the end, so that earlier places stay where they are
        marked = re.search(r"\[(.)\]", left)
        at = right.index(CARET) if CARET in right else right.index("[")
        built[at : at + (CARET not in right)] = marked.group(1) if marked else ""
    assert "".join(built) == gold


def test_the_storage_name_does_not_open_the_link() -> None:
    assert storage_slot("token") == storage_slot("token")
    assert "token" not in storage_slot("token")
    assert storage_slot("token") != storage_slot("other")
