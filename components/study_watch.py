"""A study as its owner watches it: counts, raters with their flags, what could not be judged, links, export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from annotator.errors import VerbatimError
from annotator.exports.aggregates import aggregates_table
from annotator.exports.ratings import ratings_table
from annotator.exports.writing import csv_text
from annotator.store.project import Project
from annotator.studies.agreement import MIN_SHARE, AgainstRest
from annotator.studies.create import change_state
from annotator.studies.links import Invitation, invite
from annotator.studies.progress import RaterWatch, StudyWatch, watch_study
from annotator.studies.rubric import DEFAULT_LOCALE, locales, rubric_file, save_rubric
from annotator.studies.withdraw import restore, withdraw
from components.agreement import agreement_in_a_line, agreement_of
from components.notes import error_in_words, note
from components.numbers import Kind
from components.state import Session, say_after
from components.tables import Column, show_table

LIVE_RESAMPLES = 200  # the page draws itself anew every ten seconds; the page Agreement takes more
RATERS = (
    Column("rater", "Rater"),
    Column("flags", "Look at"),
    Column("answers", "Answers", Kind.COUNT),
    Column("median_seconds", "Median seconds", Kind.NUMBER),
    Column("per_hour", "Per hour", Kind.COUNT),
    Column("fast", "Fast", Kind.COUNT, help="Answers under the study's floor (2 seconds unless set)."),
    Column("attention", "Attention missed", help="Missed of those seen. Their right answer is known."),
    Column(
        "exact",
        "Equals the rest",
        Kind.PERCENT,
        help="Of the tasks that others answered too: equal to their most frequent answer.",
    ),
    Column("compared", "Compared", Kind.COUNT),
    Column("distribution", "Answers given"),
    Column("cannot", "Cannot judge", Kind.COUNT),
    Column("repeats", "Repeats", Kind.COUNT),
    Column("stage", "Stage"),
)


def draw_watch(project: Project, name: str) -> None:
    """Draw one study."""
    watch = watch_study(project, name)
    _state(project, watch)
    _live(project, name)
    _people(project, watch)
    _links(project, name)
    _downloads(project, name)
    with st.expander("Method note", icon=":material/description:"):
        st.code(watch.study.method, language=None, wrap_lines=True)
    with st.expander("Guidelines, examples and check questions", icon=":material/rule:"):
        _guidelines(project)


@st.fragment(run_every=10)
def _live(project: Project, name: str) -> None:
    watch = watch_study(project, name)
    counts = watch.counts
    done = counts["done"] / counts["tasks"] if counts["tasks"] else 0.0
    words = f"{counts['done']:,} of {counts['tasks']:,} tasks have {watch.study.overlap} answers"
    st.progress(min(1.0, done), f"{words} · {counts['partly']:,} partly · {counts['held']:,} held now")
    if counts["above"]:
        st.text(f"{counts['above']:,} tasks have more answers than planned; the first {watch.study.overlap} are used.")
    found = agreement_of(project, name, MIN_SHARE, LIVE_RESAMPLES)
    st.text(agreement_in_a_line(found))
    rest = {r.rater: r for r in found.rest}
    if watch.raters:
        show_table(RATERS, [_rater(r, rest.get(r.rater)) for r in watch.raters], key="raters", caption="Raters")
    else:
        note("Nobody has come yet: make a link below and send it to your raters.")
    if watch.cannot:
        rows = [dict(zip(("task", "rater", "reason", "why"), row, strict=True)) for row in watch.cannot]
        columns = (Column("task", "Task", Kind.COUNT), Column("rater", "Rater"), Column("reason", "Reason"))
        show_table((*columns, Column("why", "In words")), rows, key="cannot", caption="Could not be judged")


def _rater(rater: RaterWatch, rest: AgainstRest | None) -> Mapping[str, Any]:
    return {
        "rater": rater.rater,
        "stage": "withdrawn" if rater.withdrawn else rater.stage,
        "answers": rater.answers,
        "repeats": rater.repeats,
        "cannot": rater.cannot,
        "median_seconds": rater.median_seconds,
        "per_hour": None if rater.per_hour is None else round(rater.per_hour),
        "fast": rater.fast,
        "attention": f"{rater.attention_missed} of {rater.attention_seen}" if rater.attention_seen else "",
        "exact": None if rest is None else rest.exact.value,
        "exact_why": "no task in common with others" if rest is None else rest.exact.why,
        "compared": 0 if rest is None else rest.exact.n,
        "distribution": "  ".join(f"{value}: {n}" for value, n in rater.distribution.items()),
        "flags": ", ".join(rater.flags),
    }


def _state(project: Project, watch: StudyWatch) -> None:
    study = watch.study
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"{study.kind} · {study.state} · {study.overlap} raters for each task")
        wanted = "closed" if study.state == "open" else "open"
        label = {"closed": "Close the study", "open": "Open the study" if study.state == "draft" else "Re-open it"}[
            wanted
        ]
        st.button(label, key="study-state", on_click=_set_state, args=(project, study.name, wanted))


def _people(project: Project, watch: StudyWatch) -> None:
    here = [r.rater for r in watch.raters if not r.withdrawn]
    gone = [r.rater for r in watch.raters if r.withdrawn]
    with st.expander("Leave a rater out, or take one back", icon=":material/person_off:"):
        left, right = st.columns(2)
        left.selectbox("Rater", here, index=None, key="withdraw-who")
        left.button(
            "Leave out", key="withdraw", on_click=_withdraw, args=(project, watch.study.name), disabled=not here
        )
        right.selectbox("Left out", gone, index=None, key="restore-who")
        right.button("Take back", key="restore", on_click=_restore, args=(project, watch.study.name), disabled=not gone)


def _links(project: Project, name: str) -> None:
    st.subheader("Invite raters", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("Personal links (0: one link for everybody)", 0, 200, 0, key="invite-count")
        st.checkbox("For one person", key="invite-once", help="The study link admits one person.")
        st.button("Make links", key="invite", type="primary", on_click=_invite, args=(project, name))
    made: Invitation | None = st.session_state.get(Session.LINKS)
    if made is not None and made.study == name:
        st.text("Copy them now: they are stored hashed and cannot be shown again.")
        lines = [f"{rater}\t{link}" for rater, link in made.rater_links] or [made.study_link]
        st.code("\n".join(lines), language=None, wrap_lines=True)


def _downloads(project: Project, name: str) -> None:
    st.subheader("Download", anchor=False)
    with st.container(horizontal=True):
        st.download_button(
            "Aggregates (CSV)", lambda: csv_text(aggregates_table(project, name)).encode(), f"{name}-aggregates.csv",
            "text/csv", key="get-aggregates", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "With systems", lambda: csv_text(aggregates_table(project, name, with_systems=True)).encode(),
            f"{name}-aggregates-systems.csv", "text/csv", key="get-systems", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Single ratings", lambda: csv_text(ratings_table(project, name)).encode(), f"{name}-ratings.csv", "text/csv",
            key="get-ratings", on_click="ignore",
        )  # fmt: skip


def _set_state(project: Project, name: str, state: str) -> None:
    change_state(project, name, state)


def _withdraw(project: Project, name: str) -> None:
    if who := st.session_state.get("withdraw-who"):
        say_after(f"{withdraw(project, name, who)} answers left out")


def _restore(project: Project, name: str) -> None:
    if who := st.session_state.get("restore-who"):
        answers, above = restore(project, name, who)
        say_after(f"{answers} answers count again; {above} tasks above the overlap")


def _invite(project: Project, name: str) -> None:
    count, once = int(st.session_state["invite-count"]), bool(st.session_state["invite-once"])
    st.session_state[Session.LINKS] = invite(project, name, count=count, one_time=once, base=_base())


def _base() -> str:
    """The address under which the owner sees the app; raters reach it the same way."""
    return str(st.context.url or "").partition("/studies")[0].rstrip("/")


def _guidelines(project: Project) -> None:
    names = locales(project.folder)
    codes = sorted(names, key=lambda c: (c != DEFAULT_LOCALE, names[c]))
    code = st.selectbox("Language", codes, format_func=lambda c: names[c], key="rubric-locale")
    file = rubric_file(code, project.folder)
    text = st.text_area(
        f"{file.name}, for every study of this project",
        file.read_text(encoding="utf-8"),
        height=420,
        key=f"rubric-{code}",
    )
    if st.button("Save for this project", key="rubric-save"):
        try:
            save_rubric(project.folder, code, text)
            st.success("Saved. Raters see it from their next page on.")
        except VerbatimError as error:
            error_in_words(error)
