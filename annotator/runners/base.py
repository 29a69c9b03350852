"""What a recogniser is: pixels in, text and confidences out. Engines are imported inside functions, never here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL import Image


class ConfidenceKind(StrEnum):
    """What a system's confidence is. Only `SOFTMAX` is a probability; an engine score has an order and no more."""

    SOFTMAX = "softmax"
    ENGINE_SCORE = "engine-score"
    UNKNOWN = "unknown"


class Sees(StrEnum):
    """What a recogniser is shown of an item that has a target box: the box cut out, or the whole picture."""

    TARGET = "target"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class About:
    """What may be known of an item beside its pixels; never its gold.

    `language` is BCP 47 or "", `line` says that the picture holds a line of several words, `attributes` are the labels
    that a prompt marked as oracle may use.
    """

    id: str = ""
    language: str = ""
    line: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recognition:
    """One answer.

    `char_confidence` has one number in [0, 1] or `None` per code point of `text`, or is `None` as a whole. `confidence`
    is the mean of its numbers unless the engine has a figure of its own. `raw` is the response before parsing, `reasoning`
    the text before the answer. `hidden` (layer name -> vector) and `attention` (name -> number) come from one's own
    recogniser only.
    """

    text: str
    confidence: float | None = None
    char_confidence: tuple[float | None, ...] | None = None
    raw: str | None = None
    reasoning: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, npt.NDArray[np.floating]] = field(default_factory=dict)
    attention: Mapping[str, float] = field(default_factory=dict)


class Recogniser(Protocol):
    """A text recogniser. `recognise` may be called from several threads at once.

    `check` raises `EngineError` before any work when an engine, a language pack or a setting is missing for `languages`;
    `reads` is false for a language whose script the recogniser cannot write: such items stay missing.
    `recognise` raises `EngineError` when this one image failed; the run goes on with the next.
    """

    name: str
    confidence_kind: ConfidenceKind
    sees: Sees

    def check(self, languages: Iterable[str]) -> None: ...

    def reads(self, language: str) -> bool: ...

    def recognise(self, image: Image.Image, about: About) -> Recognition: ...

    def close(self) -> None: ...


def mean_confidence(values: Iterable[float | None]) -> float | None:
    """The mean of the numbers, rounded to six decimals; `None` when there is none."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 6) if known else None
