"""Laws of the classifier, on texts built from small alphabets so that every rule is reached."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.taxonomy import AUTO, ErrorClass, ErrorEvent, classify_errors, script_names
from tests.text.strategies import pairs, texts

_WORDS = """
    পাখি পাখী চাঁদ চাদ বাড়ি বারি ড\u09bcাল শক্তি শকতি উজ্জ্বল উজ্জল বই মেলা বইমেলা ১২ ১৩ 12 — ! বই! “বই” ক
    café cafe\u0301 CAFE पानी पानि 北京 北京大学 مدرسة
"""
WORDS = st.sampled_from(_WORDS.split())
SENTENCES = st.lists(WORDS, max_size=6).map(" ".join)
BENGALI = st.text("কখনণতরড\u09bc\u09dcিীঁ্ ১২", max_size=16)
SCRIPTS = st.sampled_from(script_names())


def any_pair() -> st.SearchStrategy[tuple[str, str]]:
    return st.one_of(st.tuples(SENTENCES, SENTENCES), st.tuples(BENGALI, BENGALI), pairs)


@given(st.one_of(SENTENCES, texts), SCRIPTS)
def test_equal_texts_give_no_event(text: str, script: str) -> None:
    assert classify_errors(text, text, script) == []


@given(any_pair(), SCRIPTS)
def test_the_same_pair_gives_the_same_well_formed_events(pair: tuple[str, str], script: str) -> None:
    events = classify_errors(*pair, script)
    assert events == classify_errors(*pair, script)
    assert bool(events) == (pair[0].split() != pair[1].split())
    for event in events:
        assert isinstance(event.error_class, ErrorClass)
        assert event.rule
        assert event.gold != event.predicted
    assert [event.stage for event in events] in ([1], [2] * len(events))


def test_classes_are_exactly_the_fifteen() -> None:
    assert len(ErrorClass) == 15


@given(any_pair(), SCRIPTS, st.sampled_from(["  ", "\t", " \n ", "\u00a0"]))
def test_wider_white_space_changes_no_event(pair: tuple[str, str], script: str, wide: str) -> None:
    gold, predicted = (" ".join(text.split()) for text in pair)
    widened = [text.replace(" ", wide) for text in (gold, predicted)]
    assert classify_errors(*widened, script) == classify_errors(gold, predicted, script)


@given(any_pair(), SCRIPTS)
def test_nfd_on_both_sides_changes_no_event_of_another_class(pair: tuple[str, str], script: str) -> None:
    decomposed = [unicodedata.normalize("NFD", text) for text in pair]
    assert _others(classify_errors(*decomposed, script)) == _others(classify_errors(*pair, script))


@given(st.one_of(SENTENCES, texts), st.one_of(SENTENCES, texts), SCRIPTS)
def test_equal_after_nfc_and_different_before_is_exactly_one_event(a: str, b: str, script: str) -> None:
    gold, predicted = f"{a} \u09dc {b}", unicodedata.normalize("NFD", f"{a} \u09dc {b}")
    found = classify_errors(gold, predicted, script)
    assert [event.error_class for event in found] == [ErrorClass.UNICODE_NORMALIZATION]


@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, max_size=5))
def test_words_of_the_events_are_words_of_the_texts_in_order(gold: list[str], predicted: list[str]) -> None:
    events = [event for event in classify_errors(" ".join(gold), " ".join(predicted), AUTO) if event.stage == 2]
    for side, words in (("gold", gold), ("predicted", predicted)):
        named = unicodedata.normalize("NFC", " ".join(filter(None, (getattr(event, side) for event in events)))).split()
        remaining = iter(unicodedata.normalize("NFC", " ".join(words)).split())
        assert all(word in remaining for word in named)


@pytest.mark.parametrize("text", ["مرحبا بكم", "שלום עולם", "東京都庁", "ভাষা", "👩‍👩‍👧 ok", "\u202eabc", "\u0301"])
@pytest.mark.parametrize("other", ["", "x", "ভাষা ভাষা", "東京", "مرحبا", "\u200d", "۱۲"])
def test_no_writing_system_crashes(text: str, other: str) -> None:
    for script in script_names():
        assert classify_errors(text, other, script) or text == other
        assert classify_errors(other, text, script) or text == other


def _others(events: list[ErrorEvent]) -> list[ErrorEvent]:
    return [event for event in events if event.error_class is not ErrorClass.UNICODE_NORMALIZATION]
