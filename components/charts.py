"""How every chart behaves: a button that saves the picture as SVG, and parts that are chosen by pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from components.state import Session


def chart_config(name: str) -> dict[str, Any]:
    """Plotly's settings for a chart: one button, which saves it as NAME.svg (made in the browser, for a paper)."""
    return {
        "displaylogo": False,
        "displayModeBar": "hover",
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }


def pick_chart(figure: Any, *, key: str, name: str, alt: str, on_pick: Callable[[Sequence[Any]], None]) -> None:
    """Draw a Plotly figure whose points are chosen by pointer. `on_pick` gets the point's custom data, as a callback."""
    # A fresh widget after each pick, so that the same point can be clicked again.
    widget = f"{key}-{st.session_state.get(Session.NONCE, 0)}"

    def from_chart() -> None:
        # Only here: the returned value would be old state on every later run. An empty selection is no choice.
        points = st.session_state[widget].selection.points
        st.session_state[Session.NONCE] = st.session_state.get(Session.NONCE, 0) + 1
        if points:
            on_pick(points[0]["customdata"])

    st.plotly_chart(
        figure, key=widget, on_select=from_chart, selection_mode="points", config=chart_config(name), alt=alt
    )
