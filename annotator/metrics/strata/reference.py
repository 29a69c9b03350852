"""The reference corpus: a word list with counts that rarity and novelty are ranked against."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from annotator.errors import UsageError
from annotator.metrics.strata.ngrams import SymbolText, count_ngrams, lay_out
from annotator.metrics.strata.tables import Floats, RankTable
from annotator.text.languages import primary_subtag

WORDFREQ = "wordfreq-"
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{M}]+)*")


@dataclass(frozen=True)
class WordTables:
    """What the word axes look up: words, trigrams, and the one- and two-cluster strings that words contain."""

    words: RankTable
    trigrams: RankTable
    contained: tuple[RankTable, RankTable]

    def contained_count(self, label: str, clusters: int) -> float:
        """The sum of the counts of the words that contain `label`, a text of one or two clusters."""
        return self.contained[clusters - 1].count(label)


@dataclass(frozen=True)
class CharacterTables:
    """What the character axes look up: clusters and consecutive pairs of clusters, over NFC case-folded words."""

    clusters: RankTable
    pairs: RankTable


@dataclass(frozen=True)
class ReferenceCorpus:
    """Distinct words with counts, most frequent first. Words are used as the list has them.

    `counted` is false for a list without counts, whose order is the rank; each of its words then counts once in the
    n-gram tables. Tables are built when they are first asked for.
    """

    name: str
    words: RankTable
    counted: bool = True

    @classmethod
    def from_counts(cls, name: str, counts: Mapping[str, float]) -> ReferenceCorpus:
        """A corpus from word -> count. Raises `UsageError` when it is empty or a count is not a positive number."""
        values = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
        _check_words(name, counts)
        if not (np.isfinite(values).all() and (values > 0).all()):
            word = next(word for word, count in counts.items() if not (np.isfinite(count) and count > 0))
            raise UsageError(
                f"reference {name}: found the count {counts[word]} for {word!r}; expected a number above 0"
            )
        return cls(name, RankTable.from_counts(tuple(counts), values))

    @classmethod
    def from_order(cls, name: str, words: Iterable[str]) -> ReferenceCorpus:
        """A corpus from a list of words without counts, most frequent first. A repeated word keeps its first place."""
        distinct = tuple(dict.fromkeys(words))
        _check_words(name, distinct)
        return cls(name, RankTable.from_order(distinct), counted=False)

    @classmethod
    def from_text(cls, name: str, text: str) -> ReferenceCorpus:
        """A corpus counted from running text: NFC, case-folded runs of letters, digits and marks, inner apostrophes kept."""
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
        return cls.from_counts(name, Counter(_WORD.findall(folded)))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def word_tables(self) -> WordTables:
        """The tables of the word axes."""
        layout = lay_out(self.words.names)
        return WordTables(
            self.words,
            count_ngrams(layout, self.words.counts, 3),
            (self._contained(layout, 1), self._contained(layout, 2)),
        )

    def _contained(self, layout: SymbolText, size: int) -> RankTable:
        return count_ngrams(layout, self.words.counts, size, once_per_word=True)

    @cached_property
    def character_tables(self) -> CharacterTables:
        """The tables of the character axes."""
        layout = lay_out(_fold_words(self.words.names)).keep_letters_and_digits()
        counts: Floats = self.words.counts
        return CharacterTables(count_ngrams(layout, counts, 1), count_ngrams(layout, counts, 2))


def load_wordfreq(language: str) -> ReferenceCorpus:
    """wordfreq's `best` list of a language, for example `en`, as `wordfreq-en`.

    Raises `UsageError` when wordfreq has no list of that language.
    """
    from wordfreq import available_languages, get_frequency_dict

    base = primary_subtag(language)
    known = available_languages("best")
    if base not in known:
        raise UsageError(
            f"reference {WORDFREQ}{language}: wordfreq has no list of this language; expected one of "
            f"{', '.join(sorted(known))}, or a corpus brought in with `import reference FILE --name NAME`"
        )
    return ReferenceCorpus.from_counts(WORDFREQ + base, get_frequency_dict(base, "best"))


def _fold_words(words: Collection[str]) -> list[str]:
    """NFC and case-folded words. Folding them as one text is several times faster; a line break joins nothing."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", "\n".join(words)).casefold()).split("\n")


def _check_words(name: str, words: Collection[str]) -> None:
    if not words:
        raise UsageError(f"reference {name}: found no words; expected at least one")
    for word in words:
        if not word or "\n" in word:
            raise UsageError(f"reference {name}: found the word {word!r}; expected words without line breaks")
