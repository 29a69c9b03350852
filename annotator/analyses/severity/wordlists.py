"""Word lists by language, from wordfreq; loaded once a process."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

from annotator.metrics.severity.rubric import WordList
from annotator.text.graphemes import split_graphemes

_COMMON_ZIPF = 3.0
_MOST_LETTERS = 120


def primary_language(tag: str, gold: str = "") -> str:
    """`en` of `en-GB`. Without a tag: `en` when most letters of gold are Latin, else "" (unknown)."""
    if tag:
        return tag.replace("_", "-").split("-")[0].casefold()
    letters = [ch for ch in gold if ch.isalpha()]
    return "en" if letters and sum(ch < "\u0250" for ch in letters) * 2 > len(letters) else ""


@lru_cache(8)
def word_list(language: str) -> WordList | None:
    """wordfreq's `best` list of a primary language, or `None` when it has none."""
    import wordfreq

    if language not in wordfreq.available_languages("small"):
        return None
    frequencies = wordfreq.get_frequency_dict(language, wordlist="best")
    return WordList(language, lambda word: _zipf(frequencies.get(word, 0.0)), _letters(frequencies))


def _zipf(frequency: float) -> float:
    return math.log10(frequency) + 9 if frequency > 0 else 0.0


def _letters(frequencies: dict[str, float]) -> tuple[str, ...]:
    """The clusters that common words use, most frequent first, at most 120 (unspaced scripts need none)."""
    counts: Counter[str] = Counter()
    for word, frequency in frequencies.items():
        if _zipf(frequency) < _COMMON_ZIPF:
            break
        counts.update(split_graphemes(word))
    return tuple(cluster for cluster, _ in counts.most_common(_MOST_LETTERS))
