"""Scores from a stored alignment equal those of aligning again, under every profile."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.aligned import GoldColumn, KnownPairs, score_known_pairs
from annotator.metrics.counts import PairScores, score_pairs
from annotator.text.align import align_texts
from annotator.text.profiles import PROFILES
from tests.text.strategies import pairs


def known(golds: list[str], predictions: list[str]) -> KnownPairs:
    """What the project stores of these pairs."""
    aligned = [align_texts(gold, predicted) for gold, predicted in zip(golds, predictions, strict=True)]
    wrong = [k for k, one in enumerate(aligned) if one.edits]
    edits = [(aligned[k].substitutions, aligned[k].deletions, aligned[k].insertions) for k in wrong]
    return KnownPairs(
        np.arange(len(golds)),
        np.array([one.gold_length for one in aligned], dtype=np.int64),
        np.array(wrong, dtype=np.int64),
        np.array(edits, dtype=np.int64).reshape(-1, 3),
        [predictions[k] for k in wrong],
    )


def assert_equal(found: PairScores, expected: PairScores) -> None:
    for field in fields(PairScores):
        assert getattr(found, field.name).tolist() == getattr(expected, field.name).tolist(), field.name


@pytest.mark.parametrize("profile", PROFILES)
@given(st.lists(pairs, max_size=8))
def test_stored_alignments_score_as_aligning_again(profile: str, given_pairs: list[tuple[str, str]]) -> None:
    golds, predictions = [gold for gold, _ in given_pairs], [predicted for _, predicted in given_pairs]
    found = score_known_pairs(GoldColumn(golds, profile), known(golds, predictions))
    assert_equal(found, score_pairs(golds, predictions, profile))


def test_a_profile_that_changes_one_side_is_aligned_again() -> None:
    golds, predictions = ["A-b", "中国。", "a b c", "same"], ["ab", "中囯", "a c", "same"]
    found = score_known_pairs(GoldColumn(golds, "full"), known(golds, predictions))
    assert_equal(found, score_pairs(golds, predictions, "full"))
    assert found.edits.tolist() == [0, 1, 1, 0]
    assert found.gold_length.tolist() == [2, 2, 3, 4]


def test_pairs_stand_where_their_gold_stands() -> None:
    column = GoldColumn(["x y", "ab"])
    answers = KnownPairs(np.array([1, 0]), np.array([2, 3]), np.array([1]), np.array([[0, 2, 0]]), ["x"])
    found = score_known_pairs(column, answers)
    assert_equal(found, score_pairs(["ab", "x y"], ["ab", "x"]))
