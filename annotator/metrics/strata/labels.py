"""Which labels enter the grid, and why the others stay out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

import regex

from annotator.metrics.strata.ngrams import is_counted
from annotator.text.graphemes import split_graphemes
from annotator.text.languages import primary_subtag


class Axes(StrEnum):
    """The two pairs of axes: word rank and trigram novelty, or cluster rarity and pair novelty."""

    WORD = "word"
    CHARACTER = "character"


class Letters(StrEnum):
    """Which letters a label of the word axes may be made of: a to z, or any letter with its marks."""

    ASCII = "ascii"
    UNICODE = "unicode"


class DropReason(StrEnum):
    """Why a label stays out: no text, digits only, letters with digits, another sign, a letter beyond a-z, too short."""

    EMPTY = "empty"
    DIGIT = "digit"
    MIXED = "mixed"
    SPECIAL = "special"
    ACCENTED = "accented"
    SHORT = "short"


_ASCII_LABEL = regex.compile(r"[a-z]+")
_UNICODE_LABEL = regex.compile(r"(?:\p{L}\p{M}*)+")
_WORDS_OR_DIGITS = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_LETTER = regex.compile(r"\p{L}")
_WORD_SCRIPT = regex.compile(r"[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}&&\p{L}]", regex.V1)


def fold_label(text: str) -> str:
    """NFC and case-folded, the form in which labels are ranked."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@lru_cache(maxsize=1 << 17)
def counted_clusters(folded: str) -> tuple[str, ...]:
    """The clusters of a folded text that begin with a letter or a digit."""
    return tuple(cluster for cluster in split_graphemes(folded) if is_counted(cluster))


def drop_reason(folded: str, axes: Axes, letters: Letters) -> DropReason | None:
    """Why a folded label stays out of the grid, `None` when it enters.

    Word axes: `^[a-z]+$` (StratiSTR section 3.2, normalisation) or letters with their marks only. Character axes: at
    least two clusters that begin with a letter or a digit.
    """
    if not folded.strip():
        return DropReason.EMPTY
    if axes is Axes.CHARACTER:
        return None if len(counted_clusters(folded)) >= 2 else DropReason.SHORT
    wanted = _ASCII_LABEL if letters is Letters.ASCII else _UNICODE_LABEL
    if wanted.fullmatch(folded):
        return None
    return _word_reason(folded)


def _word_reason(folded: str) -> DropReason:
    if not _WORDS_OR_DIGITS.fullmatch(folded):
        return DropReason.SPECIAL
    if not _LETTER.search(folded):
        return DropReason.DIGIT
    if _UNICODE_LABEL.fullmatch(folded):
        return DropReason.ACCENTED
    return DropReason.MIXED


def choose_axes(labels: Iterable[str]) -> Axes:
    """Word axes where at least half of the letters of the labels are Latin, Greek or Cyrillic (or there is none)."""
    text = "".join(labels)
    letters = len(_LETTER.findall(text))
    of_word_scripts = len(_WORD_SCRIPT.findall(text))
    return Axes.CHARACTER if letters > 2 * of_word_scripts else Axes.WORD


def choose_letters(language: str) -> Letters:
    """`ascii` for English or no language, else `unicode`. `language` is a BCP 47 tag."""
    base = primary_subtag(language)
    return Letters.ASCII if base in ("", "en") else Letters.UNICODE
