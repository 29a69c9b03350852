"""A grid of values to be drawn: what the heat map and its keyboard table share."""

from __future__ import annotations

from dataclasses import dataclass

from components.numbers import Kind, written

Place = tuple[int, int]
CIVIDIS = (
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838",
)  # fmt: skip

DARK_STEPS = 5  # white text up to here, dark text above


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One cell: its value (`None` where undefined) and the number of items behind it."""

    value: float | None
    n: int


@dataclass(frozen=True, slots=True)
class HeatGrid:
    """A grid of cells, `cells[x][y]` with x from left to right and y from bottom to top.

    `names[x][y]` is what a cell is called in the list ("5-5"); `framed` cells carry a frame of their own. Cells with fewer
    than `sparse_below` items are hatched like empty ones, their number kept.
    """

    cells: tuple[tuple[HeatCell, ...], ...]
    names: tuple[tuple[str, ...], ...]
    x_labels: tuple[str, ...]
    y_labels: tuple[str, ...]
    x_title: str
    y_title: str
    title: str
    kind: Kind = Kind.PERCENT
    framed: tuple[Place, ...] = ()
    sparse_below: int = 0

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple((x, y) for y in range(len(self.y_labels)) for x in range(len(self.x_labels)))

    def at(self, place: Place) -> HeatCell:
        return self.cells[place[0]][place[1]]

    def range(self) -> tuple[float, float]:
        """The smallest and largest defined value; 0 and 1 when there is none."""
        values = [cell.value for column in self.cells for cell in column if cell.value is not None]
        return (min(values), max(values)) if values else (0.0, 1.0)

    def words(self, place: Place) -> str:
        """`5-5: 81.46, n 615` of a cell, or that it is empty."""
        cell = self.at(place)
        name = self.names[place[0]][place[1]]
        sparse = ", sparse" if self.is_hatched(place) else ""
        return f"{name}: empty" if cell.n == 0 else f"{name}: {written(cell.value, self.kind)}, n {cell.n:,}{sparse}"

    def is_hatched(self, place: Place) -> bool:
        """Whether a cell is empty, or holds too few items to be read."""
        return self.at(place).n < max(1, self.sparse_below)

    def step(self, place: Place) -> int | None:
        """Which of the colours of `CIVIDIS` a cell has; `None` where it has no value."""
        value = self.at(place).value
        low, high = self.range()
        return None if value is None else round((len(CIVIDIS) - 1) * (value - low) / ((high - low) or 1))
