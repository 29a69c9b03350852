"""Small reference corpora and slow textbook tables for the tests."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping

import regex

from annotator.metrics.strata.reference import ReferenceCorpus

SIGNS = {"the": 50.0, "then": 20.0, "hen": 10.0, "banana": 7.0, "he": 5.0, "vehicles": 3.0, "a": 2.0}


def signs() -> ReferenceCorpus:
    return ReferenceCorpus.from_counts("signs", SIGNS)


def clusters_of(text: str) -> list[str]:
    found: list[str] = regex.findall(r"\X", unicodedata.normalize("NFC", text))
    return found


def textbook_ngrams(words: Mapping[str, float], size: int, once: bool = False) -> dict[str, float]:
    """N-gram counts by the definition, one occurrence at a time."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        clusters = clusters_of(word)
        grams = ["".join(clusters[i : i + size]) for i in range(len(clusters) - size + 1)]
        for gram in set(grams) if once else grams:
            counts[gram] += count  # type: ignore[assignment]
    return dict(counts)


def textbook_rank(counts: Mapping[str, float], name: str) -> int:
    """1 + how many names have a larger count; last + 1 for an absent name."""
    if name not in counts:
        return len(counts) + 1
    return 1 + sum(count > counts[name] for count in counts.values())
