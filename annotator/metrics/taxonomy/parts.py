"""Parts of a text that the rules look at: folded text, comparison keys, punctuation, letter clusters."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache

from annotator.metrics.taxonomy.scripts import ScriptTable, dominant_scripts
from annotator.text.graphemes import nfc, split_graphemes

_BARS = frozenset("|¦")  # typed for a danda
_SHORT = 512
_JOINERS = frozenset("\u200c\u200d")


@dataclass(frozen=True)
class Side:
    """One text of a pair. `written` has its white space folded, `text` is its NFC, `key` is `text` without case."""

    written: str
    text: str
    key: str

    @cached_property
    def length(self) -> int:
        """The number of grapheme clusters."""
        return len(split_graphemes(self.text))

    @cached_property
    def scripts(self) -> tuple[str, ...]:
        """The writing systems with the most letters (`dominant_scripts`)."""
        return dominant_scripts(self.text)

    @cached_property
    def letters(self) -> list[str]:
        """The grapheme clusters, case folded, that hold a letter (Unicode category L)."""
        return [c for c in split_graphemes(self.key) if c[0].isalpha() or any(map(str.isalpha, c))]


def side(text: str) -> Side:
    """Prepare one text: runs of white space to one space, ends stripped; then NFC; then case folded for comparing."""
    written = " ".join(text.split())
    normal = nfc(written)
    return Side(written, normal, fold_case(normal))


def gold_side(text: str) -> Side:
    """`side`, remembered for short texts: several systems answer the same gold one after another."""
    return _remembered(text) if len(text) <= _SHORT else side(text)


_remembered = lru_cache(maxsize=1 << 13)(side)


def fold_case(text: str) -> str:
    """Case folded, in NFC. Scripts without case stay as they are."""
    return nfc(text.casefold())


@lru_cache(maxsize=1 << 12)
def is_punctuation(ch: str) -> bool:
    """Punctuation (P), a free-standing accent that stands for a quote (Sk), or a bar."""
    category = unicodedata.category(ch)
    return category[0] == "P" or category == "Sk" or ch in _BARS


def without_punctuation(word: str, table: ScriptTable) -> str:
    """`word` without punctuation and without invisible format characters.

    A joiner beside a conjunct sign stays: it chooses the shape that a reader sees.
    """
    if word.isalnum():
        return word
    return "".join(ch for i, ch in enumerate(word) if not is_punctuation(ch) and not _is_invisible(word, i, table))


def _is_invisible(word: str, i: int, table: ScriptTable) -> bool:
    if unicodedata.category(word[i]) != "Cf":
        return False
    near = word[max(i - 1, 0) : i] + word[i + 1 : i + 2]
    return word[i] not in _JOINERS or not any(ch in table.conjunct_signs for ch in near)


def is_digit(ch: str, table: ScriptTable) -> bool:
    """A decimal digit of any script, or one that the table names."""
    return ch.isdecimal() or ch in table.digits


def shared(gold: list[str] | str, predicted: list[str] | str) -> int:
    """The size of the multiset intersection of two lists of units."""
    left: dict[str, int] = {}
    for unit in gold:
        left[unit] = left.get(unit, 0) + 1
    both = 0
    for unit in predicted:
        n = left.get(unit, 0)
        if n:
            left[unit] = n - 1
            both += 1
    return both
