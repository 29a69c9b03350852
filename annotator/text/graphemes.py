"""Units of text: extended grapheme clusters (UAX 29) of the NFC text, or its code points."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

import regex

from annotator.errors import UsageError

_CLUSTER = regex.compile(r"\X")
# Every code point below U+0300 is a cluster of its own, except CR LF (UAX 29, GB3): nothing there extends or joins.
_JOINABLE = re.compile(r"[^\x00-\u02ff]|\r\n")
_SURROGATE = regex.compile(r"[\ud800-\udfff]")


class Unit(StrEnum):
    """What an alignment counts: `grapheme` (the default everywhere) or `codepoint` (for papers that count those)."""

    GRAPHEME = "grapheme"
    CODEPOINT = "codepoint"


def nfc(text: str) -> str:
    """Return `text` in Unicode normal form C. ZWJ, ZWNJ and white space stay as they are."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def has_lone_surrogate(text: str) -> bool:
    """Whether `text` holds a code point U+D800..U+DFFF, which no encoding can write: not text, refused at the border."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def split_graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of the NFC form of `text`; `[]` for the empty text.

    Joining the clusters gives the NFC text back. Source: UAX 29 as the `regex` package has it (`\\X`).
    """
    return _split_composed(nfc(text))


def _split_composed(text: str) -> list[str]:
    if _JOINABLE.search(text) is None:
        return list(text)
    clusters: list[str] = _CLUSTER.findall(text)
    return clusters


def split_units(text: str, unit: str = Unit.GRAPHEME, *, composed: bool = False) -> list[str]:
    """Return the units of the NFC form of `text`: clusters (`grapheme`) or code points (`codepoint`).

    `composed=True` says that `text` is NFC already, as every profile leaves it. Raises UsageError for any other unit.
    """
    if not composed:
        text = nfc(text)
    if unit == Unit.GRAPHEME:
        return _split_composed(text)
    if unit == Unit.CODEPOINT:
        return list(text)
    known = ", ".join(Unit)
    raise UsageError(f"unit: found {unit!r}; expected one of {known}. Choose one of these with --unit.")
