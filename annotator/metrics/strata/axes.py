"""The two axes of the grid: how rare a label's word is, and how novel its rarest n-gram."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Protocol

from annotator.metrics.strata.labels import Axes, counted_clusters
from annotator.metrics.strata.ngrams import distinct_ngrams
from annotator.metrics.strata.reference import CharacterTables, ReferenceCorpus, WordTables
from annotator.text.graphemes import split_graphemes


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a label lies on both axes; a larger value is rarer.

    `word_value` and `ngram_value` are log10 ranks on the word axes, negative log10 counts on the character axes.
    `word_rank` and `ngram_rank` are the ranks behind them (last + 1 when unseen). `word_unit` is the word, or the
    rarest cluster; `ngram` is the n-gram that decides the n-gram axis, the first of equals, case-folded. `short` marks
    a label that stands as its own n-gram.
    """

    word_value: float
    ngram_value: float
    word_rank: int
    ngram_rank: int
    word_unit: str
    ngram: str
    short: bool = False


class AxisPair(Protocol):
    """A word axis and an n-gram axis over one reference corpus."""

    @property
    def axes(self) -> Axes: ...

    def place(self, folded: str) -> Placement:
        """Place a folded label that enters the grid."""
        ...

    def novelty(self, folded: str) -> float | None:
        """The n-gram value of any folded text, `None` where it has no n-gram."""
        ...


@dataclass(frozen=True)
class WordAxes:
    """Word rank and worst trigram rank, both as log10. Source: StratiSTR section 3.2."""

    tables: WordTables
    axes: Axes = Axes.WORD

    def place(self, folded: str) -> Placement:
        rank, ngram, short = self._worst_trigram(folded)
        word_rank = self.tables.words.rank(folded)
        return Placement(math.log10(word_rank), math.log10(rank), word_rank, rank, folded, ngram, short)

    def novelty(self, folded: str) -> float | None:
        return math.log10(self._worst_trigram(folded)[0]) if folded else None

    def _worst_trigram(self, folded: str) -> tuple[int, str, bool]:
        clusters = list(folded) if folded.isascii() else split_graphemes(folded)
        if len(clusters) < 3:
            count = self.tables.contained_count(folded, len(clusters))
            return self.tables.trigrams.rank_of_count(count), folded, True
        rank, ngram = _first_largest([(self.tables.trigrams.rank(gram), gram) for gram in distinct_ngrams(clusters, 3)])
        return int(rank), ngram, False


@dataclass(frozen=True)
class CharacterAxes:
    """Smallest cluster count and smallest pair count, both as -log10. Source: StratiSTR section 4.3 (other scripts).

    An unseen cluster takes a tenth of the smallest count. An unseen pair (a, b) lies beyond all seen ones:
    -log10(smallest pair count) + 1 - log10(c(a) c(b) / largest c ** 2).
    """

    tables: CharacterTables
    axes: Axes = Axes.CHARACTER
    # Values met before: lines of one collection share most of their pairs.
    _known_pairs: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict, compare=False, repr=False)
    _known_clusters: dict[str, tuple[float, str]] = field(default_factory=dict, compare=False, repr=False)

    def place(self, folded: str) -> Placement:
        clusters = counted_clusters(folded)
        word_value, unit = _first_largest(self._cluster_values(clusters))
        ngram_value, ngram = _first_largest(self._pair_values(clusters))
        ranks = self.tables.clusters.rank(unit), self.tables.pairs.rank(ngram)
        return Placement(word_value, ngram_value, *ranks, unit, ngram)

    def novelty(self, folded: str) -> float | None:
        pairs = self._pair_values(counted_clusters(folded))
        return _first_largest(pairs)[0] if pairs else None

    def _pair_values(self, clusters: Sequence[str]) -> list[tuple[float, str]]:
        known = self._known_pairs
        pairs = dict.fromkeys(itertools.pairwise(clusters))
        return [known.get(pair) or known.setdefault(pair, self.pair_value(*pair)) for pair in pairs]

    def _cluster_values(self, clusters: Sequence[str]) -> list[tuple[float, str]]:
        known = self._known_clusters
        return [known.get(cluster) or known.setdefault(cluster, self.cluster_value(cluster)) for cluster in clusters]

    def cluster_value(self, cluster: str) -> tuple[float, str]:
        """The value of a cluster, with the cluster."""
        return -math.log10(self._cluster_count(cluster)), cluster

    def _cluster_count(self, cluster: str) -> float:
        return self.tables.clusters.count(cluster) or (self.tables.clusters.smallest_count or 1.0) / 10

    def pair_value(self, a: str, b: str) -> tuple[float, str]:
        """The value of two clusters in a row, with the pair."""
        count = self.tables.pairs.count(a + b)
        if count > 0:
            return -math.log10(count), a + b
        largest = float(self.tables.clusters.counts[0]) if len(self.tables.clusters) else 1.0
        backing_off = math.log10(self._cluster_count(a) * self._cluster_count(b) / largest**2)
        return -math.log10(self.tables.pairs.smallest_count or 1.0) + 1 - backing_off, a + b


def _first_largest(candidates: Sequence[tuple[float, str]]) -> tuple[float, str]:
    return max(candidates, key=itemgetter(0))


def axis_pair(axes: Axes, corpus: ReferenceCorpus) -> AxisPair:
    """The axes of this kind over a reference corpus."""
    if axes is Axes.CHARACTER:
        return CharacterAxes(corpus.character_tables)
    return WordAxes(corpus.word_tables)
