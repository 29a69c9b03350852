"""The board of a rating screen: the task, single keys, and the form of a written answer, as one Components v2 component.

One component, because the next task is then on the screen as soon as its own message has come, before any button is drawn
again. `st.button(shortcut=...)` alone lets a held key rate tasks that nobody has seen; this listener ignores key repeat,
modifiers and typing, and names the task that was on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import streamlit as st

_PARTS = ("taskboard_keys.js", "taskboard_form.js", "taskboard.js")  # one script: a component takes a single text
_JS = "\n".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in _PARTS)
_HTML = """<div class="tb-banner" role="status" hidden></div>
<div class="tb-task"></div>
<div class="tb-place"></div>"""
_component = st.components.v2.component("verbatim_taskboard", html=_HTML, js=_JS, isolate_styles=False)


@dataclass(frozen=True, slots=True)
class Press:
    """One press: the key, the item that was on the screen, an id of its own, and what was written (key `save`)."""

    key: str
    item: str
    event: str
    value: str


@dataclass(frozen=True, slots=True)
class Board:
    """What the board should show and know now.

    `html` is the task, escaped. `answers` are accepted once per item and kept until `acked` names their event; `undo` is
    kept too; `commands` are the other keys. `turn` grows with every handled press. `gate` holds answers back until the
    task's image is loaded. `slot` names this rater in the browser's storage. `form` is what a written answer asks for.
    """

    item: str
    html: str
    answers: Sequence[str]
    commands: Sequence[str]
    turn: int
    acked: str
    slot: str
    undo: str = "u"
    enabled: bool = True
    gate: bool = False
    offline: str = ""
    form: Mapping[str, Any] | None = None


def draw_board(board: Board, on_press: Callable[[Press], None], key: str = "taskboard") -> None:
    """Show the board, listen for keys (and for clicks on `give-KEY` and `reason-KEY` buttons), and call `on_press` in the
    callback."""

    def callback() -> None:
        value = st.session_state[key].press
        if value:
            on_press(Press(*(str(value.get(name, "")) for name in ("key", "item", "event", "value"))))

    _component(key=key, data=asdict(board), on_press_change=callback, height="content")
