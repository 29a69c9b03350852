"""The kinds of study: which values an answer may have, and on which level they are compared."""

from __future__ import annotations

from enum import StrEnum

from annotator.errors import UsageError
from annotator.studies.settings import StudySettings


class StudyKind(StrEnum):
    """What raters do in a study."""

    EDIT_SEVERITY = "edit-severity"
    TEXT_SEVERITY = "text-severity"
    TEXT_SCORE = "text-score"
    PREFERENCE = "preference"
    TRANSCRIPTION = "transcription"
    LABELS = "labels"
    OTHER_REVIEW = "other-review"


class Level(StrEnum):
    """Level of measurement of a value, as agreement statistics need it."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Cannot(StrEnum):
    """Why a task cannot be judged."""

    IMAGE = "image"
    TEXT = "text"
    GOLD_WRONG = "gold-wrong"
    OTHER = "other"


SEVERITY_VALUES = ("0", "1", "2", "3", "4")
SCORE_VALUES = ("1", "2", "3", "4", "5")
REVIEW_VALUES = ("near-target", "extra-text", "another-concept", "other")
TIE, BOTH_BAD = "tie", "both-bad"

SCALED = frozenset({StudyKind.EDIT_SEVERITY, StudyKind.TEXT_SEVERITY, StudyKind.TEXT_SCORE})
WRITTEN = frozenset({StudyKind.TRANSCRIPTION, StudyKind.LABELS})  # values are JSON documents
NEEDS_GOLD = frozenset({StudyKind.EDIT_SEVERITY, StudyKind.TEXT_SEVERITY, StudyKind.TEXT_SCORE, StudyKind.OTHER_REVIEW})


def study_kind(text: str) -> StudyKind:
    """The kind of that name. Raises `UsageError` naming all kinds."""
    try:
        return StudyKind(text)
    except ValueError:
        raise UsageError(f"found the kind {text!r}; expected one of: {', '.join(StudyKind)}") from None


def choices(kind: StudyKind, settings: StudySettings) -> tuple[str, ...]:
    """Values that one press may give, in the order of their buttons; empty for kinds with written answers.

    Preference values name outputs as stored (`a`, `b`), whichever was shown first.
    """
    if kind in (StudyKind.EDIT_SEVERITY, StudyKind.TEXT_SEVERITY):
        return SEVERITY_VALUES
    if kind is StudyKind.TEXT_SCORE:
        return SCORE_VALUES
    if kind is StudyKind.PREFERENCE:
        return ("a", "b", *((TIE,) if settings.tie else ()), *((BOTH_BAD,) if settings.both_bad else ()))
    if kind is StudyKind.OTHER_REVIEW:
        return REVIEW_VALUES
    return ()


def keys(kind: StudyKind, settings: StudySettings) -> dict[str, str]:
    """Key -> what it gives. For a preference `a` and `b` mean the output *shown* first and second."""
    values = choices(kind, settings)
    if kind is StudyKind.PREFERENCE:
        names = {"a": "a", "b": "b", TIE: "t", BOTH_BAD: "x"}
        return {names[value]: value for value in values}
    if kind is StudyKind.OTHER_REVIEW:
        return {str(i): value for i, value in enumerate(values, 1)}
    return {value: value for value in values}


def level(kind: StudyKind) -> Level:
    """Ordinal for scales and preferences (a, tie, b in that order), nominal for labels."""
    return Level.ORDINAL if kind in SCALED or kind is StudyKind.PREFERENCE else Level.NOMINAL
