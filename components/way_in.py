"""A rater's way to their tasks: join, consent, guidelines, check. One step at a time, each with one button."""

from __future__ import annotations

import html

import streamlit as st

from annotator.errors import VerbatimError
from annotator.store.project import Project
from annotator.studies.kinds import StudyKind, keys
from annotator.studies.links import (
    begin_check,
    consent,
    finish_check,
    is_seat,
    join,
    prefer,
    rename,
    take_seat,
)
from annotator.studies.rubric import Case, check_set, load_rubric, locales, right_answers
from annotator.studies.settings import read_settings
from components.rating_state import Bench
from components.rubric import case_html, draw_guidelines, values_html
from components.state import Key, Session, read, say_after, write


def enter(project: Project) -> Bench | None:
    """The bench of the personal link in the address; a study link first becomes a personal one. `None` without either.

    An address with both resumes the personal one: only that link is somebody's. A link that is not valid is said in words,
    and the script stops.
    """
    try:
        if token := read(Key.JOIN):
            mine = read(Key.AS)
            write({Key.AS: mine if is_seat(project, mine) else _joined(project, token), Key.JOIN: ""})
        token = read(Key.AS)
        return _greeted(take_bench(project, token)) if token else None
    except VerbatimError as error:
        st.error(str(error), icon=":material/link_off:")
        st.stop()


def _joined(project: Project, token: str) -> str:
    """The personal link of this visit. The browser's Back returns to the study link: that makes no second rater."""
    known, mine = st.session_state.get(Session.RATE_JOINED, ("", ""))
    if known != token:
        mine = join(project, token)
        st.session_state[Session.RATE_JOINED] = (token, mine)
    return str(mine)


def take_bench(project: Project, token: str) -> Bench:
    """Everything the screen of this link needs. Raises `AccessDeniedError`."""
    seat = take_seat(project, token)
    kind = StudyKind(seat.study.kind)
    rubric = load_rubric(kind, seat.rater.locale, project.folder)
    return Bench(project, seat.study, seat.rater, kind, read_settings(seat.study.settings), rubric, token)


def _greeted(bench: Bench) -> Bench:
    """Meet a new rater in the language of their browser, where there are guidelines in it; they may choose another."""
    if bench.rater.stage != "new" or st.session_state.get(Session.RATE_GREETED):
        return bench
    st.session_state[Session.RATE_GREETED] = True
    code = str(st.context.locale or "").partition("-")[0]
    if code not in locales(bench.project.folder) or code == bench.rubric.locale:
        return bench
    prefer(bench.project, bench.rater.key, locale=code, hotkeys=bench.rater.hotkeys)
    return take_bench(bench.project, bench.token)


def way_in(bench: Bench) -> bool:
    """Draw the step that this rater is at; `True` once they are at their tasks."""
    stage = bench.rater.stage
    if stage in ("new", "guidelines", "check") and bench.rater.withdrawn_at is None and bench.study.state == "open":
        _language(bench, "way-locale")
    if bench.rater.withdrawn_at is not None:
        st.text(bench.word("withdrawn"))
    elif stage == "refused":
        st.text(bench.word("refused"))
    elif bench.study.state == "draft":
        st.text(bench.word("not_begun"))
    elif bench.study.state == "closed" and stage != "rating":
        st.text(bench.word("closed"))
    elif stage == "new":
        _welcome(bench)
    elif stage == "guidelines":
        _guidelines(bench)
    elif stage == "check":
        _check(bench)
    return stage == "rating" and bench.rater.withdrawn_at is None


def draw_seat(bench: Bench) -> None:
    """Draw the rater's own settings: pseudonym, language, hot keys, and the link to keep."""
    with st.popover(f":material/person: {bench.rater.number}", key="seat"):
        st.text_input(
            bench.word("pseudonym"), bench.rater.label, max_chars=40, key="seat-label", on_change=_rename, args=(bench,)
        )
        _language(bench, "seat-locale")
        st.toggle(
            bench.word("single_keys"), bench.rater.hotkeys, key="seat-hotkeys", on_change=_set_hotkeys, args=(bench,)
        )
        _keep_link(bench)


