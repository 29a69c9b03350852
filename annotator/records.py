"""Frozen records that travel between the layers. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MissingRule(StrEnum):
    """What a missing prediction counts as: left out of that system's rates, or an empty (wrong) answer."""

    EXCLUDE = "exclude"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Box:
    """A target box in pixels of the image after EXIF orientation: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item as a file gives it. `gold` is `None` when the item has none (`--no-gold`), `""` when it is empty.

    `attributes` holds every other column as text. `line` is the physical line of the file.
    """

    id: str
    gold: str | None
    standard: str = ""
    image: str = ""
    benchmark: str = ""
    language: str = ""
    split: str = ""
    document: str = ""
    box: Box | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One prediction as a file gives it. `predicted is None` is a missing prediction; `""` is an answer.

    `char_confidence` has one number or `None` per code point of `predicted`; `candidates` are (text, log probability).
    `own_gold` is the gold of the system's own file, `None` for "the item's". `extra` holds every other column as text.
    """

    id: str
    predicted: str | None
    system: str
    condition: str = "default"
    raw: str | None = None
    confidence: float | None = None
    char_confidence: tuple[float | None, ...] | None = None
    candidates: tuple[tuple[str, float | None], ...] | None = None
    own_gold: str | None = None
    reasoning: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What a report looks at, the same on the page, the command line and in Python.

    Empty tuples and strings mean "all". `reference` "" is wordfreq's list of the report's language. `axes` "" chooses
    from the text, `letters` "" from the language. `cluster` "" clusters by document where items share one.
    """

    systems: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    benchmark: str = ""
    language: str = ""
    profile: str = "raw"
    own_gold: bool = False
    missing: MissingRule = MissingRule.EXCLUDE
    keep_wrong_gold: bool = False
    seed: int = 0
    resamples: int = 10_000
    cluster: str = ""
    reference: str = ""
    axes: str = ""
    letters: str = ""
    edges: str = ""
    force_edges: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One stratum: word quintile `word` (1 common .. 5 rare), n-gram quintile `ngram` (1 familiar .. 5 novel)."""

    word: int
    ngram: int

    def __str__(self) -> str:
        return f"{self.word}-{self.ngram}"

    @classmethod
    def parse(cls, text: str) -> Cell | None:
        """Read `I-J` with both parts in 1-5; `None` for anything else."""
        word, dash, ngram = text.strip().partition("-")
        if dash and word in _QUINTILES and ngram in _QUINTILES:
            return cls(int(word), int(ngram))
        return None


_QUINTILES = frozenset("12345")


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items a list shows, and in which order. Empty fields filter nothing.

    `text` is searched in `where` (any, id, gold, standard, predicted), as a regular expression when `regex`. `show` is
    all, wrong, right, missing or differ (systems disagree) and speaks of `run` (`system` or `system@condition`; any run
    when empty). `sort` is import, id, length, edits (of `run`, most first) or difference (edits of `run` minus `other`).
    `error_class` keeps items with an event of that class in `run` (in any run when empty); `edit` those in which `run` made
    the edit (op, gold, predicted).
    """

    text: str = ""
    where: str = "any"
    regex: bool = False
    show: str = "all"
    run: str = ""
    other: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    tag: str = ""
    mark: str = ""
    ids: tuple[str, ...] = ()
    sort: str = "import"
    error_class: str = ""
    edit: tuple[str, str, str] | None = None
