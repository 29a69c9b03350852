"""Near-miss outputs: mostly right, numbers and negations kept, and yet an error that normalization would keep."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import regex

from annotator.text.align import align_texts
from annotator.text.graphemes import split_graphemes

FOLDER = Path(__file__).resolve().parents[3] / "data" / "negations"
LEAST_OVERLAP = 0.80
_NUMBER = regex.compile(r"(?<![\p{L}\p{N}.,])\p{Nd}+(?![\p{L}\p{N}]|[.,]\p{Nd})")
_UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})


@lru_cache(64)
def negation_words(language: str, folder: Path = FOLDER) -> tuple[str, ...] | None:
    """The negation words of a primary language from `folder`/LANG.txt, `None` when there is no such file."""
    path = folder / f"{language}.txt"
    if not language.isalpha() or not path.is_file():
        return None
    lines = (line.partition("#")[0].strip().casefold() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line)


def is_near_miss(gold: str, predicted: str, language: str, words: Sequence[str] | None) -> bool:
    """The three conditions of a near miss (semCER, section C.2); without `words` negations are not looked at.

    (i) an edit is left under profile `full`; (ii) the overlap is above 0.80; (iii) whole numbers and the count of
    negations are gold's.
    """
    return (
        bool(align_texts(gold, predicted, profile="full").edits)
        and overlap(gold, predicted) > LEAST_OVERLAP
        and whole_numbers(gold) == whole_numbers(predicted)
        and (words is None or negations(gold, language, words) == negations(predicted, language, words))
    )


def overlap(gold: str, predicted: str) -> float:
    """Grapheme multisets: intersection / the larger, after folding case, removing combining marks of NFD, and dropping
    spaces and punctuation. 1 when both are empty."""
    one, two = _letters(gold), _letters(predicted)
    larger = max(one.total(), two.total())
    return (one & two).total() / larger if larger else 1.0


def _letters(text: str) -> Counter[str]:
    bare = "".join(ch for ch in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(ch))
    units = split_graphemes(unicodedata.normalize("NFC", bare))
    return Counter(unit for unit in units if not unit.isspace() and unicodedata.category(unit[0])[0] != "P")


def whole_numbers(text: str) -> Counter[str]:
    """The multiset of whole-number tokens: runs of digits that are no part of a word, a fraction or a grouped number."""
    return Counter(_NUMBER.findall(text))


def negations(text: str, language: str, words: Sequence[str]) -> int:
    """How many negation words a text holds."""
    folded = text.casefold()
    if language in _UNSPACED:
        return sum(folded.count(word) for word in words)
    tokens = regex.findall(r"[\p{L}\p{M}'’]+", folded)
    ends = tuple(word[1:] for word in words if word.startswith("-"))
    whole = {word for word in words if not word.startswith("-")}
    return sum(token in whole or bool(ends and token.endswith(ends)) for token in tokens)
