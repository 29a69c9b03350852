"""Marked edits as symbols."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.models.marking import CLOSE, LENGTH, OPEN, PAD, SEPARATOR, encode, mark_line, soft_label
from annotator.text.align import align_texts
from annotator.text.graphemes import split_graphemes

texts = st.text(alphabet="abcকিষ্ ", max_size=12)


@pytest.mark.parametrize(
    ("gold", "predicted", "gold_parts", "predicted_parts"),
    [
        ("left", "lift", ("l", "e", "ft"), ("l", "i", "ft")),
        ("left", "lft", ("l", "e", "ft"), ("l", "", "ft")),
        ("lft", "left", ("l", "", "ft"), ("l", "e", "ft")),
        ("a", "", ("", "a", ""), ("", "", "")),
        ("", "a", ("", "", ""), ("", "a", "")),
        ("ab", "b", ("", "a", "b"), ("", "", "b")),
    ],
)
def test_cuts(
    gold: str, predicted: str, gold_parts: tuple[str, str, str], predicted_parts: tuple[str, str, str]
) -> None:
    (marked,) = mark_line(gold, predicted, align_texts(gold, predicted).edits)
    assert (marked.gold, marked.predicted) == (gold_parts, predicted_parts)


@given(texts, texts)
def test_the_parts_make_the_texts_again(gold: str, predicted: str) -> None:
    edits = align_texts(gold, predicted).edits
    for marked in mark_line(gold, predicted, edits):
        assert split_graphemes("".join(marked.gold)) == split_graphemes(gold)
        assert split_graphemes("".join(marked.predicted)) == split_graphemes(predicted)


def test_rows_have_one_length_and_both_marks() -> None:
    gold, predicted = "x" * 500 + "কি" * 40, "y" + "x" * 499
    rows = encode(mark_line(gold, predicted, align_texts(gold, predicted).edits))
    assert rows.shape[1] == LENGTH
    for row in rows.tolist():
        assert (row.count(OPEN), row.count(CLOSE), row.count(SEPARATOR)) == (2, 2, 1)
        assert row[row.index(PAD) :] == [PAD] * row.count(PAD) if PAD in row else True


@given(st.floats(0, 1))
def test_a_soft_label_has_the_severity_as_its_mean(severity: float) -> None:
    p = soft_label(severity)
    assert sum(p) == pytest.approx(1)
    assert sum(k * v / 4 for k, v in enumerate(p)) == pytest.approx(severity)
