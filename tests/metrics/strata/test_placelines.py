"""Placing many labels at once gives what placing them one by one gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.strata.axes import axis_pair
from annotator.metrics.strata.labels import Axes, DropReason, Letters, drop_reason, fold_label
from annotator.metrics.strata.placelines import place_labels
from annotator.metrics.strata.reference import ReferenceCorpus
from tests.text.strategies import texts

HAN = {"中国": 100.0, "中人": 10.0, "人": 1000.0, "国家": 1.0, "কলকাতা": 7.0, "e\u0301té": 3.0}


@pytest.mark.parametrize("axes", Axes)
@given(st.lists(st.one_of(st.text("中国人家龘 1.।", max_size=8), texts), max_size=6))
def test_many_at_once_as_one_by_one(axes: Axes, labels: list[str]) -> None:
    corpus = ReferenceCorpus.from_counts("han", HAN)
    folded = list(dict.fromkeys(fold_label(label) for label in labels))
    expected = {
        label: drop_reason(label, axes, Letters.UNICODE) or axis_pair(axes, corpus).place(label) for label in folded
    }
    assert place_labels(folded, axis_pair(axes, corpus), Letters.UNICODE) == expected


def test_the_first_of_equal_pairs_decides_and_short_lines_stay_out() -> None:
    placed = place_labels(
        ["中龘龘中", "中", " ", "龘·中"],
        axis_pair(Axes.CHARACTER, ReferenceCorpus.from_counts("han", HAN)),
        Letters.UNICODE,
    )
    first, last = placed["中龘龘中"], placed["龘·中"]
    assert not isinstance(first, DropReason)
    assert not isinstance(last, DropReason)
    assert (first.word_unit, first.ngram, last.ngram) == ("龘", "龘龘", "龘中")
    assert (placed["中"], placed[" "]) == (DropReason.SHORT, DropReason.EMPTY)


def test_no_labels() -> None:
    assert place_labels([], axis_pair(Axes.CHARACTER, ReferenceCorpus.from_counts("han", HAN)), Letters.UNICODE) == {}
