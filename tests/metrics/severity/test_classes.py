"""Edit classes by script."""

from __future__ import annotations

import pytest

from annotator.metrics.severity.classes import EditClass, classify_edit


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        (" ", "", EditClass.SPACE),
        ("", "\u00a0", EditClass.SPACE),
        ("a", "A", EditClass.CASE),
        ("é", "e", EditClass.MARK_ONLY),
        ("কি", "কী", EditClass.MARK_ONLY),
        ("ậ", "â", EditClass.MARK_ONLY),
        ("ব", "ভ", EditClass.CONTENT),
        ("日", "目", EditClass.CONTENT),
        ("o", "0", EditClass.CONTENT),
        ("3", "8", EditClass.DIGIT),
        ("৩", "8", EditClass.DIGIT),
        ("", "7", EditClass.DIGIT),
        (".", ",", EditClass.PUNCTUATION),
        ("", "।", EditClass.PUNCTUATION),
        ("a", "", EditClass.LETTER_DELETION),
        ("", "ب", EditClass.LETTER_INSERTION),
        ("a", ".", EditClass.CONTENT),
    ],
)
def test_table(gold: str, predicted: str, expected: EditClass) -> None:
    assert classify_edit(gold, predicted) is expected
