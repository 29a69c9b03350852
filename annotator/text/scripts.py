"""Letters, digits and marks by Unicode category; scripts and reading direction."""

from __future__ import annotations

import unicodedata
from collections import Counter
from enum import StrEnum
from functools import lru_cache

import regex

from annotator.text.graphemes import nfc

COMMON = "Common"
# Scripts that a mark or a letter is looked for in, the frequent ones first; names as in Unicode's Scripts.txt.
_NAMES = """
    Latin Common Inherited Bengali Han Arabic Cyrillic Devanagari Greek Hiragana Katakana Hangul Hebrew Thai Tamil
    Telugu Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Lao Tibetan Myanmar Georgian Armenian Ethiopic Khmer
    Mongolian Bopomofo Syriac Thaana Nko Cherokee Canadian_Aboriginal Ogham Runic Tagalog Hanunoo Buhid Tagbanwa Limbu
    Tai_Le New_Tai_Lue Buginese Tai_Tham Balinese Sundanese Batak Lepcha Ol_Chiki Vai Yi Lisu Bamum Syloti_Nagri
    Phags_Pa Saurashtra Kayah_Li Rejang Javanese Cham Tai_Viet Meetei_Mayek Coptic Glagolitic Tifinagh Gothic
    Old_Italic Deseret Shavian Osmanya Osage Adlam Chakma Kaithi Sharada Tirhuta Siddham Modi Newa Takri Khojki
    Khudawadi Grantha Warang_Citi Brahmi Cuneiform Egyptian_Hieroglyphs Linear_B Phoenician Avestan Kharoshthi
    Samaritan Mandaic Braille Nushu Tangut Wancho Nyiakeng_Puachue_Hmong Pahawh_Hmong Miao Mro
"""
SCRIPTS: tuple[str, ...] = tuple(_NAMES.split())
_SCRIPT = regex.compile("|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in SCRIPTS))


class Direction(StrEnum):
    """Reading direction of a text, as the HTML `dir` attribute spells it."""

    LTR = "ltr"
    RTL = "rtl"


def is_letter(ch: str) -> bool:
    """Whether the code point is a letter (category L)."""
    return unicodedata.category(ch)[0] == "L"


def is_digit(ch: str) -> bool:
    """Whether the code point is a digit in the wide sense (category N): ① and Ⅱ too."""
    return unicodedata.category(ch)[0] == "N"


def is_mark(ch: str) -> bool:
    """Whether the code point is a combining mark (category M)."""
    return unicodedata.category(ch)[0] == "M"


def starts_with_letter(cluster: str) -> bool:
    """Whether a cluster begins with a letter; false for the empty text."""
    return bool(cluster) and is_letter(cluster[0])


def starts_with_letter_or_digit(cluster: str) -> bool:
    """Whether a cluster begins with a letter or a digit; false for the empty text."""
    return bool(cluster) and unicodedata.category(cluster[0])[0] in "LN"


@lru_cache(1 << 14)
def script_of(cluster: str) -> str:
    """Return the script of a cluster's first code point that has one of its own, as Unicode names it (`Bengali`).

    `Common` for white space, punctuation, symbols, ASCII digits, the empty text and scripts that are not in `SCRIPTS`.
    A mark that is shared between scripts takes the script of the rest of its cluster.
    """
    for ch in nfc(cluster):
        match = _SCRIPT.match(ch)
        name = str(match.lastgroup) if match else COMMON
        if name not in (COMMON, "Inherited"):
            return name
    return COMMON


def script_counts(text: str) -> Counter[str]:
    """Count the letters (category L) of the NFC text by script, in the order in which scripts first appear."""
    return Counter(script_of(ch) for ch in nfc(text) if is_letter(ch))


def dominant_script(text: str) -> str | None:
    """Return the script of most letters of `text`; of equals the first to appear; `None` when there is no letter."""
    counts = script_counts(text)
    return max(counts, key=counts.__getitem__) if counts else None


def mostly_in(text: str, *scripts: str) -> bool:
    """Whether more than half of the letters of `text` are in `scripts`; false when there is no letter."""
    counts = script_counts(text)
    return 2 * sum(counts[name] for name in scripts) > counts.total()


def direction(text: str) -> Direction:
    """Return the direction of the first strong character (Unicode bidirectional algorithm, P2 and P3), else `ltr`."""
    for ch in text:
        strong = unicodedata.bidirectional(ch)
        if strong in ("R", "AL"):
            return Direction.RTL
        if strong == "L":
            return Direction.LTR
    return Direction.LTR
