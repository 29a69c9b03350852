from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.strata.axes import axis_pair
from annotator.metrics.strata.labels import Axes
from annotator.metrics.strata.modes import ErrorMode, find_mode, overlap_share
from annotator.metrics.strata.reference import ReferenceCorpus
from tests.metrics.strata.corpora import signs

WORDS = {"vehicles": 90.0, "experience": 80.0, "betrieb": 2.0, "trie": 5.0, "inks": 1.0}


@pytest.mark.parametrize(
    ("gold", "predicted", "mode"),
    [
        ("gastronomy", "", ErrorMode.ABSTAIN),
        ("gastronomy", "gastro", ErrorMode.ABSTAIN),
        ("gastronomy", "gastron", ErrorMode.CHAR_NOISE),
        ("gastronomy", "nomy", ErrorMode.ABSTAIN),
        ("gastronomy", "stro", ErrorMode.ABSTAIN),
        ("veichles", "vehicles", ErrorMode.LEXICAL_SNAP),
        ("vehicles", "veichles", ErrorMode.CHAR_NOISE),
        ("gastronomy", "inkhen", ErrorMode.WHOLE_WORD),
        ("zbetrieb", "ybetrieb", ErrorMode.CHAR_NOISE),
        ("bxtrieb", "bztrieb", ErrorMode.CHAR_NOISE),
        ("betriebs", "betriebe", ErrorMode.CHAR_NOISE),
        ("bextrie", "betrie", ErrorMode.CHAR_EDIT),
        ("boerien", "experience", ErrorMode.LEXICAL_SNAP),
    ],
)
def test_modes_of_wrong_predictions(gold: str, predicted: str, mode: ErrorMode) -> None:
    corpus = ReferenceCorpus.from_counts("modes", WORDS)
    assert find_mode(gold, predicted, corpus.words, axis_pair(Axes.WORD, corpus)).mode == mode


def test_the_rule_is_told_in_words() -> None:
    corpus = ReferenceCorpus.from_counts("modes", WORDS)
    verdict = find_mode("veichles", "vehicles", corpus.words, axis_pair(Axes.WORD, corpus))
    assert verdict.rule == "a word of the reference with rank 1, gold is not a word of it; overlap 1.00"


def test_only_abstaining_does_not_commit() -> None:
    assert [mode for mode in ErrorMode if not mode.commits] == [ErrorMode.ABSTAIN]


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_overlap_is_symmetric_and_within_bounds(a: str, b: str) -> None:
    assert overlap_share(a, b) == overlap_share(b, a)
    assert 0.0 <= overlap_share(a, b) <= 1.0
    assert (overlap_share(a, b) == 1.0) == (sorted(a) == sorted(b))


@given(st.text("then", min_size=1, max_size=8), st.text("thenx", max_size=8), st.sampled_from(list(Axes)))
def test_every_wrong_prediction_gets_one_mode_with_its_rule(gold: str, predicted: str, axes: Axes) -> None:
    corpus = signs()
    assert find_mode(gold, predicted, corpus.words, axis_pair(axes, corpus)).rule


@given(st.text("abcde", max_size=60), st.text("abcde", max_size=60))
def test_overlap_of_short_and_long_texts_is_that_of_multisets(a: str, b: str) -> None:
    shared = (Counter(a) & Counter(b)).total()
    assert overlap_share(a, b) == (shared / max(len(a), len(b)) if a or b else 1.0)
