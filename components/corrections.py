"""What a reader may change about an item: a note and tags; the owner also its gold, its standard form and its mark."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from annotator.analyses.items import ItemDetail
from annotator.analyses.notes import keep_note
from annotator.errors import VerbatimError
from annotator.ingest.corrections import correct_item, mark_item, undo
from annotator.store.detail import HistoryRow
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.lists import forget_items
from components.notes import error_in_words, note
from components.state import say_after

MARKS = {"": "Gold is right", "gold-wrong": "Gold is wrong", "unreadable": "Unreadable"}


def correction_panel(project: Project, detail: ItemDetail, *, key: str = "item") -> None:
    """Draw the note, the mark, the correction and what was changed before, each with its undo."""
    item = detail.item
    with st.expander("Note, tags, mark, correction", icon=":material/edit_note:", key=f"{key}-panel"):
        left, right = st.columns(2, gap="medium")
        with left:
            _mark(project, detail)
            _correction(project, detail)
        with right:
            _note(project, detail)
            for row in detail.history:
                _history(project, row)
    if item.mark:
        note(f"{MARKS[item.mark]}: this item is in no rate, and every report says how many are left out.")


def _mark(project: Project, detail: ItemDetail) -> None:
    item, widget = detail.item, f"mark-{detail.item.key}"
    st.session_state[widget] = item.mark

    def changed() -> None:
        _act(lambda: mark_item(project, item.id, str(st.session_state[widget] or "")), "Mark saved.")

    st.segmented_control(
        "Mark", list(MARKS), key=widget, required=True, format_func=MARKS.__getitem__, on_change=changed
    )


def _correction(project: Project, detail: ItemDetail) -> None:
    item = detail.item
    with st.form(f"correct-{item.key}-{len(detail.history)}", border=False):
        gold = st.text_input(
            "Gold", value=item.gold or "", help="The verbatim text: what is written, misspellings kept."
        )
        standard = st.text_input("Standard form", value=item.standard, help="Empty where it does not differ from gold.")
        sent = st.form_submit_button("Correct and realign")
    changed = standard if standard != item.standard else None
    if sent and _act(lambda: correct_item(project, item.id, gold, changed), "Corrected; answers aligned anew."):
        st.rerun()


def _note(project: Project, detail: ItemDetail) -> None:
    with st.form(f"note-{detail.item.key}", border=False):
        text = st.text_area("Note", value=detail.note.note, height=90)
        tags = st.text_input("Tags", value=", ".join(detail.note.tags), help="Words, separated by commas.")
        sent = st.form_submit_button("Keep note")
    if sent and _act(lambda: keep_note(project, detail.item.key, text, tags.split(",")), "Note kept."):
        st.rerun()


def _history(project: Project, row: HistoryRow) -> None:
    was, now = (escape_controls(value or "nothing") for value in (row.old, row.new))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"{row.field}: {was} → {now}{' (undone)' if row.undone else ''}")
        if not row.undone:
            st.button(
                "Undo",
                key=f"undo-{row.key}",
                type="tertiary",
                on_click=_act,
                args=(lambda: undo(project, row.key), "Put back as it was."),
            )


def _act(act: Callable[[], object], message: str) -> bool:
    try:
        act()
    except VerbatimError as error:
        error_in_words(error)
        return False
    forget_items()
    say_after(message)
    return True
