from __future__ import annotations

import math

import pytest

from annotator.metrics.strata.axes import axis_pair
from annotator.metrics.strata.labels import Axes
from annotator.metrics.strata.reference import ReferenceCorpus
from tests.metrics.strata.corpora import SIGNS, signs, textbook_ngrams, textbook_rank


def test_a_label_takes_the_worst_of_its_trigrams_and_names_it() -> None:
    trigrams = textbook_ngrams(SIGNS, 3)
    placement = axis_pair(Axes.WORD, signs()).place("thence")
    assert placement.word_rank == len(SIGNS) + 1
    assert placement.ngram_rank == len(trigrams) + 1
    assert placement.ngram == "enc"  # "nce" is unseen too: the first of equals decides
    assert placement.word_value == math.log10(placement.word_rank)
    assert placement.ngram_value == math.log10(placement.ngram_rank)


def test_a_seen_word_ranks_by_its_least_frequent_trigram() -> None:
    trigrams = textbook_ngrams(SIGNS, 3)
    placement = axis_pair(Axes.WORD, signs()).place("then")
    assert (placement.word_rank, placement.ngram) == (2, "hen")
    assert placement.ngram_rank == textbook_rank(trigrams, "hen") == 2


def test_a_short_label_stands_as_its_own_ngram() -> None:
    trigrams = textbook_ngrams(SIGNS, 3)
    pair = axis_pair(Axes.WORD, signs())
    an, unseen = pair.place("an"), pair.place("zq")
    assert (an.short, an.ngram) == (True, "an")
    assert an.ngram_rank == 1 + sum(count > SIGNS["banana"] for count in trigrams.values())
    assert unseen.ngram_rank == len(trigrams) + 1


def test_a_short_label_counts_each_word_that_contains_it_once() -> None:
    corpus = ReferenceCorpus.from_counts("c", {"anan": 4.0, "xyz": 6.0})
    trigrams = {"ana": 4.0, "nan": 4.0, "xyz": 6.0}
    assert axis_pair(Axes.WORD, corpus).place("an").ngram_rank == 1 + sum(c > 4.0 for c in trigrams.values())


HAN = {"中国": 100.0, "中人": 10.0, "人": 1000.0, "国家": 1.0}


@pytest.mark.parametrize(
    ("label", "word", "ngram", "unit", "pair"),
    [
        ("中国", -math.log10(101), -math.log10(100), "国", "中国"),
        ("国家", 0.0, 0.0, "家", "国家"),
        ("人家", 0.0, -math.log10(1) + 1 - math.log10(1010 * 1 / 1010**2), "家", "人家"),
        ("中龘", -math.log10(0.1), 1 - math.log10(110 * 0.1 / 1010**2), "龘", "中龘"),
    ],
)
def test_character_axes_take_the_smallest_counts_and_back_off(
    label: str, word: float, ngram: float, unit: str, pair: str
) -> None:
    placement = axis_pair(Axes.CHARACTER, ReferenceCorpus.from_counts("han", HAN)).place(label)
    assert placement.word_value == pytest.approx(word)
    assert placement.ngram_value == pytest.approx(ngram)
    assert (placement.word_unit, placement.ngram) == (unit, pair)


def test_every_unseen_pair_lies_beyond_every_seen_one() -> None:
    pair = axis_pair(Axes.CHARACTER, ReferenceCorpus.from_counts("han", HAN))
    seen = [pair.novelty(word) for word in ("中国", "中人", "国家")]
    unseen = pair.novelty("人人")
    assert unseen is not None
    assert all(value is not None and value < unseen for value in seen)


def test_texts_without_an_ngram_have_no_novelty() -> None:
    assert axis_pair(Axes.WORD, signs()).novelty("") is None
    assert axis_pair(Axes.CHARACTER, signs()).novelty("a") is None
