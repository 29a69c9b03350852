"""Check first as a working list: each edit in its context beside the picture, marked done or gold wrong, by key or button."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from annotator.analyses.items import items_by_key
from annotator.analyses.severity.checking import CheckPage, check_first, edit_order, explain_edit, mark_edit
from annotator.analyses.severity.loading import charges_state
from annotator.errors import VerbatimError
from annotator.exports.checklist import checklist_table
from annotator.exports.writing import csv_text
from annotator.ingest.corrections import mark_item
from annotator.records import Query
from annotator.store.checklist import WorstEdit
from annotator.store.detail import ItemFields
from annotator.store.project import Project
from annotator.text.align import Op
from annotator.text.graphemes import split_graphemes
from annotator.text.visible import escape_controls
from components.edits import LETTERS, WORDS
from components.image import picture_of
from components.marks import direction, shown
from components.notes import empty_state
from components.numbers import Figure, Kind, show_figures, written
from components.pager import page_number, pager
from components.remember import settled
from components.shell import link
from components.state import Key, Session, read, say_after, write

PAGE_SIZE = 10
AROUND = 24
KEYS = "Keys: d done · w gold wrong · u take back · ← → the edit before and after"
STATES = {"done": "done", "gold-wrong": "gold wrong"}


def show_check_first(project: Project, query: Query, provider: str, hide_done: bool) -> None:
    """Draw the page of the list that the address names, its progress, and the buttons that work through it."""
    number = page_number()
    state = charges_state(project, query, provider)
    order = None
    if state is not None:
        order = settled(project, "edit order", (provider, state), lambda: edit_order(project, query, provider))
    page = check_first(project, query, provider, (number - 1) * PAGE_SIZE, PAGE_SIZE, hide_done, order)
    _last_gold_wrong(project, page)
    if not page.total_edits:
        empty_state("No charged edits here", "Nothing was misread, or the provider has charged nothing in this choice.")
        return
    _progress(page)
    if not page.edits:
        empty_state("Nothing left on this page", "Every edit of it is marked. Show what is done, or go to page 1.")
    pager(page.listed, PAGE_SIZE, number)
    current = _current(page)
    _steps(page, current, number)
    for at in range(len(page.edits)):
        _row(project, page, at, at == current)
    st.download_button(
        "Download the list (CSV)",
        lambda: csv_text(checklist_table(project, query, provider, hide_done)).encode(),
        file_name="check-first.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _progress(page: CheckPage) -> None:
    last = page.caught[-1] if page.caught else None
    show_figures(
        [
            Figure("Edits on the list", page.listed, note=f"{page.total_edits:,} charged in all"),
            Figure("Marked", page.marked, note="done or gold wrong"),
            Figure("Damage", page.total_damage, Kind.NUMBER, help="Sum of the severities of all charged edits."),
            Figure(
                "Caught by the end of this page", last, Kind.PERCENT, why="no damage",
                help="Share of all damage in the edits down to the last one of this page, and in hidden marked ones.",
            ),
        ]
    )  # fmt: skip


def _name(edit: WorstEdit) -> str:
    return f"{edit.prediction_key}.{edit.ordinal}"


def _current(page: CheckPage) -> int:
    """The row in hand: the one in the address, else the first that is not marked."""
    names = [_name(edit) for edit in page.edits]
    if read(Key.EDIT) in names:
        return names.index(read(Key.EDIT))
    return next((at for at, edit in enumerate(page.edits) if not edit.state), 0)


def _steps(page: CheckPage, current: int, number: int) -> None:
    names = [_name(edit) for edit in page.edits]
    more = number * PAGE_SIZE < page.listed
    with st.container(horizontal=True, vertical_alignment="center", key="check-steps"):
        before = {Key.EDIT: names[current - 1]} if current > 0 else {}
        after = {Key.EDIT: names[current + 1]} if current + 1 < len(names) else {}
        if not after and more:
            after = {Key.EDIT: "", Key.PAGE: str(number + 1)}
        _step("Previous", before, "Left", ":material/chevron_left:")
        _step("Next", after, "Right", ":material/chevron_right:")
        st.html(f'<p class="v-note">{KEYS}</p>')


def _step(label: str, target: dict[Key, str], shortcut: str, icon: str) -> None:
    st.button(
        label, key=f"check-{label}", icon=icon, shortcut=shortcut, disabled=not target, on_click=write, args=(target,)
    )


def _row(project: Project, page: CheckPage, at: int, current: bool) -> None:
    edit = page.edits[at]
    following = _name(page.edits[at + 1]) if at + 1 < len(page.edits) else ""
    with st.container(border=True, key="check-current" if current else f"check-row-{at}", gap="xsmall"):
        picture, texts, acts = st.columns([2, 6, 2], vertical_alignment="center")
        picture.html(_picture(project, edit))
        texts.html(edit_html(edit, page.caught[at], explain_edit(edit).rule))
        with acts:
            _acts(project, edit, following, at, current)


def _acts(project: Project, edit: WorstEdit, following: str, at: int, current: bool) -> None:
    def act(label: str, state: str, key: str, icon: str) -> None:
        st.button(
            label, key=f"{label}-{at}", icon=icon, shortcut=key if current else None, width="stretch",
            type="primary" if current and state == "done" else "secondary",
            on_click=_mark, args=(project, edit, state, following),
        )  # fmt: skip

    if edit.state:
        act("Take back", "", "u", ":material/undo:")
    else:
        act("Done", "done", "d", ":material/check:")
        act("Gold wrong", "gold-wrong", "w", ":material/edit_off:")
    link(
        "pages/items.py", "Open the item", icon=":material/open_in_new:", item=edit.item_id, provider=read(Key.PROVIDER)
    )


def _mark(project: Project, edit: WorstEdit, state: str, following: str) -> None:
    try:
        mark_edit(project, edit.prediction_key, edit.ordinal, state)
        if "gold-wrong" in (state, edit.state):
            mark_item(project, edit.item_id, state if state == "gold-wrong" else "")
    except VerbatimError as error:
        say_after(f"Not marked. {error}")
        return
    if state == "gold-wrong":
        st.session_state[Session.GOLD_WRONG] = replace(edit, state=state)
    elif edit.state == "gold-wrong":
        st.session_state.pop(Session.GOLD_WRONG, None)
        say_after("Taken back: the item is in the rates again.")
    write({Key.EDIT: following if state else _name(edit)})


def _last_gold_wrong(project: Project, page: CheckPage) -> None:
    """The item marked last left the list with its edits: say so, and take it back with the same key as a row's mark."""
    edit: WorstEdit | None = st.session_state.get(Session.GOLD_WRONG)
    found = () if edit is None else items_by_key(project, (edit.item_key,))
    if edit is None or not found or (found[0].id, found[0].mark) != (edit.item_id, "gold-wrong"):
        return
    current = page.edits[_current(page)] if page.edits else None
    with st.container(horizontal=True, vertical_alignment="center", key="check-wrong"):
        st.html(
            f'<p class="v-note">Gold of <bdi>{_inert(edit.item_id)}</bdi> marked wrong: the item is in no rate '
            "and leaves the list.</p>"
        )
        st.button(
            "Take it back", key="check-wrong-back", icon=":material/undo:", on_click=_mark, args=(project, edit, "", ""),
            shortcut=None if current is not None and current.state else "u",
        )  # fmt: skip
        link("pages/items.py", "Open the item", icon=":material/open_in_new:", item=edit.item_id)


