"""Alignment: hand-worked tables, the slow oracle, and laws."""

from __future__ import annotations

import dataclasses
import unicodedata

import pytest
from hypothesis import given
from rapidfuzz.distance import Levenshtein

from annotator.errors import UsageError
from annotator.text.align import Alignment, align_many, align_texts, align_units, alignment_version
from annotator.text.graphemes import split_graphemes
from tests.text.oracle import textbook_edits
from tests.text.strategies import pairs, texts

Row = tuple[str, int, int, str, str]


def rows(alignment: Alignment) -> list[Row]:
    return [(str(e.op), e.gold_index, e.predicted_index, e.gold, e.predicted) for e in alignment.edits]


TABLE: list[tuple[str, str, str, list[Row]]] = [
    ("equal", "cat", "cat", []),
    ("both empty", "", "", []),
    ("one substitution", "15", "75", [("sub", 0, 0, "1", "7")]),
    ("empty predicted", "ab", "", [("del", 0, 0, "a", ""), ("del", 1, 0, "b", "")]),
    ("empty gold", "", "ab", [("ins", 0, 0, "", "a"), ("ins", 0, 1, "", "b")]),
    ("doubled letter lost: the first goes", "aab", "ab", [("del", 0, 0, "a", "")]),
    ("doubled letter gained: the first is new", "ab", "aab", [("ins", 0, 0, "", "a")]),
    ("deletion after consumed units", "abc", "ac", [("del", 1, 0, "b", "")]),
    ("deletion at the end", "abc", "ab", [("del", 2, 1, "c", "")]),
    ("insertion at the end", "ab", "abc", [("ins", 2, 2, "", "c")]),
    ("common beginning is not peeled off", "aab", "ac", [("del", 0, 0, "a", ""), ("sub", 2, 1, "b", "c")]),
    ("transposition is two substitutions", "ab", "ba", [("sub", 0, 0, "a", "b"), ("sub", 1, 1, "b", "a")]),
    ("bengali vowel sign", "কি", "কী", [("sub", 0, 0, "কি", "কী")]),
    ("bengali conjunct", "ক্ষমতা", "খমতা", [("sub", 0, 0, "ক্ষ", "খ")]),
    ("two spellings of one letter", "\u09df", "\u09af\u09bc", []),
    ("zero width joiner", "র\u200d্য", "র্য", [("sub", 0, 0, "র\u200d্য", "র্য")]),
    ("emoji sequence", "a👩\u200d👧", "a👩", [("sub", 1, 1, "👩\u200d👧", "👩")]),
    ("arabic", "كتاب", "كتب", [("del", 2, 1, "ا", "")]),
    ("white space counts", "a b", "ab", [("del", 1, 0, " ", "")]),
]


@pytest.mark.parametrize(("gold", "predicted", "expected"), [r[1:] for r in TABLE], ids=[r[0] for r in TABLE])
def test_hand_worked(gold: str, predicted: str, expected: list[Row]) -> None:
    assert rows(align_texts(gold, predicted)) == expected


@given(pairs)
def test_edits_equal_the_textbook(pair: tuple[str, str]) -> None:
    gold, predicted = pair
    edits = textbook_edits(split_graphemes(gold), split_graphemes(predicted))
    assert [row[:3] for row in rows(align_texts(gold, predicted))] == edits


@given(pairs)
def test_number_of_edits_is_the_distance(pair: tuple[str, str]) -> None:
    alignment = align_texts(*pair)
    assert alignment.distance == Levenshtein.distance(*(split_graphemes(text) for text in pair))
    assert alignment.distance == alignment.substitutions + alignment.deletions + alignment.insertions
    assert alignment.distance == align_texts(pair[1], pair[0]).distance


@given(pairs)
def test_every_unit_of_both_sides_is_there_once(pair: tuple[str, str]) -> None:
    gold, predicted = (split_graphemes(text) for text in pair)
    alignment = align_units(gold, predicted)
    assert alignment.gold_length == len(gold) == alignment.matches + alignment.substitutions + alignment.deletions
    assert alignment.predicted_length == alignment.matches + alignment.substitutions + alignment.insertions
    touched = [(e.gold_index, e.gold) for e in alignment.edits if e.gold]
    taken = [(e.predicted_index, e.predicted) for e in alignment.edits if e.predicted]
    assert all(gold[at] == unit for at, unit in touched)
    assert all(predicted[at] == unit for at, unit in taken)
    left = [unit for at, unit in enumerate(gold) if at not in dict(touched)]
    right = [unit for at, unit in enumerate(predicted) if at not in dict(taken)]
    assert left == right


@given(pairs, texts)
def test_a_common_end_changes_no_edit(pair: tuple[str, str], end: str) -> None:
    gold, predicted, shared = (split_graphemes(text) for text in (*pair, end))
    assert align_units(gold + shared, predicted + shared).edits == align_units(gold, predicted).edits


@given(pairs, texts)
def test_a_common_beginning_keeps_the_distance(pair: tuple[str, str], beginning: str) -> None:
    gold, predicted, shared = (split_graphemes(text) for text in (*pair, beginning))
    assert align_units(shared + gold, shared + predicted).distance == align_units(gold, predicted).distance


@given(pairs)
def test_normal_forms_do_not_matter(pair: tuple[str, str]) -> None:
    decomposed = [unicodedata.normalize("NFD", text) for text in pair]
    assert align_texts(*decomposed) == align_texts(*pair)


@given(pairs)
def test_many_is_each(pair: tuple[str, str]) -> None:
    both = [pair, pair[::-1], pair]
    assert list(align_many(both, "codepoint", "light")) == [align_texts(*p, "codepoint", "light") for p in both]


def test_profile_and_unit_apply_to_both_sides() -> None:
    assert align_texts("A b!", "ab", profile="full").edits == ()
    assert align_texts("ক্ষ", "ক", unit="codepoint").deletions == 2
    assert align_texts("ক্ষ", "ক").substitutions == 1


@pytest.mark.parametrize("options", [{"unit": "word"}, {"profile": "nfkc"}])
def test_unknown_names_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="expected one of"):
        align_texts("a", "b", **options)


def test_a_huge_output_against_a_short_gold_is_exact() -> None:
    gold, predicted = "a short golden line.", "golden noise " * 1600
    alignment = align_texts(gold, predicted)
    assert alignment.distance == Levenshtein.distance(gold, predicted)
    assert alignment.predicted_length == 20_800
    assert align_texts(predicted, gold).distance == alignment.distance


def test_results_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        align_texts("a", "b").gold_length = 7  # type: ignore[misc]


def test_version_names_what_edits_depend_on() -> None:
    own, regex_part, unicode_part = alignment_version().split("/")
    assert own.isdigit()
    assert regex_part.startswith("regex-2")
    assert unicode_part.startswith("unicode-")
