"""Names ranked by how often they occur: the words of a reference corpus, or its n-grams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def ranks_of_counts(counts: Floats) -> Ints:
    """Competition ranks of `counts`: 1 + how many counts are larger, so ties share the better rank.

    `counts` has shape (n,) in any order; the ranks come back in the same order.
    """
    falling = -np.sort(-counts)
    return np.searchsorted(-falling, -counts, side="left").astype(np.int64) + 1


@dataclass(frozen=True)
class RankTable:
    """Names with their counts and ranks, most frequent first; ties stay in the order they were given in.

    `counts` and `ranks` have shape (len(names),). A name that is absent has rank `len(table) + 1`.
    """

    names: tuple[str, ...]
    counts: Floats
    ranks: Ints

    @classmethod
    def from_counts(cls, names: Sequence[str], counts: Floats) -> RankTable:
        """Rank distinct `names` by their `counts` (shape (n,))."""
        order = np.argsort(-counts, kind="stable")
        falling = np.ascontiguousarray(counts[order], dtype=np.float64)
        return cls(tuple(names[i] for i in order.tolist()), falling, ranks_of_counts(falling))

    @classmethod
    def from_order(cls, names: Sequence[str]) -> RankTable:
        """Rank distinct `names` by their place in the list; each counts once."""
        size = len(names)
        return cls(tuple(names), np.ones(size), np.arange(1, size + 1, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return dict(zip(self.names, range(len(self.names)), strict=True))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def rank(self, name: str) -> int:
        """The rank of `name`, 1 = most frequent; `len(self) + 1` when it is absent."""
        place = self._places.get(name)
        return len(self.names) + 1 if place is None else int(self.ranks[place])

    def count(self, name: str) -> float:
        """The count of `name`; 0.0 when it is absent."""
        place = self._places.get(name)
        return 0.0 if place is None else float(self.counts[place])

    def rank_of_count(self, count: float) -> int:
        """Where something of this count would stand: 1 + how many names have a larger count; last + 1 for 0."""
        if count <= 0:
            return len(self.names) + 1
        return int(np.searchsorted(-self.counts, -count, side="left")) + 1

    @property
    def smallest_count(self) -> float | None:
        """The smallest count in the table, `None` when it is empty."""
        return float(self.counts[-1]) if len(self.names) else None
