"""The 5 x 5 grid: counts per cell, and the effects that are read off it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.strata.tables import Floats, Ints
from annotator.records import Cell

CORNER = Cell(5, 5)
CENTRE = Cell(3, 3)
CELLS = tuple(Cell(word, ngram) for word in range(1, 6) for ngram in range(1, 6))


@dataclass(frozen=True, slots=True)
class CellCount:
    """What adds up in one cell: `n` answered items, `correct` by STR word accuracy, and a metric's sums.

    The cell's value is `total / weight`: right answers over items, edits over gold clusters, confidence over items.
    """

    n: int = 0
    correct: int = 0
    total: float = 0.0
    weight: float = 0.0

    def __add__(self, other: CellCount) -> CellCount:
        return CellCount(
            self.n + other.n, self.correct + other.correct, self.total + other.total, self.weight + other.weight
        )

    @property
    def value(self) -> float | None:
        """The metric of the cell, `None` when nothing in it can be measured."""
        return self.total / self.weight if self.weight > 0 else None

    @property
    def accuracy(self) -> float | None:
        """STR word accuracy, `None` when the cell is empty."""
        return self.correct / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Grid:
    """25 cells, word quintile first: `cells[(i - 1) * 5 + (j - 1)]` is word quintile i, n-gram quintile j. Grids add."""

    cells: tuple[CellCount, ...] = (CellCount(),) * 25

    def __getitem__(self, cell: Cell) -> CellCount:
        return self.cells[(cell.word - 1) * 5 + (cell.ngram - 1)]

    def __add__(self, other: Grid) -> Grid:
        return Grid(tuple(a + b for a, b in zip(self.cells, other.cells, strict=True)))

    def select(self, cells: Iterable[Cell]) -> CellCount:
        """The sum of the chosen cells, each once."""
        return sum((self[cell] for cell in dict.fromkeys(cells)), CellCount())

    @property
    def total(self) -> CellCount:
        """All cells together."""
        return sum(self.cells, CellCount())

    def along_word(self) -> tuple[CellCount, ...]:
        """The marginal curve along the word axis, q1 to q5, each summed over the n-gram quintiles."""
        return tuple(self.select(Cell(word, ngram) for ngram in range(1, 6)) for word in range(1, 6))

    def along_ngram(self) -> tuple[CellCount, ...]:
        """The marginal curve along the n-gram axis, q1 to q5, each summed over the word quintiles."""
        return tuple(self.select(Cell(word, ngram) for word in range(1, 6)) for ngram in range(1, 6))


def count_grid(
    word: Ints, ngram: Ints, correct: NDArray[np.bool_], total: Floats | None = None, weight: Floats | None = None
) -> Grid:
    """Count answered items into cells. All arguments have shape (items,); quintiles run from 1 to 5.

    `total` and `weight` are the metric's numerator and denominator per item; without them the metric is `correct`.
    """
    place = (word - 1) * 5 + (ngram - 1)
    n = np.bincount(place, minlength=25)
    right = np.bincount(place, weights=correct, minlength=25)
    sums = right if total is None else np.bincount(place, weights=total, minlength=25)
    weights = n if weight is None else np.bincount(place, weights=weight, minlength=25)
    return Grid(tuple(CellCount(int(n[k]), int(right[k]), float(sums[k]), float(weights[k])) for k in range(25)))


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference of two cell values. `value` is `None` when a cell is empty; `why` then says which."""

    value: float | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Interaction:
    """The decomposition of StratiSTR Table 6. Where all are defined, marginal word + conditional n-gram = joint."""

    marginal_ngram: Effect
    marginal_word: Effect
    conditional_ngram: Effect
    joint: Effect

    @property
    def adds_up(self) -> bool | None:
        """Whether marginal word + conditional n-gram equals the joint effect (to 1e-9); `None` where one is undefined."""
        parts = (self.marginal_word.value, self.conditional_ngram.value, self.joint.value)
        if parts[0] is None or parts[1] is None or parts[2] is None:
            return None
        return abs(parts[0] + parts[1] - parts[2]) < 1e-9


def subtract_cells(values: Mapping[Cell, float | None], later: Cell, earlier: Cell) -> Effect:
    """`values[later] - values[earlier]`."""
    high, low = values.get(later), values.get(earlier)
    if high is None or low is None:
        empty = [str(cell) for cell, value in ((earlier, low), (later, high)) if value is None]
        return Effect(None, f"nothing measured in cell {' and '.join(empty)}")
    return Effect(high - low)


EFFECTS: Mapping[str, tuple[Cell, Cell]] = {
    "marginal_ngram": (Cell(1, 5), Cell(1, 1)),
    "marginal_word": (Cell(5, 1), Cell(1, 1)),
    "conditional_ngram": (CORNER, Cell(5, 1)),
    "joint": (CORNER, Cell(1, 1)),
}
"""The cell and the one taken from it, for each effect of `Interaction`."""


def decompose(values: Mapping[Cell, float | None]) -> Interaction:
    """The four effects from cell values: n-gram q5 - q1 at word q1 and at word q5, word q5 - q1 at n-gram q1, joint."""
    return Interaction(**{name: subtract_cells(values, *cells) for name, cells in EFFECTS.items()})


def cell_values(grid: Grid) -> dict[Cell, float | None]:
    """The metric of every cell."""
    return {cell: grid[cell].value for cell in CELLS}


def find_gap(grid: Grid) -> Effect:
    """The compositional gap: corner q5/q5 minus centre q3/q3. Source: StratiSTR section 3.2, Delta_stress."""
    return subtract_cells(cell_values(grid), CORNER, CENTRE)


@dataclass(frozen=True, slots=True)
class BenchmarkGap:
    """Corner and centre of one benchmark, and its weight n5 n3 / (n5 + n3) (0 when a cell is empty)."""

    benchmark: str
    corner: CellCount
    centre: CellCount

    @property
    def weight(self) -> float:
        n5, n3 = self.corner.n, self.centre.n
        return n5 * n3 / (n5 + n3) if n5 and n3 else 0.0


def split_gap(grids: Mapping[str, Grid]) -> tuple[BenchmarkGap, ...]:
    """Corner and centre of each benchmark's grid."""
    return tuple(BenchmarkGap(name, grid[CORNER], grid[CENTRE]) for name, grid in grids.items())


def stratify_gap(gaps: Sequence[BenchmarkGap]) -> Effect:
    """The gap within benchmarks: sum of w_b (corner_b - centre_b) / sum of w_b over benchmarks with both cells.

    Rarity goes with benchmark, so the pooled gap mixes the two; this one does not.
    """
    weighed = 0.0
    weights = 0.0
    for gap in gaps:
        corner, centre = gap.corner.value, gap.centre.value
        if corner is not None and centre is not None and gap.weight > 0:
            weighed += gap.weight * (corner - centre)
            weights += gap.weight
    return Effect(weighed / weights) if weights else Effect(None, "no benchmark has both a corner and a centre")
