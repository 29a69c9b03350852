"""Counts of one pair, of many pairs as arrays, and their sums. Counts add; a rate is read last (`metrics.rates`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from annotator.text.bitrows import DELETION, SUBSTITUTION, Step
from annotator.text.bulk import BulkSteps, chunks
from annotator.text.graphemes import Unit, split_units
from annotator.text.profiles import Profile, apply_profile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]

_CHUNK = 1 << 10
_REMEMBERED_LENGTH = 1 << 21


@dataclass(frozen=True, slots=True)
class Counts:
    """Sums over items. `n` items have gold and count; `without_gold` items have none and are in no other field.

    Lengths and edits are in units (grapheme clusters unless said) after the profile, words are white-space tokens.
    """

    n: int = 0
    matches: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    gold_length: int = 0
    predicted_length: int = 0
    word_edits: int = 0
    gold_words: int = 0
    exact: int = 0
    str_exact: int = 0
    charitable: int = 0
    without_gold: int = 0

    @property
    def edits(self) -> int:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class PairScore:
    """What one pair is worth. `exact`, `str_exact` and `charitable` are as in `PairScores`."""

    matches: int
    substitutions: int
    deletions: int
    insertions: int
    gold_length: int
    predicted_length: int
    word_edits: int
    gold_words: int
    exact: bool
    str_exact: bool
    charitable: bool
    blank_gold: bool

    @property
    def edits(self) -> int:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def one_minus_ned(self) -> float:
        """1 - edits / max(gold length, predicted length), in [0, 1]; 1 when both sides are empty."""
        return 1.0 - self.edits / (max(self.gold_length, self.predicted_length) or 1)

    @property
    def counts(self) -> Counts:
        """The pair as a sum of one item; a pair with blank gold adds to `without_gold` only."""
        if self.blank_gold:
            return Counts(without_gold=1)
        values = {f.name: int(getattr(self, f.name)) for f in fields(self) if f.name != "blank_gold"}
        return Counts(n=1, **values)


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """The same for n pairs, as arrays of shape (n,): int32 counts and bool flags, in the order of the pairs.

    `exact`: predicted equals gold after the profile. `str_exact`: equal after the `str` profile (STR word accuracy).
    `charitable`: predicted under `str` starts with gold under `str`; a gold with no letter or digit is met only by such
    a prediction. `blank_gold`: gold is empty or white space after the profile; leave these items out of every rate.
    """

    matches: Ints
    substitutions: Ints
    deletions: Ints
    insertions: Ints
    gold_length: Ints
    predicted_length: Ints
    word_edits: Ints
    gold_words: Ints
    exact: Bools
    str_exact: Bools
    charitable: Bools
    blank_gold: Bools

    def __len__(self) -> int:
        return len(self.matches)

    @property
    def edits(self) -> Ints:
        """Substitutions, deletions and insertions together, per pair."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def one_minus_ned(self) -> NDArray[np.float64]:
        """1 - edits / max(gold length, predicted length) per pair; 1 where both sides are empty."""
        import numpy as np

        longer = np.maximum(np.maximum(self.gold_length, self.predicted_length), 1)
        return 1.0 - self.edits / longer

    def select(self, chosen: NDArray[Any]) -> PairScores:
        """Return the pairs that a boolean mask or an array of indices chooses."""
        return PairScores(*(getattr(self, f.name)[chosen] for f in fields(self)))

    def counts(self) -> Counts:
        """Return the sums over the pairs with gold."""
        kept = ~self.blank_gold
        sums = {f.name: int(getattr(self, f.name)[kept].sum()) for f in fields(self) if f.name != "blank_gold"}
        return Counts(n=int(kept.sum()), without_gold=int(self.blank_gold.sum()), **sums)


def score_pair(gold: str, predicted: str, profile: str = Profile.RAW, unit: str = Unit.GRAPHEME) -> PairScore:
    """Score one pair after `profile`, lengths in `unit`s. Raises UsageError for an unknown profile or unit."""
    (row,) = _Scorer(profile, unit).rows([(gold, predicted)])
    return PairScore(*row)


