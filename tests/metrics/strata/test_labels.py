from __future__ import annotations

import pytest

from annotator.metrics.strata.labels import (
    Axes,
    DropReason,
    Letters,
    choose_axes,
    choose_letters,
    drop_reason,
    fold_label,
)


@pytest.mark.parametrize(
    ("label", "ascii_reason", "unicode_reason"),
    [
        ("PRIVATE", None, None),
        ("", DropReason.EMPTY, DropReason.EMPTY),
        ("  ", DropReason.EMPTY, DropReason.EMPTY),
        ("1984", DropReason.DIGIT, DropReason.DIGIT),
        ("②", DropReason.DIGIT, DropReason.DIGIT),
        ("A4", DropReason.MIXED, DropReason.MIXED),
        ("don't", DropReason.SPECIAL, DropReason.SPECIAL),
        ("two words", DropReason.SPECIAL, DropReason.SPECIAL),
        ("café", DropReason.ACCENTED, None),
        ("cafe\u0301", DropReason.ACCENTED, None),
        ("STRAßE", None, None),
        ("ভাষা", DropReason.ACCENTED, None),
    ],
)
def test_which_labels_enter_the_word_axes(
    label: str, ascii_reason: DropReason | None, unicode_reason: DropReason | None
) -> None:
    assert drop_reason(fold_label(label), Axes.WORD, Letters.ASCII) == ascii_reason
    assert drop_reason(fold_label(label), Axes.WORD, Letters.UNICODE) == unicode_reason


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("麻", DropReason.SHORT),
        ("麻!", DropReason.SHORT),
        ("欢迎", None),
        ("欢-1", None),
        ("  ", DropReason.EMPTY),
        ("ক্ষ", DropReason.SHORT),
    ],
)
def test_the_character_axes_need_two_letters_or_digits(label: str, reason: DropReason | None) -> None:
    assert drop_reason(fold_label(label), Axes.CHARACTER, Letters.UNICODE) == reason


@pytest.mark.parametrize(
    ("labels", "axes"),
    [
        (["PRIVATE", "улица", "οδός"], Axes.WORD),
        (["欢迎", "a"], Axes.CHARACTER),
        (["欢迎", "ab"], Axes.WORD),
        (["১২৩"], Axes.WORD),
        (["ভাষা"], Axes.CHARACTER),
        ([], Axes.WORD),
    ],
)
def test_the_axes_are_chosen_from_the_letters_of_the_text(labels: list[str], axes: Axes) -> None:
    assert choose_axes(labels) == axes


@pytest.mark.parametrize(
    ("language", "letters"),
    [("", Letters.ASCII), ("en", Letters.ASCII), ("en-GB", Letters.ASCII), ("vi", Letters.UNICODE)],
)
def test_english_or_no_language_takes_a_to_z(language: str, letters: Letters) -> None:
    assert choose_letters(language) == letters
