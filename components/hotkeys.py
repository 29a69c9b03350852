"""Single keys for rating, as a Components v2 listener on the document.

`st.button(shortcut=...)` alone lets a held key rate tasks that nobody has seen; this listener ignores key repeat,
modifiers and typing, and names the task that was on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

_JS = Path(__file__).with_name("hotkeys.js").read_text(encoding="utf-8")
# Streamlit takes a text without line breaks for a path.
_CSS = """
.hk-banner { padding: .4rem .7rem; border-left: 3px solid currentColor; font: 600 .9rem system-ui, sans-serif; }
.hk-banner[hidden] { display: none; }
"""
_component = st.components.v2.component(
    "verbatim_hotkeys", html="<div class='hk-banner' role='status' hidden></div>", css=_CSS, js=_JS
)


@dataclass(frozen=True, slots=True)
class Press:
    """One press: the key, the item that was on the screen, and an id of its own."""

    key: str
    item: str
    event: str


@dataclass(frozen=True, slots=True)
class Listening:
    """What the listener should know now.

    `answers` are accepted once per item and kept until `acked` names their event; `undo` is kept too; `commands` are the
    other keys. `turn` grows with every handled press. `gate` holds answers back until the task's image is loaded.
    """

    item: str
    answers: Sequence[str]
    commands: Sequence[str]
    turn: int
    acked: str
    slot: str
    undo: str = "u"
    enabled: bool = True
    gate: bool = False
    offline: str = ""


def hotkeys(listening: Listening, on_press: Callable[[Press], None], key: str = "hotkeys") -> None:
    """Listen for keys (and for clicks on `give-KEY-...` buttons) and call `on_press` in the callback."""

    def callback() -> None:
        value = st.session_state[key].press
        if value:
            on_press(Press(str(value["key"]), str(value["item"]), str(value["event"])))

    data = {
        "item": listening.item,
        "answers": list(listening.answers),
        "commands": list(listening.commands),
        "turn": listening.turn,
        "acked": listening.acked,
        "slot": listening.slot,
        "undo": listening.undo,
        "enabled": listening.enabled,
        "gate": listening.gate,
        "offline": listening.offline,
    }
    _component(key=key, data=data, on_press_change=callback, height="content")
