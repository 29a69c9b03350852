"""Units of text."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given

from annotator.errors import UsageError
from annotator.text.graphemes import has_lone_surrogate, nfc, split_graphemes, split_units
from tests.text.strategies import texts

CLUSTERS = [
    ("empty", "", []),
    ("ascii", "cat", ["c", "a", "t"]),
    ("bengali word", "ক্ষমতা", ["ক্ষ", "ম", "তা"]),
    ("composition exclusion", "\u09df", ["\u09af\u09bc"]),
    ("NFD latin is composed", "e\u0301a", ["é", "a"]),
    ("mark that does not compose", "x\u0301y", ["x\u0301", "y"]),
    ("line end is one cluster", "a\r\nb", ["a", "\r\n", "b"]),
    ("line feed, then return", "\n\r", ["\n", "\r"]),
    ("family emoji", "👩\u200d👩\u200d👧!", ["👩\u200d👩\u200d👧", "!"]),
    ("skin tone", "👍🏽", ["👍🏽"]),
    ("flags pair up", "🇧🇩🇮🇳", ["🇧🇩", "🇮🇳"]),
    ("jamo compose", "\u1112\u1161\u11ab", ["한"]),
    ("zero width non-joiner stays", "র\u200c্", ["র\u200c্"]),
]


@pytest.mark.parametrize(("text", "clusters"), [row[1:] for row in CLUSTERS], ids=[row[0] for row in CLUSTERS])
def test_named_clusters(text: str, clusters: list[str]) -> None:
    assert split_graphemes(text) == clusters


@given(texts)
def test_fast_paths_give_what_the_standard_gives(text: str) -> None:
    assert split_graphemes(text) == regex.findall(r"\X", unicodedata.normalize("NFC", text))


@given(texts)
def test_clusters_join_to_the_nfc_text(text: str) -> None:
    assert "".join(split_graphemes(text)) == nfc(text)
    assert "".join(split_units(text, "codepoint")) == nfc(text)


def test_the_two_spellings_of_one_letter_are_the_same_text() -> None:
    assert split_graphemes("\u09df") == split_graphemes("\u09af\u09bc")


def test_codepoint_units() -> None:
    assert split_units("ক্ষ", "codepoint") == ["ক", "্", "ষ"]


def test_unknown_unit_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'letter'; expected one of grapheme, codepoint"):
        split_units("a", "letter")


@pytest.mark.parametrize(("text", "found"), [("a", False), ("é👩", False), ("a\udcff", True), ("\ud83d\ude00", True)])
def test_lone_surrogates(text: str, found: bool) -> None:
    assert has_lone_surrogate(text) is found


@pytest.mark.parametrize(
    "text", ["\u0600 ক", "ক\u0600 \u0600 ক", " \u0301ক \u0301", "ক" * 60 + " ক\u0600" + " x", "  ক  "]
)
def test_spaces_that_join_what_stands_before_or_behind(text: str) -> None:
    assert split_graphemes(text) == regex.findall(r"\X", text)
