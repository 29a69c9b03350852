"""How every chart behaves: no zooming by accident, and a button that saves the picture as SVG."""

from __future__ import annotations

from typing import Any


def chart_config(name: str) -> dict[str, Any]:
    """Plotly's settings for a chart: one button, which saves it as NAME.svg (made in the browser, for a paper)."""
    return {
        "displaylogo": False,
        "displayModeBar": "hover",
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