def _welcome(bench: Bench) -> None:
    if bench.settings.purpose:
        st.text(bench.settings.purpose)
    st.html(f'<p class="v-purpose">{html.escape(bench.rubric.purpose)}</p><p>{html.escape(bench.rubric.consent)}</p>')
    if bench.settings.contact:
        st.text(bench.settings.contact)
    _keep_link(bench)
    st.button(
        bench.word("start"), key="way-start", type="primary", on_click=consent, args=(bench.project, bench.rater.key)
    )


def _keep_link(bench: Bench) -> None:
    """The personal link in full, as the rater's browser reaches it."""
    base = str(st.context.url or "").partition("/rate")[0].rstrip("/")
    st.text(bench.word("keep_link"))
    st.code(f"{base}/rate?as={bench.token}", language=None, wrap_lines=True)


def _guidelines(bench: Bench) -> None:
    st.subheader(bench.rubric.question, anchor=False)
    draw_guidelines(bench.rubric)
    st.button(
        bench.word("to_check"),
        key="way-check",
        type="primary",
        on_click=begin_check,
        args=(bench.project, bench.rater.key),
    )


def _check(bench: Bench) -> None:
    cases = check_set(bench.rubric, bench.settings.check_questions, bench.rater.check_tries, bench.rater.seed)
    needed = min(bench.settings.check_pass, len(cases))
    if bench.rater.check_tries:
        st.warning(bench.word("retry"), icon=":material/refresh:")
        with st.expander(bench.word("help")):
            draw_guidelines(bench.rubric)
    st.text(bench.word("check_intro").format(needed=needed, asked=len(cases)))
    if bench.rubric.values and bench.kind is not StudyKind.PREFERENCE:
        st.html(values_html(bench.rubric))
    titles = {v.value: v.title for v in bench.rubric.values}
    values = list(keys(bench.kind, bench.settings).values())
    with st.form(f"check-{bench.rater.check_tries}"):
        for number, case in enumerate(cases):
            st.html(f'<div class="ge v-case-asked"><b>{number + 1}</b><div>{case_html(bench.rubric, case)}</div></div>')
            st.radio(
                f"{number + 1}: {bench.rubric.question}",
                values,
                index=None,
                format_func=lambda value: (
                    f"{value} · {titles.get(value, '')}" if value.isdigit() else titles.get(value, value)
                ),
                key=_check_key(bench, number),
                horizontal=True,
                label_visibility="collapsed",
            )
        if st.session_state.pop(Session.CHECK_OPEN, False):
            st.warning(bench.word("check_all"), icon=":material/info:")
        st.form_submit_button(bench.word("next"), type="primary", on_click=_grade, args=(bench, cases))


def _grade(bench: Bench, cases: tuple[Case, ...]) -> None:
    given = [st.session_state.get(_check_key(bench, number)) for number in range(len(cases))]
    if None in given:  # a slip of the finger uses no try
        st.session_state[Session.CHECK_OPEN] = True
        return
    short = bench.settings.check_questions - len(cases)  # a rubric with fewer questions asks for as many fewer
    finish_check(bench.project, bench.rater.key, right_answers(cases, given) + max(0, short))


def _check_key(bench: Bench, number: int) -> str:
    return f"check-{bench.rater.check_tries}-{number}"


def _rename(bench: Bench) -> None:
    try:
        rename(bench.project, bench.rater.key, str(st.session_state["seat-label"]))
    except VerbatimError as error:
        say_after(str(error))


def _language(bench: Bench, key: str) -> None:
    names = locales(bench.project.folder)
    codes = list(names)
    st.selectbox(
        bench.word("language"), codes, index=codes.index(bench.rubric.locale) if bench.rubric.locale in names else 0,
        format_func=lambda code: names[code], key=key, on_change=_set_language, args=(bench, key), width=260,
    )  # fmt: skip


def _set_language(bench: Bench, key: str) -> None:
    prefer(bench.project, bench.rater.key, locale=str(st.session_state[key]), hotkeys=bench.rater.hotkeys)


def _set_hotkeys(bench: Bench) -> None:
    prefer(
        bench.project,
        bench.rater.key,
        locale=bench.rater.locale,
        hotkeys=bool(st.session_state["seat-hotkeys"]),
    )
