"""Steps through the pages of a list."""

from __future__ import annotations

import html
from collections.abc import Callable

import streamlit as st

from components.state import Key, read, write


def page_number() -> int:
    """The page in the address, 1 when there is none."""
    text = read(Key.PAGE)
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 7 else 1


def pager(total: int, size: int, number: int, acts: Callable[[], None] | None = None) -> None:
    """Draw "1-48 of 6,657" with buttons to the page before and after; the page stands in the address.

    `acts` draws what can be done with the whole list into the same row.
    """
    pages = max(1, -(-total // size))
    first, last = (number - 1) * size + 1, min(number * size, total)
    with st.container(horizontal=True, vertical_alignment="center", key="pager"):
        words = f"{first:,}\u2013{last:,} of {total:,}" if first <= total else f"{total:,} in all"
        st.html(f'<span class="v-place">{html.escape(words)}</span>')
        if pages > 1:
            _turn("Page before", number - 1, number <= 1, ":material/chevron_left:")
            _turn("Page after", number + 1, number >= pages, ":material/chevron_right:")
        if acts:
            acts()


def _turn(label: str, target: int, disabled: bool, icon: str) -> None:
    st.button(
        label,
        key=f"page-{label}",
        icon=icon,
        type="tertiary",
        disabled=disabled,
        on_click=write,
        args=({Key.PAGE: "" if target <= 1 else str(target)},),
    )
