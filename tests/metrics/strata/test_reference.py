from __future__ import annotations

import pytest

from annotator.errors import UsageError
from annotator.metrics.strata.packing import pack_character_tables, pack_word_tables, pack_words, unpack_table
from annotator.metrics.strata.reference import ReferenceCorpus, load_wordfreq
from tests.metrics.strata.corpora import SIGNS, signs


def test_words_rank_by_count() -> None:
    words = signs().words
    assert [words.rank(word) for word in ("the", "then", "absent")] == [1, 2, len(SIGNS) + 1]


def test_running_text_is_counted_folded() -> None:
    corpus = ReferenceCorpus.from_text("plain", "The hen, the HEN. Don't!  চাই 42")
    assert dict(zip(corpus.words.names, corpus.words.counts.tolist(), strict=True)) == {
        "the": 2, "hen": 2, "don't": 1, "চাই": 1, "42": 1,
    }  # fmt: skip


def test_a_list_without_counts_ranks_by_order_and_counts_each_word_once() -> None:
    corpus = ReferenceCorpus.from_order("list", ["then", "hen", "then", "the"])
    assert [corpus.words.rank(word) for word in ("then", "hen", "the")] == [1, 2, 3]
    assert corpus.word_tables.trigrams.count("hen") == 2.0
    assert not corpus.counted


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({}, "found no words"),
        ({"a": 0.0}, "'a'"),
        ({"a": float("nan")}, "'a'"),
        ({"": 1.0}, "''"),
        ({"a\nb": 1.0}, "line breaks"),
    ],
)
def test_unusable_lists_are_refused(counts: dict[str, float], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        ReferenceCorpus.from_counts("bad", counts)


def test_a_language_that_wordfreq_lacks_is_named_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"wordfreq-qq.*import reference"):
        load_wordfreq("qq")


def test_regions_of_a_language_share_its_list() -> None:
    assert load_wordfreq("vi-VN").name == "wordfreq-vi"


def test_character_tables_fold_and_join_over_punctuation() -> None:
    tables = ReferenceCorpus.from_counts("mixed", {"A-b": 2.0, "ab": 1.0}).character_tables
    assert tables.clusters.count("a") == 3.0
    assert tables.pairs.count("ab") == 3.0


@pytest.mark.parametrize("corpus", [signs(), ReferenceCorpus.from_order("list", ["b", "a", "ক্ষ্ম", "👩‍👧"])])
def test_packed_tables_come_back_equal(corpus: ReferenceCorpus) -> None:
    pairs = [(pack_words(corpus), corpus.words)]
    tables = corpus.word_tables
    pairs += zip(pack_word_tables(tables), (tables.trigrams, *tables.contained), strict=True)
    characters = corpus.character_tables
    pairs += zip(pack_character_tables(characters), (characters.clusters, characters.pairs), strict=True)
    for packed, table in pairs:
        back = unpack_table(packed)
        assert back.names == table.names
        assert back.counts.tolist() == table.counts.tolist()
        assert back.ranks.tolist() == table.ranks.tolist()
