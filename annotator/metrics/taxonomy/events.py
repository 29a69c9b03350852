"""What a classification gives: events, each of one of the fifteen classes (BanglaWild, Table 8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from annotator.text.align import Edit, align_texts
from annotator.text.graphemes import Unit

TAXONOMY_VERSION = "1"
"""Changes whenever the same pair may give other events; stored events of another version are computed anew."""


class ErrorClass(StrEnum):
    """The fifteen classes, in the order of the rules: whole outputs first, then words."""

    TRUNCATION = "truncation"
    SCRIPT_CONTAMINATION = "script-contamination"
    SEMANTIC_HALLUCINATION = "semantic-hallucination"
    SPURIOUS_CONTENT = "spurious-content"
    NUMERIC = "numeric"
    WORD_BOUNDARY = "word-boundary"
    UNICODE_NORMALIZATION = "unicode-normalization"
    LEXICAL_SUBSTITUTION = "lexical-substitution"
    WORD_CORRUPTION = "word-corruption"
    VOWEL_SIGN = "vowel-sign"
    CONJUNCT = "conjunct"
    CONSONANT_HOMOPHONE = "consonant-homophone"
    NASAL = "nasal"
    COMPOUND_ORTHOGRAPHIC = "compound-orthographic"
    VISUAL_MISREAD = "visual-misread"


VISUAL = (ErrorClass.LEXICAL_SUBSTITUTION, ErrorClass.VISUAL_MISREAD, ErrorClass.WORD_CORRUPTION)
ORTHOGRAPHIC = (
    ErrorClass.VOWEL_SIGN,
    ErrorClass.CONSONANT_HOMOPHONE,
    ErrorClass.CONJUNCT,
    ErrorClass.NASAL,
    ErrorClass.COMPOUND_ORTHOGRAPHIC,
)
COSMETIC = (ErrorClass.WORD_BOUNDARY, ErrorClass.UNICODE_NORMALIZATION)
HIGH_RISK = (ErrorClass.SEMANTIC_HALLUCINATION, ErrorClass.NUMERIC)


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    """One error of a prediction.

    `stage` 1 is about the whole output (`gold` and `predicted` are then the whole texts, white space folded), `stage` 2
    about one word or one span of words; `""` on a side means that the word has no partner there. The texts are in NFC,
    except under unicode-normalization, which shows them as they were written. `rule` is the rule that fired, in words.
    `gold_words` and `predicted_words` say which words of the texts they are, as start and end (from 0, end excluded).
    """

    error_class: ErrorClass
    stage: int
    gold: str
    predicted: str
    rule: str
    gold_words: tuple[int, int]
    predicted_words: tuple[int, int]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits between `gold` and `predicted` in code points, the unit of the paper's thresholds."""
        return align_texts(self.gold, self.predicted, unit=Unit.CODEPOINT).edits


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Events by class, in the order of `ErrorClass`. Adds; shares and the ratio are read last."""

    counts: tuple[int, ...] = (0,) * len(ErrorClass)

    @classmethod
    def of(cls, classes: Iterable[ErrorClass]) -> ClassCounts:
        """Count the classes of some events."""
        found = list(classes)
        return cls(tuple(found.count(name) for name in ErrorClass))

    def __add__(self, other: ClassCounts) -> ClassCounts:
        return ClassCounts(tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    def of_class(self, *names: ErrorClass) -> int:
        """How many events are of any of `names`."""
        order = tuple(ErrorClass)
        return sum(self.counts[order.index(name)] for name in names)

    @property
    def events(self) -> int:
        """All events."""
        return sum(self.counts)

    def share(self, *names: ErrorClass) -> float | None:
        """Events of `names` / all events; `None` without events."""
        return self.of_class(*names) / self.events if self.events else None

    @property
    def visual_orthographic_ratio(self) -> float | None:
        """(lexical-substitution + visual-misread + word-corruption) / the five orthographic classes; `None` over 0.

        BanglaWild, section 6: above 1, a system misreads more than it misspells.
        """
        orthographic = self.of_class(*ORTHOGRAPHIC)
        return self.of_class(*VISUAL) / orthographic if orthographic else None