def score_pairs(
    golds: Sequence[str], predictions: Sequence[str], profile: str = Profile.RAW, unit: str = Unit.GRAPHEME
) -> PairScores:
    """Score pairs (golds[k], predictions[k]); both sequences have n texts, the result n rows.

    A repeated pair is computed once. Raises UsageError for an unknown profile or unit, ValueError for unequal lengths.
    """
    import numpy as np

    scorer = _Scorer(profile, unit)
    width = len(fields(PairScores))
    tables = [np.empty((0, width), dtype=np.int32)]
    for chunk in chunks(zip(golds, predictions, strict=True), _CHUNK):
        tables.append(np.array(scorer.rows(chunk), dtype=np.int32))
    table = np.concatenate(tables).T.copy()
    columns: list[Any] = [column.astype(bool) if at in _FLAGS else column for at, column in enumerate(table)]
    return PairScores(*columns)


_FLAGS = frozenset(at for at, f in enumerate(fields(PairScores)) if f.type == "Bools")


class _Side:
    """One text as the metrics need it."""

    __slots__ = ("_folded", "_units", "shown", "text", "unit", "words")

    def __init__(self, text: str, profile: str, unit: str) -> None:
        self.text = text
        self.shown = apply_profile(text, profile)
        self.unit = unit
        self.words = self.shown.split()
        self._units: list[str] | None = None
        self._folded: str | None = None

    @property
    def units(self) -> list[str]:
        if self._units is None:
            self._units = split_units(self.shown, self.unit, composed=True)
        return self._units

    @property
    def folded(self) -> str:
        if self._folded is None:
            self._folded = apply_profile(self.text, Profile.STR)
        return self._folded


class _Scorer:
    """Scores chunks of pairs under one profile. Remembers golds and pairs, up to a bounded length of text."""

    def __init__(self, profile: str, unit: str) -> None:
        apply_profile("", profile)
        split_units("", unit)
        self.profile = profile
        self.unit = unit
        self.bulk = BulkSteps()
        self._forget()

    def _forget(self) -> None:
        self.golds: dict[str, _Side] = {}
        self.known: dict[tuple[str, str], tuple[Any, ...]] = {}
        self.length = 0

    def rows(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Any, ...]]:
        """Return the fields of `PairScore` in their order, for each pair."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        sides = [self._sides(gold, predicted) for gold, predicted in new]
        steps = self.bulk.steps([(gold.units, predicted.units) for gold, predicted in sides])
        self.known.update(zip(new, map(_row, sides, steps), strict=True))
        rows = [self.known[pair] for pair in pairs]
        if self.length > _REMEMBERED_LENGTH:
            self._forget()
        return rows

    def _sides(self, gold: str, predicted: str) -> tuple[_Side, _Side]:
        side = self.golds.get(gold)
        if side is None:
            side = self.golds[gold] = _Side(gold, self.profile, self.unit)
            self.length += len(gold)
        self.length += len(predicted)
        return side, side if gold == predicted else _Side(predicted, self.profile, self.unit)


def _row(sides: tuple[_Side, _Side], steps: Sequence[Step]) -> tuple[Any, ...]:
    gold, predicted = sides
    length, words = len(gold.units), len(gold.words)
    if gold is predicted:
        return (length, 0, 0, 0, length, length, 0, words, True, True, True, not words)
    exact = gold.shown == predicted.shown
    str_exact = gold.folded == predicted.folded
    kinds = [step[0] for step in steps]
    substitutions, deletions = kinds.count(SUBSTITUTION), kinds.count(DELETION)
    return (
        length - substitutions - deletions,
        substitutions,
        deletions,
        len(kinds) - substitutions - deletions,
        length,
        len(predicted.units),
        0 if exact else word_edits(gold.words, predicted.words),
        words,
        exact,
        str_exact,
        str_exact or (bool(gold.folded) and predicted.folded.startswith(gold.folded)),
        not words,
    )


def word_edits(gold: Sequence[str], predicted: Sequence[str]) -> int:
    """Edits between two lists of words, each word one unit."""
    if len(gold) == 1 == len(predicted):
        return int(gold[0] != predicted[0])
    if len(gold) <= 1 or len(predicted) <= 1:
        # At most one word can stay: everything else of the longer side is an edit.
        longer, shorter = sorted((gold, predicted), key=len, reverse=True)
        return len(longer) - (len(shorter) == 1 and shorter[0] in longer)
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(gold, predicted)
