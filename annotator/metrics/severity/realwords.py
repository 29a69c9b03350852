"""Do letter errors form other words, and how often would random letter errors of the same shape?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.metrics.severity.classes import LETTER_ERRORS, classify_edit
from annotator.metrics.severity.rubric import bare_word
from annotator.metrics.severity.words import EditedWord
from annotator.text.align import Edit, Op
from annotator.text.graphemes import split_graphemes

CORRUPTIONS = 20


@dataclass(frozen=True, slots=True)
class LetterErrors:
    """The letter errors of one edited word: how many substitutions, deletions and insertions, and both forms of it."""

    before: str
    after: str
    substitutions: int
    deletions: int
    insertions: int

    @property
    def n(self) -> int:
        return self.substitutions + self.deletions + self.insertions


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """The letters of a language's golds; `counts` are their cumulative frequencies."""

    clusters: tuple[str, ...]
    counts: npt.NDArray[np.float64]


def letter_errors(word: EditedWord, edits: Sequence[Edit]) -> LetterErrors | None:
    """The letter errors of an edited word, `None` when it has none. Both forms are folded, without punctuation around."""
    ops = [edits[n].op for n in word.edits if classify_edit(edits[n].gold, edits[n].predicted) in LETTER_ERRORS]
    if not ops:
        return None
    counts = (ops.count(op) for op in (Op.SUBSTITUTION, Op.DELETION, Op.INSERTION))
    return LetterErrors(bare_word(word.before), bare_word(word.after), *counts)


def corrupt(errors: LetterErrors, letters: Letters, rng: np.random.Generator) -> str:
    """The gold word with as many random substitutions, deletions and insertions, in the language's letter frequencies.

    Places are drawn without repetition; a substituted letter differs from the one it replaces where it can.
    """
    units = split_graphemes(errors.before)
    places = rng.permutation(len(units)).tolist()
    substituted = places[: errors.substitutions]
    deleted = set(places[errors.substitutions : errors.substitutions + errors.deletions])
    for place in substituted:
        drawn = _draw(letters, rng)
        units[place] = drawn if drawn != units[place] else _draw(letters, rng)
    kept = [unit for place, unit in enumerate(units) if place not in deleted]
    for _ in range(errors.insertions):
        kept.insert(int(rng.integers(0, len(kept) + 1)), _draw(letters, rng))
    return "".join(kept)


def _draw(letters: Letters, rng: np.random.Generator) -> str:
    return letters.clusters[int(np.searchsorted(letters.counts, rng.random() * letters.counts[-1], side="right"))]
