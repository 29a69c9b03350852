"""Why a prediction is wrong: one error mode for each, with the rule that fired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from annotator.metrics.strata.axes import AxisPair
from annotator.metrics.strata.tables import RankTable
from annotator.text.graphemes import split_graphemes


class ErrorMode(StrEnum):
    """The modes in the order in which they are tried. Source: StratiSTR Table 4 and section 4.4."""

    ABSTAIN = "abstain"
    LEXICAL_SNAP = "lexical-snap"
    WHOLE_WORD = "whole-word"
    CHAR_EDIT = "char-edit"
    CHAR_NOISE = "char-noise"

    @property
    def commits(self) -> bool:
        """The two-way read: everything but `abstain` commits to an answer."""
        return self is not ErrorMode.ABSTAIN


@dataclass(frozen=True, slots=True)
class ModeVerdict:
    """The mode of one wrong prediction and the rule that decided it, in words."""

    mode: ErrorMode
    rule: str


ABSTAIN_SHARE = 0.6
SNAP_OVERLAP = 0.5
MOST_EDITS = 2
SHORT_LINE = 24


def overlap_share(gold: Sequence[str], predicted: Sequence[str]) -> float:
    """Clusters in common, with repeats (multiset), over the longer length; 1.0 when both are empty."""
    longer = max(len(gold), len(predicted))
    if longer <= SHORT_LINE:  # counting each cluster by itself is three times as quick here
        shared = sum(min(gold.count(cluster), predicted.count(cluster)) for cluster in set(gold))
    else:
        shared = sum((Counter(gold) & Counter(predicted)).values())
    return shared / longer if longer else 1.0


def find_mode(gold: str, predicted: str, words: RankTable, axes: AxisPair) -> ModeVerdict:
    """The error mode of a wrong prediction. Both texts come folded (profile `str`): letters and digits only.

    `words` and `axes` are those of the reference corpus. The first rule that holds decides.
    """
    gold_clusters, clusters = split_graphemes(gold), split_graphemes(predicted)
    if not predicted:
        return ModeVerdict(ErrorMode.ABSTAIN, "the prediction is empty")
    if len(clusters) <= ABSTAIN_SHARE * len(gold_clusters) and _is_part(clusters, gold_clusters):
        return ModeVerdict(ErrorMode.ABSTAIN, f"a part of gold: {len(clusters)} of {len(gold_clusters)} clusters")
    overlap = overlap_share(gold_clusters, clusters)
    rank, gold_rank = words.rank(predicted), words.rank(gold)
    if predicted in words and rank < gold_rank and overlap >= SNAP_OVERLAP:
        standing = f"gold has rank {gold_rank:,}" if gold in words else "gold is not a word of it"
        rule = f"a word of the reference with rank {rank:,}, {standing}; overlap {overlap:.2f}"
        return ModeVerdict(ErrorMode.LEXICAL_SNAP, rule)
    if overlap < SNAP_OVERLAP:
        return ModeVerdict(ErrorMode.WHOLE_WORD, f"overlap {overlap:.2f}, under {SNAP_OVERLAP}")
    return _character_mode(gold, predicted, gold_clusters, clusters, axes)


def _character_mode(
    gold: str, predicted: str, gold_clusters: list[str], clusters: list[str], axes: AxisPair
) -> ModeVerdict:
    edits = Levenshtein.distance(gold_clusters, clusters)
    if edits > MOST_EDITS:
        return ModeVerdict(ErrorMode.CHAR_NOISE, f"{edits} edits, more than {MOST_EDITS}")
    novelty, gold_novelty = axes.novelty(predicted), axes.novelty(gold)
    if novelty is None or gold_novelty is None:
        return ModeVerdict(ErrorMode.CHAR_NOISE, f"{edits} edits; a text without an n-gram has no novelty to compare")
    measured = f"n-gram novelty {novelty:.2f} against gold's {gold_novelty:.2f}"
    mode = ErrorMode.CHAR_EDIT if novelty < gold_novelty else ErrorMode.CHAR_NOISE
    return ModeVerdict(mode, f"{edits} edits; {measured}")


def _is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether `part` is a proper run of `whole`, cluster by cluster."""
    size = len(part)
    return size < len(whole) and any(
        list(whole[start : start + size]) == list(part) for start in range(len(whole) - size + 1)
    )
