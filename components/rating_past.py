"""A rater's own earlier answers: a list that opens each of them."""

from __future__ import annotations

import html

import streamlit as st

from annotator.studies.kinds import WRITTEN
from annotator.studies.work import earlier_answers
from components.marks import shown
from components.rating_state import Bench, open_at

LISTED = 10


def draw_past(bench: Bench) -> None:
    """Draw the last answers, newest first; closed until asked for, and read only then."""
    if not st.toggle(bench.word("past"), key="past-open"):
        return
    titles = {v.value: v.title for v in bench.rubric.values}
    for past in earlier_answers(bench.project, bench.rater.key, LISTED):
        text = "".join(shown(ch, False) for ch in (past.predicted or past.gold or "")[:60])
        value = bench.word("cannot") if past.value is None else "" if bench.kind in WRITTEN else past.value
        # A preference names stored outputs, which the rater does not know: its letter would mislead here.
        name = "" if value in ("a", "b") else f"{value} {titles.get(value, '')}".strip()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"{past.position}",
                key=f"past-{past.task_key}-{past.repeat}",
                on_click=open_at,
                args=(past.task_key, past.repeat),
            )
            st.html(f'<span class="v-read">{text}</span> <b>{html.escape(name)}</b>')
