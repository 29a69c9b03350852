"""What the rating screen remembers between reruns, and its acts: answer, undo, look back. Acts run in callbacks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

import streamlit as st

from annotator.errors import VerbatimError
from annotator.store.project import Project
from annotator.store.study_records import Answer, Rater, Shown, Stored, Study
from annotator.studies.kinds import WRITTEN, Cannot, StudyKind, keys
from annotator.studies.rubric import Rubric
from annotator.studies.settings import StudySettings
from annotator.studies.work import give_answer, new_event, open_answer, step_from, undo
from components.state import Session


class Mode(StrEnum):
    """What the panel shows instead of the answer buttons."""

    ANSWER = ""
    CANNOT = "cannot"
    HELP = "help"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything a rater's screen needs."""

    project: Project
    study: Study
    rater: Rater
    kind: StudyKind
    settings: StudySettings
    rubric: Rubric
    token: str

    def word(self, name: str) -> str:
        """A word of the interface in the rater's language."""
        return self.rubric.words.get(name, name)


REASONS = {str(number): reason for number, reason in enumerate(Cannot, 1)}


def item_name(shown: Shown) -> str:
    """What the browser calls a task: its key, its repeat, and the event that an answer would replace."""
    return f"{shown.task_key}.{shown.repeat}.{shown.event}"


def mode() -> Mode:
    """The panel's present mode."""
    return Mode(st.session_state.get(Session.RATE_MODE, ""))


def set_mode(wanted: Mode) -> None:
    """Show the answer buttons, the reasons, the guidelines, or the break."""
    st.session_state[Session.RATE_MODE] = "" if mode() is wanted else wanted.value


def opened(bench: Bench) -> Shown | None:
    """The earlier answer that the rater opened, if any."""
    at = st.session_state.get(Session.RATE_OPENED)
    return open_answer(bench.project, bench.rater.key, *at) if at else None


def saved_words(bench: Bench) -> str:
    """`Saved hh:mm:ss` in the rater's own time zone; empty before the first answer of this visit."""
    at = st.session_state.get(Session.RATE_SAVED)
    if not at:
        return ""
    zone = st.context.timezone
    return f"{bench.word('saved')} {datetime.fromtimestamp(at, ZoneInfo(zone) if zone else None):%H:%M:%S}"


def press_key(bench: Bench, key: str, item: str, event: str, value: str = "") -> None:
    """Act on one key. An answer goes to the task that was on the screen when the key was pressed; `value` is a written one."""
    task_key, repeat, replaces = _parse(item)
    if key == "save" and bench.kind in WRITTEN:
        give_value(bench, task_key, repeat, value, replaces, event)
    elif mode() is Mode.CANNOT and key in REASONS:
        cannot_judge(bench, task_key, repeat, REASONS[key], replaces, event)
    elif key in keys(bench.kind, bench.settings):
        give(bench, task_key, repeat, key, replaces, event)
    elif key == "u":
        undo_answer(bench, event)
    elif key in ("z", "h"):
        set_mode(Mode.CANNOT if key == "z" else Mode.HELP)
    elif key in ("arrowleft", "arrowright"):
        move(bench, -1 if key == "arrowleft" else +1)
    _acknowledge(event)


def give(bench: Bench, task_key: int, repeat: int, key: str, replaces: str = "", event: str = "") -> None:
    """Store the answer that a key stands for."""
    value = keys(bench.kind, bench.settings)[key]
    if bench.kind is StudyKind.PREFERENCE and value in ("a", "b"):
        shown = open_answer(bench.project, bench.rater.key, task_key, repeat)
        # The screen's A is whichever output was shown first; what is stored names the output.
        if shown is not None and shown.shown_first == "b":
            value = {"a": "b", "b": "a"}[value]
    give_value(bench, task_key, repeat, value, replaces, event)


def give_value(bench: Bench, task_key: int, repeat: int, value: str, replaces: str = "", event: str = "") -> None:
    """Store a value."""
    _store(bench, Answer(event or new_event(), task_key, repeat, value, "", _why(task_key, repeat), replaces))


def cannot_judge(bench: Bench, task_key: int, repeat: int, reason: str, replaces: str = "", event: str = "") -> None:
    """Store that the task cannot be judged, and why."""
    _store(bench, Answer(event or new_event(), task_key, repeat, None, reason, _why(task_key, repeat), replaces))


def undo_answer(bench: Bench, event: str = "") -> None:
    """Empty the last answer; its task is on the screen again."""
    _begin()
    try:
        undone = undo(bench.project, bench.rater.key, event)
    except VerbatimError as error:
        st.session_state[Session.RATE_TROUBLE] = str(error)
        return
    st.session_state[Session.RATE_SAVED] = undone.at if undone else None


def move(bench: Bench, step: int) -> None:
    """Open the earlier or the later answer; past the last one comes the present task."""
    _begin()
    st.session_state[Session.RATE_OPENED] = step_from(bench.project, bench.rater.key, _present(bench), step)


def open_at(task_key: int, repeat: int) -> None:
    """Open an earlier answer from the list."""
    _begin()
    st.session_state[Session.RATE_OPENED] = (task_key, repeat)


def back_to_task() -> None:
    """Close the earlier answer."""
    _begin()
    st.session_state[Session.RATE_OPENED] = None


def why_key(task_key: int, repeat: int) -> str:
    """The widget key of a task's rationale."""
    return f"why-{task_key}-{repeat}"


def _present(bench: Bench) -> Shown | None:
    at = st.session_state.get(Session.RATE_OPENED)
    return open_answer(bench.project, bench.rater.key, *at) if at else None


def _store(bench: Bench, answer: Answer) -> None:
    _begin()
    try:
        stored = give_answer(bench.project, bench.rater.key, answer)
    except VerbatimError as error:
        st.session_state[Session.RATE_TROUBLE] = str(error)
        return
    _note(stored)


def _note(stored: Stored) -> None:
    if stored.outcome in ("stored", "changed", "duplicate"):
        st.session_state[Session.RATE_SAVED] = stored.at
        st.session_state[Session.RATE_OPENED] = None
    else:
        st.session_state[Session.RATE_TROUBLE] = stored.why


def _begin() -> None:
    st.session_state[Session.RATE_MODE] = ""
    st.session_state[Session.RATE_TROUBLE] = ""


def _acknowledge(event: str) -> None:
    st.session_state[Session.RATE_ACKED] = event
    st.session_state[Session.RATE_TURN] = st.session_state.get(Session.RATE_TURN, 0) + 1


def _why(task_key: int, repeat: int) -> str:
    return str(st.session_state.get(why_key(task_key, repeat), "") or "")


def _parse(item: str) -> tuple[int, int, str]:
    task_key, _, rest = item.partition(".")
    repeat, _, replaces = rest.partition(".")
    return (int(task_key) if task_key.isdigit() else -1), (int(repeat) if repeat.isdigit() else 0), replaces
