"""Links from page to page that keep the filters."""

from __future__ import annotations

import streamlit as st

from components.state import following


def link(page: str, label: str, *, icon: str | None = None, help: str | None = None, **query: str) -> None:
    """A link to another page that keeps the filters. `query` adds parameters: `link("pages/items.py", "…", item="7")`."""
    try:
        st.page_link(page, label=label, icon=icon, help=help, query_params=following(**query))
    except st.errors.StreamlitAPIException:
        # A page that is run on its own (a test of one file) knows no other pages.
        st.text(label)
