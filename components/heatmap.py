"""A heat map whose cells are chosen by pointer (Plotly), by keyboard (a table of buttons) or from a list."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection
from typing import Any

import streamlit as st

from components.charts import pick_chart
from components.grid import keyboard_grid
from components.heat import CIVIDIS, DARK_STEPS, HeatGrid, Place
from components.numbers import written

OnPick = Callable[[int, int], None]
CHOSEN = "#d55e00"
HEIGHT = 456
ROW_HEIGHT, AROUND = 36, 130
ROOMY = 8  # columns up to here keep their text at full size; in more, text shrinks to its cell


def heat_map(grid: HeatGrid, chosen: Collection[Place], *, key: str, on_pick: OnPick) -> None:
    """Draw the heat map, a list of its cells and the keyboard grid. `on_pick(x, y)` runs as a callback."""
    pick_chart(
        figure(grid, chosen),
        key=key,
        name=key,
        alt=f"{grid.title}. The list and the table below hold the same numbers and work with the keyboard.",
        on_pick=lambda place: on_pick(int(place[0]), int(place[1])),
    )
    _cell_list(grid, chosen, key, on_pick)
    with st.expander("The same as a table, by keyboard", icon=":material/keyboard:"):
        keyboard_grid(grid, chosen, key=f"{key}-grid", on_pick=on_pick)


def _cell_list(grid: HeatGrid, chosen: Collection[Place], key: str, on_pick: OnPick) -> None:
    widget = f"{key}-list"
    places = {grid.names[x][y]: (x, y) for x, y in reversed(grid.places)}
    first = next((grid.names[x][y] for x, y in chosen), None)
    st.session_state[widget] = first

    def from_list() -> None:
        name = st.session_state[widget]
        if name in places:
            on_pick(*places[name])

    st.selectbox(
        "Cell",
        list(places),
        index=None,
        key=widget,
        format_func=lambda name: grid.words(places[name]),
        placeholder="Choose a cell",
        on_change=from_list,
    )


def figure(grid: HeatGrid, chosen: Collection[Place]) -> Any:
    """The Plotly figure: a heat map for the colours, transparent bars over it that take the clicks and hatch the empty."""
    import plotly.graph_objects as go

    low, high = grid.range()
    chart = go.Figure()
    chart.add_heatmap(
        z=[[grid.at((x, y)).value for x in range(len(grid.x_labels))] for y in range(len(grid.y_labels))],
        x=list(range(len(grid.x_labels))),
        y=list(range(len(grid.y_labels))),
        hoverinfo="skip",
        hoverongaps=False,
        colorscale=[[i / (len(CIVIDIS) - 1), colour] for i, colour in enumerate(CIVIDIS)],
        zmin=low,
        zmax=high if high > low else low + 1e-9,
        showscale=False,
        xgap=2,
        ygap=2,
    )
    chart.add_bar(**_hit_layer(grid))
    for place in grid.framed:
        chart.add_shape(**_frame(place, "#ffffff", 4))
        chart.add_shape(**_frame(place, "#1c2026", 2, "dot"))
    for place in chosen:
        chart.add_shape(**_frame(place, CHOSEN, 5))
    return _laid_out(chart, grid)


def _cell_text(grid: HeatGrid, place: Place) -> str:
    cell = grid.at(place)
    if cell.n == 0:
        return ""
    return f"{written(cell.value, grid.kind)}<br><span style='font-size:.8em'>n {cell.n:,}</span>"


def _hit_layer(grid: HeatGrid) -> dict[str, Any]:
    """Bars cover the whole of each cell at any size; a heat map alone gives no selection event."""
    places = grid.places
    empty = [grid.is_hatched(place) for place in places]
    return {
        "x": [x for x, _ in places],
        "y": [1] * len(places),
        "base": [y - 0.5 for _, y in places],
        "width": 1,
        "marker": {
            "color": "rgba(0,0,0,0)",
            "line": {"width": 0},
            "pattern": {
                "shape": ["/" if hatched else "" for hatched in empty],
                "fgcolor": "rgba(128,128,128,.55)",
                "bgcolor": "rgba(0,0,0,0)",
                "size": 8,
                "solidity": 0.15,
            },
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "text": [_cell_text(grid, place) for place in places],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none" if len(grid.x_labels) <= ROOMY else "inside",
        "insidetextfont": {"size": 13, "color": [_ink(grid, place) for place in places]},
        "customdata": [[x, y] for x, y in places],
        "hovertext": [html.escape(grid.words(place)) for place in places],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }


def _ink(grid: HeatGrid, place: Place) -> str:
    """Text switches at mid luminance of the colour below it."""
    step = grid.step(place)
    return "#808080" if step is None else "#ffffff" if step < DARK_STEPS else "#111111"


def _frame(place: Place, colour: str, width: int, dash: str = "solid") -> dict[str, Any]:
    x, y = place
    return {
        "type": "rect",
        "x0": x - 0.47,
        "x1": x + 0.47,
        "y0": y - 0.46,
        "y1": y + 0.46,
        "line": {"width": width, "color": colour, "dash": dash},
        "layer": "above",
    }


def _laid_out(chart: Any, grid: HeatGrid) -> Any:
    ink = {"color": "#b3bac4" if st.context.theme.type == "dark" else "#50565f"}

    def axis(title: str, labels: tuple[str, ...]) -> dict[str, Any]:
        return {
            "title": {"text": html.escape(title), "standoff": 14, "font": ink},
            "tickvals": list(range(len(labels))),
            "ticktext": [html.escape(label) for label in labels],
            "tickfont": ink,
            "range": [-0.5, len(labels) - 0.5],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
        }

    return chart.update_layout(
        barmode="overlay",
        bargap=0,
        dragmode=False,
        clickmode="event+select",
        height=max(HEIGHT, AROUND + ROW_HEIGHT * len(grid.y_labels)),
        margin={"l": 8, "r": 4, "t": 30, "b": 8},
        xaxis=axis(grid.x_title, grid.x_labels),
        yaxis=axis(grid.y_title, grid.y_labels),
    )
