"""The classifier: a table of pairs per class and script, the paper's examples, bad input."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from annotator.errors import UsageError
from annotator.metrics.taxonomy import AUTO, ErrorClass, classify_errors, script_names

from .pairs import PAIRS

# Pairs with several events, each as (class, gold, predicted).
SEVERAL = [
    ("“নতুন বই”", '"নতুন বই"', [("unicode-normalization", "“নতুন", '"নতুন'), ("unicode-normalization", "বই”", 'বই"')]),
    ("STOP HERE", "Stop here", [("unicode-normalization", "STOP", "Stop"), ("unicode-normalization", "HERE", "here")]),
    ("চাঁদ ওঠে রাতে", "চাদ ওঠে", [("nasal", "চাঁদ", "চাদ"), ("lexical-substitution", "রাতে", "")]),
    ("বই মেলা শুরু", "বইমেলা আজ শুরু", [("word-boundary", "বই মেলা", "বইমেলা"), ("lexical-substitution", "", "আজ")]),
    ("পাখি ডাকে ১২ বার", "পাখী ডাকে ১৩ বার", [("vowel-sign", "পাখি", "পাখী"), ("numeric", "১২", "১৩")]),
]

BAD_INPUT = [
    ("both empty", "", "", []),
    ("both blank", " \n", "\t", []),
    ("gold empty", "", "কিছু", ["spurious-content"]),
    ("predicted empty", "কিছু", " ", ["truncation"]),
    ("no letters, digits differ", "১২৩", "১২৪", ["numeric"]),
    ("the same number in other digits", "১২৩", "123", ["numeric"]),
    ("no letters in gold", "১২৩ ৪৫৬", "abc def", ["lexical-substitution", "lexical-substitution"]),
    ("no letters in predicted", "নতুন বই", "১২৩ ৪৫", ["lexical-substitution", "lexical-substitution"]),
    ("half and half against one of them", "নতুন abc", "নতুন", ["lexical-substitution"]),
    ("half and half against a third", "কখ ab", "कख कख", ["script-contamination"]),
    ("only punctuation, other glyphs", "!!!", "???", ["unicode-normalization"]),
    ("only punctuation, cut short", "......", ".", ["truncation"]),
    ("letters for punctuation", "!!!", "কখগ", ["lexical-substitution"]),
    ("a look-alike letter for a digit", "১০০", "১০o", ["visual-misread"]),
    ("20,000 clusters after gold", "নতুন বই", "নতুন বই " + "কখ " * 10_000, ["semantic-hallucination"]),
    ("20,000 clusters in one word", "নতুন", "ক" * 20_000, ["lexical-substitution"]),
    ("a word spread over too many spaces", "আ" * 120, " ".join("আ" * 120), ["lexical-substitution"] * 120),
]


@pytest.mark.parametrize(("script", "expected", "gold", "predicted"), PAIRS)
def test_one_event_of_the_class(script: str, expected: str, gold: str, predicted: str) -> None:
    assert [event.error_class for event in classify_errors(gold, predicted, script)] == [expected]
    assert [event.error_class for event in classify_errors(gold, predicted, AUTO)] == [expected]


def test_the_table_holds_every_class_and_every_script() -> None:
    assert {row[1] for row in PAIRS} == set(ErrorClass)
    assert {row[0] for row in PAIRS} == set(script_names()) - {"auto", "common"}


@pytest.mark.parametrize(("gold", "predicted", "expected"), SEVERAL)
def test_one_event_per_misaligned_word(gold: str, predicted: str, expected: list[tuple[str, str, str]]) -> None:
    events = classify_errors(gold, predicted, AUTO)
    assert [(event.error_class, event.gold, event.predicted) for event in events] == expected
    assert {event.stage for event in events} == {2}


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"), [row[1:] for row in BAD_INPUT], ids=[r[0] for r in BAD_INPUT]
)
def test_bad_input_has_a_defined_answer(gold: str, predicted: str, expected: list[str]) -> None:
    assert [event.error_class for event in classify_errors(gold, predicted)] == expected


def test_another_normal_form_is_one_event_that_shows_the_words_as_written() -> None:
    gold = "গাড়ি আজ বাড়ি যায়"
    predicted = unicodedata.normalize("NFD", gold).replace("\u09af\u09bc", "\u09df")
    events = classify_errors(gold.replace("\u09a1\u09bc", "\u09dc"), predicted)
    assert [(event.error_class, event.rule) for event in events] == [("unicode-normalization", "equal after NFC")]
    assert events[0].gold.startswith("গা\u09dcি")
    assert events[0].edits == ()


def test_a_normal_form_beside_another_error_is_an_event_of_its_word() -> None:
    events = classify_errors("বা\u09dc\u09bf পাখি", "বা\u09a1\u09bc\u09bf পাখী")
    assert [event.error_class for event in events] == ["unicode-normalization", "vowel-sign"]


def test_edits_are_in_code_points() -> None:
    event = classify_errors("পাখি ডাকে", "পাখী ডাকে")[0]
    assert [(edit.op, edit.gold_index, edit.gold, edit.predicted) for edit in event.edits] == [("sub", 3, "ি", "ী")]


def test_one_sign_inside_a_conjunct_may_move_with_it() -> None:
    assert [e.error_class for e in classify_errors("ন্যায় চাই", "নেয়ায় চাই")] != ["conjunct"]
    assert [e.error_class for e in classify_errors("স্থানীয় লোক", "সিথুনীয় লোক")] == ["conjunct"]
    assert [e.error_class for e in classify_errors("স্থানীয় লোক", "সিথানিয় লোক")] == ["compound-orthographic"]


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_a_joiner_counts_only_where_it_shapes_a_conjunct(joiner: str) -> None:
    assert [e.error_class for e in classify_errors("শক্তি চাই", f"শক্{joiner}তি চাই")] == ["conjunct"]
    assert [e.error_class for e in classify_errors("কলম আছে", f"কল{joiner}ম আছে")] == ["unicode-normalization"]


def test_a_word_meets_the_one_it_resembles() -> None:
    events = classify_errors("পুরাতন বইয়ের দোকান আছে", "বইয়ের দোকন আছে")
    assert [(e.gold, e.predicted) for e in events] == [("পুরাতন", ""), ("দোকান", "দোকন")]


def test_an_unknown_script_is_refused_with_the_names() -> None:
    with pytest.raises(UsageError, match=r"'klingon'.*auto, arabic, bengali"):
        classify_errors("a", "a", "klingon")


@pytest.mark.shared
@pytest.mark.parametrize("script", ["bengali", AUTO])
def test_examples_of_the_paper(shared_data: Path, script: str) -> None:
    lines = (shared_data / "banglawild" / "examples.tsv").read_text(encoding="utf-8").splitlines()[1:]
    missed = []
    for name, _, gold, predicted in (line.split("\t") for line in lines):
        if name not in {event.error_class for event in classify_errors(gold, predicted, script)}:
            missed.append((name, predicted))
    assert len(lines) == 28
    assert [name for name, _ in missed] == ["semantic-hallucination"], missed
