"""The heat map's figure: colours, clicks, hatching, frames."""

from __future__ import annotations

import pytest

from components.grid import _cell
from components.heat import CIVIDIS, HeatCell, HeatGrid
from components.heatmap import figure


def _grid(value: float | None = 0.5) -> HeatGrid:
    cells = [[HeatCell((x + 5 * y) / 25, 10 + x) for y in range(5)] for x in range(5)]
    cells[0][4] = HeatCell(None, 0)
    cells[2][2] = HeatCell(value, 7)
    return HeatGrid(
        cells=tuple(map(tuple, cells)),
        names=tuple(tuple(f"{x + 1}-{y + 1}" for y in range(5)) for x in range(5)),
        x_labels=("1", "2", "3", "4", "5"),
        y_labels=("1", "2", "3", "4", "5"),
        x_title="word",
        y_title="trigram",
        title="Accuracy",
        framed=((4, 4), (2, 2)),
    )


def test_z_runs_by_row_then_column() -> None:
    heat = figure(_grid(), ()).data[0]
    assert heat.z[1][3] == pytest.approx((3 + 5) / 25)
    assert heat.z[4][0] is None


def test_the_hit_layer_has_a_bar_on_every_cell_and_hatches_the_empty_one() -> None:
    bars = figure(_grid(), ()).data[1]
    spots = [tuple(spot) for spot in bars.customdata]
    assert len(set(spots)) == 25
    assert bars.width == 1
    for (x, y), centre, base in zip(spots, bars.x, bars.base, strict=True):
        assert (x, y - 0.5) == (centre, base)
    hatched = [spot for spot, shape in zip(spots, bars.marker.pattern.shape, strict=True) if shape]
    assert hatched == [(0, 4)]


def test_chosen_cells_are_framed_from_our_state() -> None:
    plain, chosen = figure(_grid(), ()), figure(_grid(), ((1, 1), (4, 4)))
    assert len(chosen.layout.shapes) - len(plain.layout.shapes) == 2


def test_every_cell_says_its_n() -> None:
    bars = figure(_grid(), ()).data[1]
    text = dict(zip(map(tuple, bars.customdata), bars.text, strict=True))
    assert "n 14" in text[(4, 0)]
    assert text[(0, 4)] == ""


def test_text_is_light_on_dark_and_dark_on_light() -> None:
    bars = figure(_grid(), ()).data[1]
    ink = dict(zip(map(tuple, bars.customdata), bars.insidetextfont.color, strict=True))
    assert ink[(0, 0)] == "#ffffff"
    assert ink[(4, 4)] == "#111111"


def test_equal_values_have_a_colour() -> None:
    grid = _grid()
    flat = HeatGrid(
        tuple(tuple(HeatCell(0.5, 3) for _ in range(5)) for _ in range(5)),
        grid.names, grid.x_labels, grid.y_labels, "x", "y", "flat",
    )  # fmt: skip
    assert flat.step((0, 0)) == 0
    assert figure(flat, ()).data[0].zmax > 0.5


def test_the_table_has_the_same_colours_and_words() -> None:
    cell = _cell(_grid(), (4, 3))
    assert cell["fill"] in CIVIDIS
    assert cell["words"] == "5-4: 76.00, n 14"
    assert _cell(_grid(), (0, 4))["words"] == "1-5: empty"
    assert "fill" not in _cell(_grid(), (0, 4))
