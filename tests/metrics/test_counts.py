"""Counts of pairs and their sums."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from annotator.errors import UsageError
from annotator.metrics import counts
from annotator.metrics.counts import Counts, PairScores, score_pair, score_pairs
from annotator.text.align import align_texts
from annotator.text.profiles import PROFILES, apply_profile
from tests.text.strategies import pairs

FLAGS = [
    # gold, predicted, exact, str_exact, charitable
    ("cat", "cat", True, True, True),
    ("Cat", "cat", False, True, True),
    ("cat", "c-a.t!", False, True, True),
    ("cat", "cat and more", False, False, True),
    ("cat", "a cat", False, False, False),
    ("কি", "কী", False, False, False),
    ("e\u0301", "\u00e9", True, True, True),
    ("...", "...", True, True, True),
    ("...", "hello", False, False, False),
    ("...", "!", False, True, True),
    ("cat", "", False, False, False),
]


@pytest.mark.parametrize(("gold", "predicted", "exact", "str_exact", "charitable"), FLAGS)
def test_flags(gold: str, predicted: str, exact: bool, str_exact: bool, charitable: bool) -> None:
    score = score_pair(gold, predicted)
    assert (score.exact, score.str_exact, score.charitable) == (exact, str_exact, charitable)


@pytest.mark.parametrize(
    ("gold", "predicted", "edits", "words"),
    [("a b c", "a c", 1, 3), ("a b", "ab", 2, 2), ("one", "one two", 1, 1), ("a  b", "a b", 0, 2), ("x", "", 1, 1)],
)
def test_words(gold: str, predicted: str, edits: int, words: int) -> None:
    score = score_pair(gold, predicted)
    assert (score.word_edits, score.gold_words) == (edits, words)


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [("", "", 1.0), ("ab", "", 0.0), ("", "ab", 0.0), ("abcd", "abxd", 0.75), ("a", "abcd", 0.25)],
)
def test_one_minus_ned(gold: str, predicted: str, expected: float) -> None:
    assert score_pair(gold, predicted).one_minus_ned == expected
    assert score_pairs([gold], [predicted]).one_minus_ned.tolist() == [expected]


@pytest.mark.parametrize(
    ("gold", "profile", "blank"),
    [("", "raw", True), (" \u3000\n", "raw", True), ("!", "raw", False), ("!", "full", True), ("\u00ad", "raw", False)],
)
def test_blank_gold(gold: str, profile: str, blank: bool) -> None:
    score = score_pair(gold, "x", profile)
    assert score.blank_gold is blank
    assert (score.counts.n, score.counts.without_gold) == ((0, 1) if blank else (1, 0))


@given(pairs, st.sampled_from(PROFILES))
def test_a_pair_counts_what_its_alignment_says(pair: tuple[str, str], profile: str) -> None:
    score, alignment = score_pair(*pair, profile), align_texts(*pair, profile=profile)
    for name in ("matches", "substitutions", "deletions", "insertions", "gold_length", "predicted_length"):
        assert getattr(score, name) == getattr(alignment, name)
    gold, predicted = (apply_profile(text, profile) for text in pair)
    assert score.exact == (gold == predicted)
    assert score.word_edits == Levenshtein.distance(gold.split(), predicted.split())
    assert score.charitable or not score.str_exact


@given(st.lists(pairs, max_size=6), st.sampled_from(PROFILES))
def test_many_are_each(rows: list[tuple[str, str]], profile: str) -> None:
    rows = rows + rows[:2]
    scores = score_pairs([gold for gold, _ in rows], [predicted for _, predicted in rows], profile)
    each = [score_pair(*row, profile) for row in rows]
    for field in fields(PairScores):
        assert getattr(scores, field.name).tolist() == [getattr(score, field.name) for score in each]
    assert scores.counts() == sum((score.counts for score in each), Counts())


def test_shapes_and_types() -> None:
    scores = score_pairs(["a", " "], ["b", ""])
    assert len(scores) == 2
    assert {field.name: getattr(scores, field.name).dtype.name for field in fields(PairScores)} == {
        field.name: "bool" if field.type == "Bools" else "int32" for field in fields(PairScores)
    }
    assert len(score_pairs([], [])) == 0
    assert score_pairs([], []).counts() == Counts()


def test_select_takes_masks_and_indices() -> None:
    scores = score_pairs(["a", "bb", "ccc"], ["a", "", "c"])
    assert scores.select(scores.exact).gold_length.tolist() == [1]
    assert scores.select(np.array([2, 2, 0])).edits.tolist() == [2, 2, 0]


def test_memory_of_repeated_pairs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_REMEMBERED_LENGTH", 2)
    monkeypatch.setattr(counts, "_CHUNK", 3)
    golds = ["a", "b", "c", "a", "b"] * 3
    assert score_pairs(golds, ["a"] * 15).exact.tolist() == [gold == "a" for gold in golds]


def test_unequal_lengths_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match=r"longer|shorter"):
        score_pairs(["a"], [])


def test_unknown_profile() -> None:
    with pytest.raises(UsageError, match="expected one of raw"):
        score_pair("a", "b", "nfd")
