"""Answers that are written, not pressed: transcriptions and codebook labels, as JSON documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from annotator.errors import UsageError
from annotator.studies.kinds import StudyKind

UNSURE = "[?]"
TEXT_LENGTH = 20_000


class Flag(StrEnum):
    """What a transcriber may say of an image."""

    UNREADABLE = "unreadable"
    OTHER_SCRIPT = "other-script"
    OFFENSIVE = "offensive"


@dataclass(frozen=True, slots=True)
class Written:
    """A transcription or a set of labels. Text is kept as typed, code point by code point.

    `standard` is filled only where it deviates from `verbatim`; an unsure character is written `[?]` in `verbatim`.
    """

    verbatim: str = ""
    standard: str = ""
    flags: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def best_standard(self) -> str:
        """The standard form: what was given, else the verbatim text."""
        return self.standard or self.verbatim


def read_written(value: str) -> Written:
    """A stored answer as a record. Raises `UsageError` when it is not one."""
    try:
        return msgspec.json.decode(value, type=Written, strict=True)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise UsageError(f"found a written answer that cannot be read: {error}") from error


def write_written(written: Written) -> str:
    """The stored form of a written answer."""
    return msgspec.json.encode(written).decode()


def check_written(kind: StudyKind, value: str, labels: Mapping[str, Collection[str]] | None = None) -> str:
    """Check a written answer at the border and return its stored form. `labels` are those of the study's codebook with their
    values. Raises `UsageError` saying what is missing or not known."""
    written = read_written(value)
    unknown = set(written.flags) - set(Flag)
    if unknown:
        raise UsageError(f"found the flag {sorted(unknown)[0]!r}; expected one of: {', '.join(Flag)}")
    if labels is not None:
        _refuse_unknown(written.labels, labels)
    if max(len(written.verbatim), len(written.standard)) > TEXT_LENGTH:
        raise UsageError(f"found a text of more than {TEXT_LENGTH} characters; expected a shorter one")
    if kind is StudyKind.TRANSCRIPTION and not written.verbatim.strip() and Flag.UNREADABLE not in written.flags:
        raise UsageError("found no text; expected what is written on the image, or the flag 'unreadable'")
    if kind is StudyKind.LABELS and not any(written.labels.values()):
        raise UsageError("found no label; expected at least one choice")
    return write_written(written)


def _refuse_unknown(given: Mapping[str, str], labels: Mapping[str, Collection[str]]) -> None:
    for name, value in given.items():
        if value not in labels.get(name, ()):
            raise UsageError(
                f"found {value!r} for the label {name!r}; the codebook of this study has no such choice. Reload the page."
            )
