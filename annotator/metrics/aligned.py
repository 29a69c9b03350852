"""Scores of pairs whose raw alignment is stored: what it does not tell is worked out for the unequal pairs alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from annotator.metrics.counts import PairScores, score_pairs, word_edits
from annotator.text.graphemes import split_units
from annotator.text.profiles import Profile, apply_profile_to_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class GoldColumn:
    """The golds of a project's items under a profile, with what several systems need of each, worked out when asked for."""

    def __init__(self, golds: Sequence[str], profile: str = Profile.RAW) -> None:
        self.golds = golds
        self.profile = profile

    @cached_property
    def composed(self) -> list[str]:
        """Every gold in NFC, the text that was aligned."""
        return apply_profile_to_all(self.golds, Profile.RAW)

    @cached_property
    def shown(self) -> list[str]:
        """Every gold under the profile."""
        return self.composed if self.profile == Profile.RAW else apply_profile_to_all(self.golds, self.profile)

    @cached_property
    def folded(self) -> list[str]:
        """Every gold under the profile `str`."""
        return self.shown if self.profile == Profile.STR else apply_profile_to_all(self.golds, Profile.STR)

    @cached_property
    def words(self) -> list[list[str]]:
        """The white-space tokens of every gold under the profile."""
        return [text.split() for text in self.shown]

    @cached_property
    def word_counts(self) -> NDArray[np.int32]:
        """How many words every gold has (shape (golds,))."""
        import numpy as np

        return np.fromiter(map(len, self.words), dtype=np.int32, count=len(self.golds))

    @cached_property
    def changed(self) -> NDArray[np.bool_]:
        """Which golds the profile changes (shape (golds,))."""
        import numpy as np

        pairs = zip(self.composed, self.shown, strict=True)
        return np.fromiter((a != b for a, b in pairs), dtype=bool, count=len(self.golds))

    @cached_property
    def changed_lengths(self) -> NDArray[np.int64]:
        """The clusters of the golds that the profile changes, 0 for the others (shape (golds,))."""
        import numpy as np

        lengths = np.zeros(len(self.golds), dtype=np.int64)
        for place in np.flatnonzero(self.changed).tolist():
            lengths[place] = len(split_units(self.shown[place], composed=True))
        return lengths


@dataclass(frozen=True, slots=True, eq=False)
class KnownPairs:
    """n pairs of gold and answer whose raw alignment is known.

    `at` (shape (n,)) is the place of each pair's gold in a column of golds, `gold_length` (shape (n,)) its clusters.
    `wrong` (shape (k,)) are the pairs that are not equal, `edits` (shape (k, 3)) their substitutions, deletions and
    insertions, `predicted` their k answers.
    """

    at: Ints
    gold_length: Ints
    wrong: Ints
    edits: Ints
    predicted: Sequence[str]


def score_known_pairs(gold: GoldColumn, pairs: KnownPairs) -> PairScores:
    """`score_pairs` under the column's profile, without aligning again what the profile leaves as it was aligned."""
    import numpy as np

    n, places = len(pairs.at), pairs.at[pairs.wrong].tolist()
    shown = apply_profile_to_all(pairs.predicted, gold.profile)
    equal = np.array([gold.shown[k] == text for k, text in zip(places, shown, strict=True)], dtype=bool)
    edits = np.zeros((3, n), dtype=np.int32)
    edits[:, pairs.wrong] = _edits(gold, pairs, shown, equal).T
    substitutions, deletions, insertions = edits
    lengths = np.where(gold.changed[pairs.at], gold.changed_lengths[pairs.at], pairs.gold_length).astype(np.int32)
    words = gold.word_counts[pairs.at]
    same, starts = _folded_flags(gold, places, pairs.predicted)
    by_words = [word_edits(gold.words[k], text.split()) for k, text in zip(places, shown, strict=True)]
    words_wrong = np.zeros(n, dtype=np.int32)
    words_wrong[pairs.wrong] = np.where(equal, 0, by_words)
    return PairScores(
        matches=lengths - substitutions - deletions,
        substitutions=substitutions,
        deletions=deletions,
        insertions=insertions,
        gold_length=lengths,
        predicted_length=lengths - deletions + insertions,
        word_edits=words_wrong,
        gold_words=words,
        exact=_flags(n, pairs.wrong, equal),
        str_exact=_flags(n, pairs.wrong, same),
        charitable=_flags(n, pairs.wrong, starts),
        blank_gold=words == 0,
    )


def _edits(gold: GoldColumn, pairs: KnownPairs, shown: Sequence[str], equal: Bools) -> Ints:
    """Edits of the unequal pairs under the profile (shape (k, 3)): none, the stored ones, or newly aligned."""
    import numpy as np

    if gold.profile == Profile.RAW:
        return pairs.edits
    composed = apply_profile_to_all(pairs.predicted, Profile.RAW)
    changed = np.array([a != b for a, b in zip(composed, shown, strict=True)], dtype=bool)
    places = pairs.at[pairs.wrong]
    again = np.flatnonzero(~equal & (changed | gold.changed[places])).tolist()
    edits = np.where(equal[:, np.newaxis], 0, pairs.edits)
    fresh = score_pairs([gold.shown[places[k]] for k in again], [shown[k] for k in again])
    edits[again] = np.stack([fresh.substitutions, fresh.deletions, fresh.insertions], axis=1)
    return edits


def _folded_flags(gold: GoldColumn, places: Sequence[int], predicted: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """Of the unequal pairs: whether they are equal under `str`, and whether predicted starts with gold there."""
    folded = apply_profile_to_all(predicted, Profile.STR)
    same = [gold.folded[k] == text for k, text in zip(places, folded, strict=True)]
    starts = [
        equal or (bool(gold.folded[k]) and text.startswith(gold.folded[k]))
        for k, text, equal in zip(places, folded, same, strict=True)
    ]
    return same, starts


def _flags(n: int, at: Ints, values: Bools | Sequence[bool]) -> Bools:
    """n flags, true but for `values` at `at`."""
    import numpy as np

    flags = np.ones(n, dtype=bool)
    flags[at] = values
    return flags
