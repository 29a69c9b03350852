from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.strata.tables import RankTable, ranks_of_counts
from tests.metrics.strata.corpora import textbook_rank

counted = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(1, 5).map(float), max_size=12)


@given(counted)
def test_ranks_are_one_plus_the_number_of_larger_counts(counts: dict[str, float]) -> None:
    table = RankTable.from_counts(tuple(counts), np.array(list(counts.values())))
    for name in [*counts, "absent"]:
        assert table.rank(name) == textbook_rank(counts, name)
        assert table.count(name) == counts.get(name, 0.0)
        assert table.rank_of_count(counts.get(name, 0.0)) == textbook_rank(counts, name)


def test_ties_share_the_better_rank_and_keep_their_order() -> None:
    table = RankTable.from_counts(("b", "a", "c"), np.array([2.0, 2.0, 9.0]))
    assert table.names == ("c", "b", "a")
    assert table.ranks.tolist() == [1, 2, 2]
    assert ranks_of_counts(np.array([2.0, 9.0, 2.0])).tolist() == [2, 1, 2]


def test_a_count_between_two_names_takes_the_place_after_the_larger_ones() -> None:
    table = RankTable.from_counts(("a", "b"), np.array([9.0, 2.0]))
    assert [table.rank_of_count(count) for count in (10.0, 5.0, 1.0, 0.0)] == [1, 2, 3, 3]


def test_a_list_without_counts_is_ranked_by_its_order() -> None:
    table = RankTable.from_order(("the", "of", "and"))
    assert [table.rank(word) for word in ("the", "of", "and", "zzz")] == [1, 2, 3, 4]


def test_an_empty_table_knows_nothing() -> None:
    table = RankTable.from_counts((), np.zeros(0))
    assert (len(table), table.rank("a"), table.smallest_count) == (0, 1, None)
