"""What an owner sets for a study. Stored as JSON with the study; everything has a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from annotator.errors import UsageError
from annotator.store.study_assign import AssignmentRule
from annotator.store.study_records import Study


@dataclass(frozen=True, slots=True)
class StudySettings:
    """Settings of a study.

    `image` shows the item's image, `image_gate` lets a task be answered only once it is loaded. `check_pass` of
    `check_questions` answers must be right, in `check_tries` tries; 0 questions means no check. `attention_every` N
    makes every Nth task an attention task (0: none). `limit` ends a rater after so many answers (0: no limit).
    `floor_seconds` is the time under which an answer is flagged as fast. `codebook` names a file of `data/codebooks`.
    """

    image: bool = True
    image_gate: bool = False
    tie: bool = True
    both_bad: bool = False
    rationale: bool = True
    check_questions: int = 5
    check_pass: int = 4
    check_tries: int = 2
    lease_minutes: float = 15.0
    attention_every: int = 0
    repeat_gap: int = 10
    swap_repeats: bool = True
    limit: int = 0
    floor_seconds: float = 2.0
    codebook: str = ""
    contact: str = ""
    purpose: str = ""


def read_settings(document: Mapping[str, Any]) -> StudySettings:
    """Settings from stored JSON. Raises `UsageError` naming the setting that does not fit."""
    try:
        settings: StudySettings = msgspec.convert(dict(document), StudySettings, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"a study setting does not fit: {error}") from error
    if settings.check_pass > settings.check_questions:
        raise UsageError(
            f"found {settings.check_pass} right answers needed of {settings.check_questions}; expected at most as many"
        )
    return settings


def write_settings(settings: StudySettings) -> dict[str, Any]:
    """Settings as a JSON document."""
    document: dict[str, Any] = msgspec.to_builtins(settings)
    return document


def assignment_rule(study: Study) -> AssignmentRule:
    """How this study hands out its tasks."""
    settings = read_settings(study.settings)
    return AssignmentRule(
        study_key=study.key,
        overlap=study.overlap,
        lease_seconds=settings.lease_minutes * 60,
        attention_every=settings.attention_every,
        repeat_gap=settings.repeat_gap,
        limit=settings.limit,
        swap_repeats=settings.swap_repeats,
    )
