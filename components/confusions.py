"""What became what: the table of confusions, and the one that a list of items is narrowed to."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import streamlit as st

from annotator.analyses.confusions import ConfusionReport, report_confusions
from annotator.records import Query
from annotator.store.project import Project
from components.marks import shown
from components.reports import REPORTS_KEPT
from components.state import Key, address, read, write
from components.tables import Column, Kind, Row, show_table

OPS = {"sub": "substituted", "del": "deleted", "ins": "inserted"}
COLUMNS = (
    Column("what", "Edit"),
    Column("gold", "Gold", Kind.READ),
    Column("predicted", "Predicted", Kind.READ),
    Column("script", "Script"),
    Column("count", "Edits", Kind.COUNT, "How often this edit was made, over the systems shown.", link="items_of"),
    Column("share", "Share %", Kind.PERCENT, "Of all edits of the systems shown."),
    Column("items", "Items", Kind.COUNT, "Distinct items with this edit.", link="items_of"),
)


@st.cache_resource(max_entries=REPORTS_KEPT, show_spinner="Counting edits …")
def _report(folder: str, revision: int, query: Query, op: str, _project: Project) -> ConfusionReport:
    return report_confusions(_project, query, op)


def show_confusions(project: Project, query: Query) -> None:
    """Draw the most frequent edits, each number a link to the items with that edit; closed until it is asked for."""
    with st.expander(
        "What became what: the most frequent edits", icon=":material/swap_horiz:", key="confusions", on_change="rerun"
    ) as panel:
        if not panel.open:
            return
        op = st.segmented_control(
            "Kind of edit",
            list(OPS),
            format_func=lambda name: OPS[name],
            key="confusion-op",
            label_visibility="collapsed",
        )
        asked = dataclasses.replace(query, profile="raw", own_gold=False)
        report = _report(str(project.folder), project.revision(), asked, op or "", project)
        rows: list[Row] = [_row(line, query) for line in report.rows]
        show_table(
            COLUMNS,
            rows,
            key="confusions",
            caption=f"The {len(rows):,} most frequent of {report.kinds:,} kinds of edit",
        )


def _row(line: object, query: Query) -> Row:
    values = dataclasses.asdict(line)  # type: ignore[call-overload]
    edit = json.dumps([values["op"], values["gold"], values["predicted"]], ensure_ascii=False)
    run = {"system": query.systems[0] if len(query.systems) == 1 else ""}
    return {**values, "what": OPS[values["op"]], "items_of": address("items", **run, edit=edit)}


def chosen_edit() -> tuple[str, str, str] | None:
    """The edit in the address, `None` when there is none or it is not one."""
    try:
        parts = json.loads(read(Key.EDIT))
    except (ValueError, RecursionError):
        return None
    if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(part, str) for part in parts):
        return None
    op, gold, predicted = parts
    return (op, gold, predicted) if op in OPS else None


def show_chosen_edit(clears: Sequence[Key]) -> None:
    """Say which edit the list is narrowed to, with a button that takes the filter away."""
    edit = chosen_edit()
    if edit is None:
        return
    op, gold, predicted = edit
    with st.container(horizontal=True, vertical_alignment="center"):
        texts = " → ".join(f"<bdi>{shown(text, True)}</bdi>" if text else "∅" for text in (gold, predicted))
        st.html(f"<p>Items in which {OPS[op]}: <strong>{texts}</strong></p>")
        st.button("All edits", icon=":material/close:", key="all-edits", on_click=_clear, args=(tuple(clears),))


def _clear(clears: Sequence[Key]) -> None:
    write(dict.fromkeys((Key.EDIT, *clears), ""))
