from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.strata.ngrams import count_ngrams, distinct_ngrams, lay_out
from annotator.metrics.strata.tables import RankTable
from tests.metrics.strata.corpora import SIGNS, clusters_of, textbook_ngrams

scripts = [
    "abA9-",
    "কষ্ত\u09be\u09c7\u09d7য\u09bc",
    "한\u1112\u1161\u11ab",
    "a\u0301\u0308e",
    "👩\u200d👧🏽🇧🇩x",
    "\U000f0000\U0010fffda",
]
words = st.one_of([st.text(alphabet, min_size=1, max_size=7) for alphabet in scripts])
lists = st.dictionaries(words, st.integers(1, 9).map(float), max_size=8)


def as_counts(table: RankTable) -> dict[str, float]:
    return dict(zip(table.names, table.counts.tolist(), strict=True))


@given(lists, st.integers(1, 3), st.booleans())
def test_counts_equal_the_definition_one_occurrence_at_a_time(counts: dict[str, float], size: int, once: bool) -> None:
    table = count_ngrams(lay_out(tuple(counts)), np.array(list(counts.values())), size, once_per_word=once)
    assert as_counts(table) == textbook_ngrams(counts, size, once)


def test_an_ngram_counts_at_each_of_its_occurrences_but_once_per_word_when_asked() -> None:
    layout, counts = lay_out(tuple(SIGNS)), np.array(list(SIGNS.values()))
    assert count_ngrams(layout, counts, 3).count("ana") == 14.0
    assert count_ngrams(layout, counts, 2, once_per_word=True).count("an") == 7.0


def test_words_do_not_run_into_each_other() -> None:
    table = count_ngrams(lay_out(("ab", "cd")), np.ones(2), 2)
    assert set(table.names) == {"ab", "cd"}


def test_only_clusters_that_begin_with_a_letter_or_digit_are_kept_and_close_up() -> None:
    layout = lay_out(("a-b", "c 9")).keep_letters_and_digits()
    assert set(count_ngrams(layout, np.ones(2), 2).names) == {"ab", "c9"}


@pytest.mark.parametrize("given_words", [(), ("a",)])
def test_lists_too_small_for_a_trigram_have_none(given_words: tuple[str, ...]) -> None:
    assert len(count_ngrams(lay_out(given_words), np.ones(len(given_words)), 3)) == 0


def test_distinct_ngrams_come_in_order_of_first_occurrence() -> None:
    assert list(distinct_ngrams(clusters_of("banana"), 3)) == ["ban", "ana", "nan"]
