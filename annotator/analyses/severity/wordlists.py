"""Word lists by language, from wordfreq; loaded once a process."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

from annotator.metrics.severity.rubric import WORD_ZIPF, WordList
from annotator.text.graphemes import split_graphemes
from annotator.text.languages import primary_subtag

_COMMON_ZIPF = 3.0
_MOST_LETTERS = 120


def primary_language(tag: str, gold: str = "") -> str:
    """`en` of `en-GB`. Without a tag: `en` when most letters of gold are Latin, else "" (unknown)."""
    if tag:
        return primary_subtag(tag)
    letters = [ch for ch in gold if ch.isalpha()]
    return "en" if letters and sum(ch < "\u0250" for ch in letters) * 2 > len(letters) else ""


@lru_cache(8)
def word_list(language: str) -> WordList | None:
    """wordfreq's `best` list of a primary language, or `None` when it has none."""
    import wordfreq

    if language not in wordfreq.available_languages("small"):
        return None
    frequencies = wordfreq.get_frequency_dict(language, wordlist="best")
    least = 10 ** (WORD_ZIPF - 9)
    words = {word: math.log10(f) + 9 for word, f in frequencies.items() if f >= least}
    return WordList(language, words, _letters(words))


def _letters(words: dict[str, float]) -> tuple[str, ...]:
    """The clusters of common words that make up 99.9 % of their text, most frequent first, at most 120."""
    counts: Counter[str] = Counter()
    for word, zipf in words.items():
        if zipf >= _COMMON_ZIPF:
            counts.update(ch for ch in split_graphemes(word) if not ch.isdigit())
    enough, letters = 0.999 * counts.total(), []
    for cluster, count in counts.most_common(_MOST_LETTERS):
        letters.append(cluster)
        enough -= count
        if enough <= 0:
            break
    return tuple(letters)
