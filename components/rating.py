"""The rating panel: one task, its answer buttons with their keys, undo, progress. A fragment, so that a key is quick."""

from __future__ import annotations

import html

import streamlit as st

from annotator.store.study_records import Shown
from annotator.studies.kinds import WRITTEN, StudyKind, keys
from annotator.studies.links import completion_code
from annotator.studies.work import Desk, current_desk
from components.rating_forms import form_of
from components.rating_past import draw_past
from components.rating_state import (
    REASONS,
    Bench,
    Mode,
    back_to_task,
    cannot_judge,
    give,
    item_name,
    mode,
    move,
    opened,
    press_key,
    saved_words,
    set_mode,
    undo_answer,
    why_key,
)
from components.rating_view import key_map_html, next_picture_html, storage_slot, task_html
from components.rubric import draw_guidelines, values_html
from components.state import Session
from components.taskboard import Board, Press, draw_board

COMMANDS = ("u", "z", "h", "arrowleft", "arrowright")


@st.fragment
def rating_panel(bench: Bench) -> None:
    """Draw the rater's present task, or the earlier one that they opened, and listen for keys."""
    reopen = not st.session_state.get(Session.RATE_STARTED)
    st.session_state[Session.RATE_STARTED] = True
    desk = current_desk(bench.project, bench.rater.key, reopen=reopen)
    earlier = opened(bench)
    shown = earlier or desk.task
    at_work = shown is not None and mode() is not Mode.BREAK
    head = st.container()
    _board(bench, shown if at_work else None)  # before all else: the next task is on the screen while the rest is drawn
    with head:
        _progress(bench, desk)
        if mode() is not Mode.BREAK:
            _said(bench, earlier is not None)
    if mode() is Mode.BREAK:
        _break(bench)
    elif shown is None:
        _end(bench, desk)
    else:
        _work(bench, shown)
        _tools(bench, earlier is not None)
        draw_past(bench)
        if earlier is None and _shows_picture(bench, shown) and (ahead := next_picture_html(bench)):
            st.html(ahead)


def _said(bench: Bench, earlier: bool) -> None:
    if trouble := st.session_state.get(Session.RATE_TROUBLE):
        st.warning("\u200b" + trouble.replace("\n", " "), icon=":material/info:")
    if earlier:
        st.info(bench.word("change"), icon=":material/history:")


def _work(bench: Bench, shown: Shown) -> None:
    if mode() is Mode.HELP:
        with st.container(border=True):
            draw_guidelines(bench.rubric)
            st.html(key_map_html(bench))
    if mode() is Mode.CANNOT:
        _reasons(bench, shown)
    elif bench.kind not in WRITTEN:
        _answers(bench, shown)
    if bench.settings.rationale and bench.kind not in WRITTEN:
        st.text_area(
            bench.word("rationale"),
            shown.rationale,
            key=why_key(shown.task_key, shown.repeat),
            height=68,
            max_chars=2000,
        )


def _answers(bench: Bench, shown: Shown) -> None:
    titles = {v.value: v.title for v in bench.rubric.values}
    with st.container(horizontal=True, key="answers"):
        for key, value in keys(bench.kind, bench.settings).items():
            name = titles.get(value, value)
            st.button(
                f"**{key.upper()}** {name}",
                key=f"give-{key}",
                on_click=give,
                args=(bench, shown.task_key, shown.repeat, key, shown.event),
                type="primary" if _is_given(shown, value) else "secondary",
            )
    if bench.kind is not StudyKind.PREFERENCE and bench.rubric.values:
        st.html(values_html(bench.rubric))


def _is_given(shown: Shown, value: str) -> bool:
    """The rater's own earlier answer is marked; a new task has none."""
    if shown.value in ("a", "b") and shown.shown_first == "b":
        return {"a": "b", "b": "a"}[shown.value] == value
    return shown.value is not None and shown.value == value


