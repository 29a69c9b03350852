"""Built-in severities: rules that follow the rubric with a word list. Offline, deterministic, and they say they are rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from annotator.metrics.severity.classes import EditClass, classify_edit
from annotator.metrics.severity.formats import is_well_formed
from annotator.text.align import Edit
from annotator.text.graphemes import split_graphemes

RUBRIC_VERSION = "1"
WORD_ZIPF = 2.0
"""From this Zipf frequency on (1 in 10 million words) a string counts as a word: longer lists hold many typing errors."""

_NO_SPACES = frozenset({"zh", "ja", "th", "lo", "km", "my"})
_REMEMBERED = 1 << 12
_LONGEST_WORD = 24


@dataclass(frozen=True, slots=True, eq=False)
class WordList:
    """Zipf frequencies of case-folded words from `WORD_ZIPF` on. `letters` are the clusters that common words use."""

    language: str
    words: Mapping[str, float]
    letters: tuple[str, ...]

    def zipf(self, text: str) -> float:
        """The word's Zipf frequency, 0 for a string that is no word here."""
        return self.words.get(text, 0.0)

    def is_word(self, text: str) -> bool:
        return text in self.words


@dataclass(frozen=True, slots=True)
class Rating:
    """A level 0-4 with the rule that gave it, in words."""

    level: int
    rule: str


@dataclass(frozen=True, slots=True)
class EditInContext:
    """An edit, the gold word that it falls in, that word with all of its edits, and the edit's place (cluster) in it."""

    edit: Edit
    before: str
    after: str
    place: int


def rate_edit(context: EditInContext, words: WordList | None) -> Rating:
    """The rubric level of one edit, by the first rule that fires (design chapter 7; rubric of semCER, Table 1).

    `words is None`: the language has no word list; letter edits are then charged level 2, and the rule says why.
    """
    edit = context.edit
    kind = classify_edit(edit.gold, edit.predicted)
    before, after = context.before, context.after
    has_digits = _has_digit(before) or _has_digit(after)
    if kind in (EditClass.SPACE, EditClass.CASE):
        return Rating(0, f"{kind.value}: surface only")
    if _variant(edit.gold) == _variant(edit.predicted):
        return Rating(0, "glyph variant: surface only")
    if kind is EditClass.PUNCTUATION and not (has_digits and _inside_number(before, after)):
        return Rating(0, "punctuation or symbol: surface only")
    if has_digits:
        return _rate_number(after)
    if words is None:
        return Rating(2, "no word list for this language: a letter edit is charged level 2")
    if words.language in _NO_SPACES:
        return _rate_unspaced(context, words)
    return _rate_word(before, after, words)


# What follows looks at whole words: one answer for all edits of a word, or an output that runs on for thousands of
# characters inside one word would be read once for each of them.


@lru_cache(_REMEMBERED)
def _rate_number(after: str) -> Rating:
    if is_well_formed(after):
        return Rating(4, f"{_quoted(after)} is a well-formed number, date or code: nothing shows the error")
    return Rating(3, f"{_quoted(after)} breaks the format of a number, date or code: seen, not recoverable")


@lru_cache(_REMEMBERED)
def _rate_word(gold_word: str, predicted_word: str, words: WordList) -> Rating:
    before, after = bare_word(gold_word), bare_word(predicted_word)
    known = words.is_word(before)
    if after and words.is_word(after):
        return _rate_real_word(gold_word, before, after, words, known)
    if not known and _is_name(gold_word) and _is_name(predicted_word):
        return Rating(4, f"{_quoted(gold_word)} is a name or code outside the word list and turns into another such")
    if not known:
        return Rating(3, f"neither {_quoted(after)} nor the gold word is in the word list: seen, not recoverable")
    if _one_edit_apart(before, after):
        best = max(near_words(after, words), key=lambda word: (words.zipf(word), word), default=before)
        if best == before:
            return Rating(1, f"{_quoted(after)} is not a word, and {_quoted(before)} is its likeliest near word")
        return Rating(2, f"{_quoted(after)} is not a word, and {_quoted(best)} is likelier than the gold word")
    return Rating(3, f"{_quoted(after)} is not a word, and the gold word is more than one edit away")


def _rate_real_word(gold_word: str, before: str, after: str, words: WordList, known: bool) -> Rating:
    if not known:
        level = 4 if _is_name(gold_word) else 3
        return Rating(
            level, f"{_quoted(after)} is a word, the gold word is not in the list: the familiar word replaced it"
        )
    if words.zipf(after) >= words.zipf(before):
        return Rating(3, f"{_quoted(after)} is a word, at least as frequent as the gold word")
    return Rating(2, f"{_quoted(after)} is a valid word, rarer than the gold word: a reader may notice")


def _rate_unspaced(context: EditInContext, words: WordList) -> Rating:
    """Scripts without spaces: look for a listed word of two or more clusters that covers the edited place."""
    units = _units(context.after)
    if _covered(units, min(context.place, max(len(units) - 1, 0)), words):
        return Rating(3, "the output reads as a listed word at the edited place")
    return Rating(2, "no listed word covers the edited place in the output: a reader may notice")


@lru_cache(_REMEMBERED)
def _units(text: str) -> tuple[str, ...]:
    return tuple(split_graphemes(text))


def _covered(units: tuple[str, ...], place: int, words: WordList) -> bool:
    for length in (4, 3, 2):
        for start in range(max(0, place - length + 1), min(place, len(units) - length) + 1):
            if words.is_word("".join(units[start : start + length])):
                return True
    return False


def near_words(text: str, words: WordList) -> frozenset[str]:
    """Words of the list one cluster edit (substitution, deletion, insertion, swap of neighbours) away from `text`."""
    return _near(text, words) if len(text) <= _LONGEST_WORD else frozenset()


@lru_cache(1 << 14)
def _near(text: str, words: WordList) -> frozenset[str]:
    known = words.words
    return frozenset(word for word in _neighbours(split_graphemes(text), words.letters) if word in known)


def _neighbours(units: list[str], letters: tuple[str, ...]) -> Iterator[str]:
    for at in range(len(units) + 1):
        left, right, rest = "".join(units[:at]), "".join(units[at:]), "".join(units[at + 1 :])
        yield from [left + letter + right for letter in letters]
        if at < len(units):
            yield from [left + letter + rest for letter in letters]
            yield left + rest
        if at + 1 < len(units):
            yield left + units[at + 1] + units[at] + "".join(units[at + 2 :])


def _one_edit_apart(before: str, after: str) -> bool:
    return OSA.distance(split_graphemes(before), split_graphemes(after), score_cutoff=1) <= 1


def bare_word(word: str) -> str:
    """The word folded, without punctuation and symbols at its ends."""
    return word.casefold().strip("".join(ch for ch in set(word.casefold()) if unicodedata.category(ch)[0] in "PSZ"))


def _variant(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join("'" if ch in "‘’ʼ`´′" else '"' if ch in "“”„″" else "-" if ch in "‐‑–—−" else ch for ch in folded)


@lru_cache(_REMEMBERED)
def _inside_number(before: str, after: str) -> bool:
    """The sign stands between digits (1,000 or 12.50), where it changes the number."""
    return bare_word(before) != bare_word(after) and any(
        left.isdigit() and right.isdigit()
        for text in (before, after)
        for left, right in zip(text, text[2:], strict=False)
    )


def _is_name(word: str) -> bool:
    return any(ch.isupper() for ch in word)


@lru_cache(_REMEMBERED)
def _has_digit(text: str) -> bool:
    return any(ch.isdigit() for ch in text)


def _quoted(word: str) -> str:
    return f"“{word}”"
