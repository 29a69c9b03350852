"""The letters that a reader knows: grapheme clusters as numbers, right-to-left words in the order of the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from annotator.text.graphemes import split_graphemes
from annotator.text.scripts import Direction, direction

BLANK = 0
"""Class 0: "no letter here" of the CTC head, "the word ends" of the autoregressive one."""


@dataclass(frozen=True)
class Alphabet:
    """Clusters in a fixed order; cluster k is class k + 1. `start` is what the autoregressive head is given first."""

    clusters: tuple[str, ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> Alphabet:
        """The clusters that occur in `words`, sorted."""
        return cls(tuple(sorted({cluster for word in words for cluster in split_graphemes(word)})))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {cluster: place for place, cluster in enumerate(self.clusters, start=1)}

    @property
    def classes(self) -> int:
        """Clusters and the class 0."""
        return len(self.clusters) + 1

    @property
    def start(self) -> int:
        """The symbol before the first letter."""
        return self.classes

    def encode(self, word: str) -> list[int]:
        """Classes of the clusters of `word`, left to right as they stand in the picture.

        Raises `KeyError` for a cluster that the alphabet lacks.
        """
        places = [self._places[cluster] for cluster in split_graphemes(word)]
        return places[::-1] if direction(word) is Direction.RTL else places

    def decode(self, places: Sequence[int]) -> list[str]:
        """The clusters of classes that stand left to right in the picture, in reading order."""
        found = [self.clusters[place - 1] for place in places]
        return found[::-1] if self.turns(places) else found

    def turns(self, places: Sequence[int]) -> bool:
        """Whether the classes of a picture are read from right to left."""
        return direction("".join(self.clusters[place - 1] for place in places)) is Direction.RTL
