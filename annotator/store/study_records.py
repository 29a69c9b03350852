"""What the studies tables hold, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Study:
    """A study as stored. `settings` is what `annotator.studies.settings` reads; `method` is Markdown."""

    key: int
    name: str
    kind: str
    state: str
    overlap: int
    seed: int
    settings: Mapping[str, Any]
    method: str
    created_at: float


@dataclass(frozen=True, slots=True)
class EditMark:
    """The one marked edit of a task: indices count graphemes of the NFC texts, as the alignment gives them."""

    op: str
    gold_index: int
    predicted_index: int
    gold: str
    predicted: str


@dataclass(frozen=True, slots=True)
class Maker:
    """A system and condition that made an output. `side` is `a` but for the second output of a preference."""

    system: str
    condition: str
    side: str = "a"


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A task before it is stored. Order and number are given when the study is made."""

    item_key: int | None
    item_id: str
    language: str = ""
    band: str = ""
    gold: str | None = None
    standard: str = ""
    predicted: str | None = None
    predicted_b: str | None = None
    edit: EditMark | None = None
    attention: bool = False
    expected: tuple[str, ...] = ()
    repeats: bool = False
    makers: tuple[Maker, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater of one study. `label` is a pseudonym, never a key."""

    key: int
    study_key: int
    number: int
    label: str
    kind: str
    stage: str
    locale: str
    seed: int
    check_tries: int
    hotkeys: bool
    created_at: float
    withdrawn_at: float | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a rater may see of a task: nothing here names a system, a band, an item or another rater's answer."""

    task_key: int
    number: int
    repeat: int
    language: str
    gold: str | None
    predicted: str | None
    predicted_b: str | None
    edit: EditMark | None
    shown_first: str
    shown_at: float
    value: str | None = None
    cannot: str = ""
    rationale: str = ""
    event: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of an answer. `outcome`: stored, changed, undone, duplicate, already, refused; `why` in words."""

    outcome: str
    task_key: int
    at: float | None = None
    surplus: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer on its way in. `event` is unique to one press of one key; `replaces` is the event it changes."""

    event: str
    task_key: int
    repeat: int = 0
    value: str | None = None
    cannot: str = ""
    rationale: str = ""
    replaces: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One current value with what results need. `makers` is filled only by the owner's reads."""

    study: str
    task_key: int
    task: int
    item_id: str
    rater_key: int
    rater: str
    rater_kind: str
    repeat: int
    position: int
    value: str | None
    cannot: str
    surplus: bool
    withdrawn: bool
    attention: bool
    expected: tuple[str, ...]
    answered_at: float
    rationale: str
    shown_first: str
    seconds: float | None
    event: str
    replaces: str


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as the owner sees it."""

    key: int
    number: int
    item_key: int | None
    item_id: str
    language: str
    band: str
    gold: str | None
    standard: str
    predicted: str | None
    predicted_b: str | None
    edit: EditMark | None
    attention: bool
    expected: tuple[str, ...]
    repeats: bool
    taken: int
