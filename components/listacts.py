"""What is done with a whole list of items: take it away as CSV, or make it the pool of a study."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotator.analyses.items import items_by_key
from annotator.exports.cells import list_table
from annotator.exports.writing import csv_text
from annotator.records import Query
from annotator.store.project import Project
from components.links import link
from components.state import Session


def list_acts(project: Project, query: Query, keys: Sequence[int], *, name: str, cell: str = "") -> None:
    """Draw the acts. The file is made only when it is asked for; `cell` makes the pool of a study those cells."""
    if not keys:
        return
    st.download_button(
        "Download list",
        lambda: csv_text(list_table(project, query, keys, name)),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"download-{name}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        help="All items of this list with every system's answer, as CSV.",
    )
    if cell:
        link("pages/studies.py", "Make this cell a pool", icon=":material/groups:", cell=cell)
    elif st.button("Make this a pool", key=f"pool-{name}", icon=":material/groups:", type="tertiary"):
        st.session_state[Session.POOL] = tuple(item.id for item in items_by_key(project, keys))
        st.switch_page("pages/studies.py")


def pool_ids() -> tuple[str, ...]:
    """The ids of the list that was made a pool, empty when none was."""
    return tuple(st.session_state.get(Session.POOL, ()))


def forget_pool_button() -> None:
    """Let go of the list that was made a pool, where there is one."""
    if pool_ids():
        st.button("Use all items instead of the chosen list", key="pool-forget", type="tertiary", on_click=_forget)


def _forget() -> None:
    st.session_state.pop(Session.POOL, None)
