"""Verbatim or rewritten: what a prediction is when gold and the standard form differ (SceneFaith, section 3 and 4.1)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

PARSER_VERSION = 1
"""Version of `parse_response`, stored with every prediction that it made."""


class Outcome(StrEnum):
    """Literal = gold, Canonical = the standard form (rewritten), Other = anything else."""

    LITERAL = "literal"
    CANONICAL = "canonical"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """How many predictions were Literal, Canonical and Other, and how many were missing. Counts add.

    A missing prediction is not Other: the rates are over `n`, the answered items.
    """

    literal: int = 0
    canonical: int = 0
    other: int = 0
    missing: int = 0

    def __add__(self, more: OutcomeCounts) -> OutcomeCounts:
        return OutcomeCounts(
            self.literal + more.literal,
            self.canonical + more.canonical,
            self.other + more.other,
            self.missing + more.missing,
        )

    @property
    def n(self) -> int:
        """Answered predictions."""
        return self.literal + self.canonical + self.other

    @property
    def literal_accuracy(self) -> float | None:
        """Share of Literal among the answered; `None` when nothing was answered."""
        return self.literal / self.n if self.n else None

    @property
    def rewriting_rate(self) -> float | None:
        """Share of Canonical among the answered; `None` when nothing was answered."""
        return self.canonical / self.n if self.n else None

    @property
    def other_rate(self) -> float | None:
        """Share of Other among the answered; `None` when nothing was answered."""
        return self.other / self.n if self.n else None


def count_outcomes(outcomes: list[Outcome | None]) -> OutcomeCounts:
    """Count a list of outcomes; `None` is a missing prediction."""
    return OutcomeCounts(
        literal=outcomes.count(Outcome.LITERAL),
        canonical=outcomes.count(Outcome.CANONICAL),
        other=outcomes.count(Outcome.OTHER),
        missing=outcomes.count(None),
    )


_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[\w+.#-]*[ \t]*$", re.MULTILINE)
_PREFIX = re.compile(r"^(?:answer|output|text|result)\s*[:：]\s*", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』", "＂": "＂"}


def parse_response(raw: str) -> str:
    """The transcription inside a raw response.

    Code fences are removed, the first line that is not blank is taken, a leading `answer:`, `output:`, `text:` or
    `result:` (any case) is removed, and so is one pair of matching quotes; white space at the ends goes at each step.
    A line that holds the prefix alone is skipped. An empty or blank response gives `""`, which is an answer. The text
    is otherwise left as it is: look-alike letters, normal form and repetitions stay.
    """
    without_fences = _FENCE.sub("", raw).replace("```", "")
    lines = (_PREFIX.sub("", line.strip()).strip() for line in without_fences.splitlines())
    answer = next((line for line in lines if line), "")
    if len(answer) >= 2 and _QUOTES.get(answer[0]) == answer[-1]:
        answer = answer[1:-1].strip()
    return answer


def fold_text(text: str) -> str:
    """NFC, case folded, white-space runs to one space, ends stripped: the comparison of this chapter."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(folded.split())


def has_outcome(gold: str, standard: str) -> bool:
    """Whether the item takes part: it has a standard form that differs from gold after folding."""
    return bool(fold_text(standard)) and fold_text(standard) != fold_text(gold)


def classify_outcome(gold: str, standard: str, predicted: str) -> Outcome | None:
    """Literal when `predicted` equals gold after folding, Canonical when it equals the standard form, else Other.

    `None` when the item has no outcome: the standard form is empty or equals gold after folding. `predicted` is the
    parsed text; an empty answer is Other. A missing prediction has no outcome and is not passed here.
    """
    folded_gold, folded_standard = fold_text(gold), fold_text(standard)
    if not folded_standard or folded_standard == folded_gold:
        return None
    folded = fold_text(predicted)
    if folded == folded_gold:
        return Outcome.LITERAL
    return Outcome.CANONICAL if folded == folded_standard else Outcome.OTHER
