"""What kind of edit it is: space, case, punctuation, digit, mark, letter."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from functools import lru_cache


class EditClass(StrEnum):
    """The classes of an edit, from what costs least to a letter error."""

    SPACE = "space"
    CASE = "case"
    PUNCTUATION = "punctuation"
    DIGIT = "digit"
    MARK_ONLY = "mark-only"
    CONTENT = "content"
    LETTER_INSERTION = "letter-insertion"
    LETTER_DELETION = "letter-deletion"


LETTER_ERRORS = frozenset(
    {EditClass.MARK_ONLY, EditClass.CONTENT, EditClass.LETTER_INSERTION, EditClass.LETTER_DELETION}
)


@lru_cache(1 << 16)
def classify_edit(gold: str, predicted: str) -> EditClass:
    """The class of an edit from its two clusters; one side is "" for an insertion or a deletion.

    Order: space (all that is there is white space) · case (equal after folding) · digit (a digit on one side, and no letter
    or a digit on the other) · mark-only (same base letter, equal after NFD without marks Mn/Mc) · content (both hold a
    letter) · letter insertion or deletion · punctuation or symbol. A letter against a digit or a sign is content: a
    letter of the text is gone. Design chapter 7, after semCER section D.2.
    """
    both = gold + predicted
    if not both.strip():
        return EditClass.SPACE
    if gold and predicted and gold.casefold() == predicted.casefold():
        return EditClass.CASE
    letters = _has(gold, "L"), _has(predicted, "L")
    if any(letters):
        return _letter_class(gold, predicted)
    if _has(both, "N"):
        return EditClass.DIGIT
    if gold and predicted and _base(gold) == _base(predicted):
        return EditClass.MARK_ONLY
    return EditClass.PUNCTUATION


def _letter_class(gold: str, predicted: str) -> EditClass:
    if not gold:
        return EditClass.LETTER_INSERTION
    if not predicted:
        return EditClass.LETTER_DELETION
    return EditClass.MARK_ONLY if _base(gold) == _base(predicted) else EditClass.CONTENT


def _has(text: str, category: str) -> bool:
    return any(unicodedata.category(ch).startswith(category) for ch in text)


def _base(text: str) -> str:
    return "".join(ch for ch in unicodedata.normalize("NFD", text) if unicodedata.category(ch) not in ("Mn", "Mc"))
