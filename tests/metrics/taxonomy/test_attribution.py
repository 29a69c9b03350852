"""Edits of the grapheme alignment take the class of the event that they lie in."""

from __future__ import annotations

import pytest
from hypothesis import given

from annotator.metrics.taxonomy import AUTO, classify_errors, edit_classes
from annotator.text.align import align_texts
from tests.text.strategies import pairs

NAMED = [
    ("পাখি ডাকে চাঁদ", "পাখী ডাকে চাদ", ["vowel-sign", "nasal"]),
    ("বই মেলা পাখি", "বইমেলা পাখী", ["word-boundary", "vowel-sign"]),
    ("a  b", "a b", [None]),
    ("বই", "বই বই", ["spurious-content", "spurious-content", "spurious-content"]),
    ("মেলা পাখি", "মেলা আজ পাখী", ["lexical-substitution", "lexical-substitution", "lexical-substitution", "vowel-sign"]),
    ("চাঁদ", "", ["truncation", "truncation"]),
]


@pytest.mark.parametrize(("gold", "predicted", "expected"), NAMED)
def test_named(gold: str, predicted: str, expected: list[str | None]) -> None:
    assert _classes(gold, predicted) == expected


@given(pairs)
def test_every_edit_has_a_class_unless_only_white_space_differs(pair: tuple[str, str]) -> None:
    events = classify_errors(*pair, AUTO)
    assert set(_classes(*pair)) <= ({event.error_class for event in events} if events else {None})


def _classes(gold: str, predicted: str) -> list[str | None]:
    edits = align_texts(gold, predicted).edits
    return list(edit_classes(gold, predicted, edits, classify_errors(gold, predicted, AUTO)))
