"""Categories, scripts, direction."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text.scripts import (
    Direction,
    direction,
    dominant_script,
    is_digit,
    is_letter,
    is_mark,
    mostly_in,
    script_counts,
    script_of,
    starts_with_letter,
    starts_with_letter_or_digit,
)
from tests.text.strategies import texts


@pytest.mark.parametrize(
    ("ch", "kind"),
    [
        ("a", "letter"),
        ("ক", "letter"),
        ("语", "letter"),
        ("ʰ", "letter"),
        ("7", "digit"),
        ("৭", "digit"),
        ("①", "digit"),
        ("Ⅱ", "digit"),
        ("\u09bf", "mark"),
        ("\u0301", "mark"),
        ("\u20e3", "mark"),
        (" ", ""),
        ("_", ""),
        ("\u200d", ""),
        ("€", ""),
    ],
)
def test_categories(ch: str, kind: str) -> None:
    found = {"letter": is_letter(ch), "digit": is_digit(ch), "mark": is_mark(ch)}
    assert [name for name, holds in found.items() if holds] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("cluster", "script"),
    [
        ("ক্ষি", "Bengali"),
        ("é", "Latin"),
        ("x\u0301", "Latin"),
        ("я", "Cyrillic"),
        ("語", "Han"),
        ("ـ", "Common"),
        ("7", "Common"),
        ("৭", "Bengali"),
        (" ", "Common"),
        ("", "Common"),
        ("\u0301", "Common"),
        ("한", "Hangul"),
        ("ب\u064b", "Arabic"),
        ("👩\u200d👧", "Common"),
        ("か", "Hiragana"),
        ("ß", "Latin"),
        ("क", "Devanagari"),
    ],
)
def test_script_of(cluster: str, script: str) -> None:
    assert script_of(cluster) == script


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Hello, мир", "Latin"),
        ("мир ok", "Cyrillic"),
        ("ab яю", "Latin"),
        ("яю ab", "Cyrillic"),
        ("12 !", None),
        ("", None),
    ],
)
def test_dominant_script(text: str, script: str | None) -> None:
    assert dominant_script(text) == script


def test_mostly_in_needs_more_than_half_of_the_letters() -> None:
    assert mostly_in("abc яю", "Latin")
    assert not mostly_in("ab яю", "Latin")
    assert mostly_in("ab яю", "Latin", "Cyrillic")
    assert not mostly_in("123", "Latin")


@given(texts)
def test_letters_are_counted_once(text: str) -> None:
    letters = sum(map(is_letter, unicodedata.normalize("NFC", text)))
    assert script_counts(text).total() == letters
    assert (dominant_script(text) is None) == (letters == 0)


@given(st.characters())
def test_a_letter_begins_a_cluster_with_a_letter_or_digit(ch: str) -> None:
    assert starts_with_letter(ch) == is_letter(ch)
    assert starts_with_letter_or_digit(ch) == (is_letter(ch) or is_digit(ch))


def test_nothing_begins_with_no_letter() -> None:
    assert not starts_with_letter("")
    assert not starts_with_letter_or_digit("")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", "ltr"), ("كتاب", "rtl"), ("12 שלום", "rtl"), ("(a) שלום", "ltr"), ("123", "ltr"), ("", "ltr")],
)
def test_direction(text: str, expected: str) -> None:
    assert direction(text) is Direction(expected)