def _reasons(bench: Bench, shown: Shown) -> None:
    with st.container(horizontal=True, key="reasons"):
        for key, reason in REASONS.items():
            st.button(
                f"**{key}** {bench.word(f'reason_{reason}')}",
                key=f"reason-{key}",
                on_click=cannot_judge,
                args=(bench, shown.task_key, shown.repeat, reason.value, shown.event),
            )


def _tools(bench: Bench, earlier: bool) -> None:
    with st.container(horizontal=True, key="tools"):
        st.button(f"← {bench.word('back')}", key="tool-back", on_click=move, args=(bench, -1))
        if earlier:
            st.button(f"→ {bench.word('forward')}", key="tool-forward", on_click=move, args=(bench, +1))
            st.button(bench.word("to_task"), key="tool-task", on_click=back_to_task)
        st.button(f"**U** {bench.word('undo')}", key="tool-undo", on_click=undo_answer, args=(bench,))
        st.button(f"**Z** {bench.word('cannot')}", key="tool-cannot", on_click=set_mode, args=(Mode.CANNOT,))
        st.button(f"**H** {bench.word('help')}", key="tool-help", on_click=set_mode, args=(Mode.HELP,))
        st.button(bench.word("pause"), key="tool-pause", on_click=set_mode, args=(Mode.BREAK,))


def _progress(bench: Bench, desk: Desk) -> None:
    done, left, pace = desk.progress.done, desk.progress.left, desk.progress.seconds_per_answer
    parts = [f"{html.escape(bench.word('done'))} <b>{done}</b>", f"<b>{left}</b> {html.escape(bench.word('left'))}"]
    if pace is not None and left and done >= 5:
        parts.append(html.escape(bench.word("pace").format(minutes=max(1, round(left * pace / 60)))))
    if saved := saved_words(bench):
        parts.append(f'<span class="v-saved" role="status">{html.escape(saved)}</span>')
    st.html('<p class="v-progress">' + "".join(f"<span>{part}</span>" for part in parts) + "</p>")


def _break(bench: Bench) -> None:
    st.text(bench.word("break_text"))
    st.button(bench.word("resume"), key="tool-resume", type="primary", on_click=set_mode, args=(Mode.ANSWER,))


def _end(bench: Bench, desk: Desk) -> None:
    """Say why there is nothing to do; the study and the rater may have changed since the page was opened."""
    if desk.rater.withdrawn_at is not None:
        st.text(bench.word("withdrawn"))
        return
    if desk.study.state != "open":
        st.text(bench.word("closed"))
    elif desk.waiting:
        st.text(bench.word("waiting"))
        return
    else:
        st.text(bench.word("thanks"))
    st.html(f"<p>{html.escape(bench.word('code'))}: <b>{completion_code(bench.token)}</b></p>")


def _shows_picture(bench: Bench, shown: Shown) -> bool:
    return bench.settings.image or shown.gold is None


def _board(bench: Bench, shown: Shown | None) -> None:
    answers = () if shown is None or bench.kind in WRITTEN else tuple(keys(bench.kind, bench.settings))
    asks_why = mode() is Mode.CANNOT
    if shown is not None and asks_why:
        answers = tuple(REASONS)

    def on_press(press: Press) -> None:
        press_key(bench, press.key, press.item, press.event, press.value)

    board = Board(
        item=item_name(shown) if shown is not None else "",
        html=task_html(bench, shown) if shown is not None else "",
        answers=answers,
        commands=COMMANDS if shown is not None else (),
        turn=st.session_state.get(Session.RATE_TURN, 0),
        acked=st.session_state.get(Session.RATE_ACKED, ""),
        slot=storage_slot(bench.token),
        enabled=bench.rater.hotkeys,
        gate=bench.settings.image_gate and not asks_why,  # an image that never comes is a reason too
        offline=bench.word("offline"),
        form=form_of(bench, shown) if shown is not None and bench.kind in WRITTEN and not asks_why else None,
    )
    draw_board(board, on_press)
