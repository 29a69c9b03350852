"""Error events with picture, aligned edits, class and the rule that fired; a page of them at a time."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from annotator.analyses.errors import EventPage, EventRow, list_events
from annotator.records import Query
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.classes import LABELS
from components.edits import legend_html, lines_html
from components.image import picture_of
from components.shell import link

PAGE_SIZE = 12
PAGES_KEPT = 32
LONGEST = 300


@st.cache_resource(max_entries=PAGES_KEPT, show_spinner="Reading events …")
def _events(
    folder: str, revision: int, query: Query, error_class: str, run: str, script: str, offset: int, _project: Project
) -> EventPage:
    return list_events(_project, query, error_class, run, script, offset, PAGE_SIZE)


def events_page(project: Project, query: Query, chosen: tuple[str, str], script: str, number: int) -> EventPage:
    """Page `number` (from 1) of the events of the class and run `chosen`, remembered per revision."""
    offset = (number - 1) * PAGE_SIZE
    return _events(str(project.folder), project.revision(), query, *chosen, script, offset, project)


def show_events(project: Project, rows: Sequence[EventRow], *, key: str) -> None:
    """Draw events in two columns (one on a narrow screen), each with a link to its item."""
    st.html(legend_html())
    sides = st.columns(2)
    for number, row in enumerate(rows):
        with sides[number % 2], st.container(border=True, key=f"{key}-{number}", gap="xsmall"):
            picture, texts = st.columns([2, 5], vertical_alignment="center")
            picture.html(_picture(project, row))
            texts.html(event_html(row))
            link("pages/items.py", "Open the item", icon=":material/open_in_new:", item=row.item.id)


def _picture(project: Project, row: EventRow) -> str:
    picture = picture_of(project, row.item, condition=row.run.condition)
    if not picture.src:
        picture = picture_of(project, row.item)
    if not picture.src:
        return f'<p class="v-note">No picture: {_inert(picture.why)}</p>'
    return f'<img class="v-thumb" src="{picture.src}" alt="item {_inert(row.item.id)}">'


def event_html(row: EventRow) -> str:
    """One event as safe HTML: class and rule, the words with their edits, and both texts in full for a word."""
    event, language = row.event, row.item.language
    head = f"<b>{LABELS[event.error_class]}</b> · {_inert(event.rule)}"
    where = f"{_inert(row.item.id)} · {_inert(row.run.name)}"
    whole = lines_html(row.gold[:LONGEST], row.predicted[:LONGEST], language=language) if event.stage == 2 else ""
    more = f'<details class="v-whole"><summary>whole texts</summary>{whole}</details>' if whole else ""
    words = lines_html(event.gold[:LONGEST], event.predicted[:LONGEST], language=language)
    return (
        f'<div class="v-event"><p class="v-note">{head}</p>{words}{more}<p class="v-note"><bdi>{where}</bdi></p></div>'
    )


def _inert(text: str) -> str:
    return html.escape(escape_controls(text))
