"""Normalisation profiles."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import UsageError
from annotator.text.profiles import PROFILES, apply_profile, apply_profile_to_all
from tests.text.strategies import texts

TABLE = [
    ("raw", "  A\u0301b ", "  \u00c1b "),
    ("raw", "\u09df", "\u09af\u09bc"),
    ("ws", " a\u00a0b\u3000c\t\n", "abc"),
    ("ws", "A-b", "A-b"),
    ("light", "  Straße \u00a0\n X ", "strasse x"),
    ("light", "A.B", "a.b"),
    ("omni2025", "Don't, €5 + 3!", "Dont53"),
    ("omni2025", "কি? হ্যাঁ।", "কিহ্যাঁ"),
    ("omni2025", "a\u200db", "a\u200db"),
    ("omni2025", "a\x00\x1fb\x7f", "a\x00b\x7f"),
    ("full", "Don't, €5!", "dont5"),
    ("full", "ΟΔΟΣ·", "οδοσ"),
    ("str", "Caf\u00e9-12 №Ⅱ①", "café12ⅱ①"),
    ("str", "ক্\u200cষ।", "ক্ষ"),
    ("str", "a_b", "ab"),
    ("str", "\u4f60\u597d，\u4e16\u754c", "\u4f60\u597d\u4e16\u754c"),
    ("str", "...", ""),
]


@pytest.mark.parametrize(("profile", "text", "expected"), TABLE)
def test_named_values(profile: str, text: str, expected: str) -> None:
    assert apply_profile(text, profile) == expected


@given(texts)
def test_results_are_nfc(text: str) -> None:
    for profile in PROFILES:
        result = apply_profile(text, profile)
        assert result == unicodedata.normalize("NFC", result)


@given(texts)
def test_the_ascii_path_agrees_with_the_rule(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    kept = [ch for ch in composed if unicodedata.category(ch)[0] not in "PSZ" and not ch.isspace()]
    assert apply_profile(text, "omni2025") == unicodedata.normalize("NFC", "".join(kept))
    letters = [ch for ch in composed.casefold() if unicodedata.category(ch)[0] in "LNM"]
    assert apply_profile(text, "str") == unicodedata.normalize("NFC", "".join(letters))


@given(texts)
def test_canonically_equal_texts_stay_equal(text: str) -> None:
    for profile in PROFILES:
        assert apply_profile(unicodedata.normalize("NFD", text), profile) == apply_profile(text, profile)


def test_unknown_profile_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'none'; expected one of raw, ws, light, omni2025, full, str"):
        apply_profile("a", "none")


@pytest.mark.parametrize("profile", PROFILES)
@given(st.lists(texts, max_size=6))
def test_many_texts_at_once_as_one_by_one(profile: str, given_texts: list[str]) -> None:
    assert apply_profile_to_all(given_texts, profile) == [apply_profile(text, profile) for text in given_texts]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_line_break_inside_a_text_stays_in_its_text(profile: str) -> None:
    lines = ["a\n\u0301b", "\u0301c", "", "D."]
    assert apply_profile_to_all(lines, profile) == [apply_profile(text, profile) for text in lines]


def test_many_texts_under_an_unknown_profile() -> None:
    with pytest.raises(UsageError, match="expected one of raw"):
        apply_profile_to_all(["a"], "nfd")