def _picture(project: Project, edit: WorstEdit) -> str:
    found: Sequence[ItemFields] = items_by_key(project, (edit.item_key,))
    picture = picture_of(project, found[0], condition=edit.condition)
    if not picture.src:
        picture = picture_of(project, found[0])
    if not picture.src:
        return f'<p class="v-note">No picture: {_inert(picture.why)}</p>'
    return f'<img class="v-thumb" src="{picture.src}" alt="item {_inert(edit.item_id)}">'


def edit_html(edit: WorstEdit, caught: float | None, rule: str) -> str:
    """One edit as safe HTML: what it costs, both texts around it with the edit marked, and what the rules say of it."""
    sides = " → ".join(
        f'<bdi class="ge-one">{shown(t, True)}</bdi>' for t in (edit.gold_edit, edit.predicted_edit) if t
    )
    facts = [f"{LETTERS[Op(edit.op)]} {WORDS[Op(edit.op)]}: {sides}"]
    facts.append(f"caught so far {written(caught, Kind.PERCENT)} %" if caught is not None else "")
    facts.append("charged 1, imputed" if edit.imputed else "")
    facts.append(f"<b>marked {STATES[edit.state]}</b>" if edit.state else "")
    run = edit.system if edit.condition == "default" else f"{edit.system} · {edit.condition}"
    head = f'<span class="v-severity">{edit.severity:.2f}</span> ' + " · ".join(fact for fact in facts if fact)
    names = ("gold", edit.gold, edit.gold_index, edit.gold_edit), ("predicted", edit.predicted, edit.predicted_index,
                                                                 edit.predicted_edit)  # fmt: skip
    rows = "".join(_side(edit, *name) for name in names)
    return (
        f'<div class="v-event v-check"><p class="v-note">{head}</p><div class="ge">{rows}</div>'
        f'<p class="v-note">Rules: {_inert(rule)}. <bdi>{_inert(edit.item_id)}</bdi> · <bdi>{_inert(run)}</bdi></p></div>'
    )


def _side(edit: WorstEdit, name: str, text: str, place: int, cluster: str) -> str:
    units = split_graphemes(text)
    end = place + bool(cluster)
    left, right = units[max(0, place - AROUND) : place], units[end : end + AROUND]
    before, after = "…" * (place > AROUND), "…" * (end + AROUND < len(units))
    tint = f'style="--ge-v:{100 * edit.severity:.0f}%" data-severity'
    inner = shown(cluster, True) if cluster else '<i class="ge-gap">∅</i>'
    line = (
        f"{before}{''.join(shown(unit, False) for unit in left)}"
        f'<span class="ge-{edit.op}" {tint} title="severity {edit.severity:.2f}">{inner}</span>'
        f"{''.join(shown(unit, False) for unit in right)}{after}"
    )
    lang = f' lang="{html.escape(edit.language, quote=True)}"' if edit.language else ""
    return (
        f'<div class="ge-row"><span class="ge-lab">{name}</span>'
        f'<bdi class="ge-txt" dir="{direction(text or cluster)}"{lang}>{line}</bdi></div>'
    )


def _inert(text: str) -> str:
    return html.escape(escape_controls(text))
