"""Near misses: overlap, whole numbers, negations."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.metrics.severity.nearmiss import is_near_miss, negation_words, negations, overlap, whole_numbers


@pytest.mark.parametrize(
    ("gold", "predicted", "value"),
    [("Café!", "cafe", 1.0), ("abcd", "abce", 0.75), ("", "", 1.0), ("ab", "", 0.0), ("a b, c", "abc", 1.0)],
)
def test_overlap(gold: str, predicted: str, value: float) -> None:
    assert overlap(gold, predicted) == pytest.approx(value)


def test_whole_numbers_are_no_parts_of_words_or_fractions() -> None:
    assert dict(whole_numbers("12 of 2nd, 1,000 or 3.5 and 12")) == {"12": 2}


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [("He does not, and can't", "en", 2), ("nothing noted", "en", 1), ("我不是没有", "zh", 2), ("không có", "vi", 1)],
)
def test_negations(text: str, language: str, count: int) -> None:
    assert negations(text, language, negation_words(language) or ()) == count


def test_a_language_without_a_file_has_none(tmp_path: Path) -> None:
    assert negation_words("xx") is None
    assert negation_words("../en") is None


@pytest.mark.parametrize(
    ("predicted", "near"),
    [
        ("the market is now open", True),
        ("The market is not open.", False),
        ("the market is pot opem", True),
        ("zzz market xxx yyy", False),
    ],
)
def test_near_misses(predicted: str, near: bool) -> None:
    assert is_near_miss("the market is not open", predicted, "en", None) is near


def test_a_lost_negation_is_no_near_miss() -> None:
    assert not is_near_miss("the market is not open", "the market is now open", "en", negation_words("en"))
