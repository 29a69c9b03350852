"""The address and the session: every key that a page keeps is named here once.

What a page shows is in the address (query parameters), so that a copied link opens the same view. Session state holds
choices that are not worth a link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from urllib.parse import urlencode

import streamlit as st


class Key(StrEnum):
    """Names of query parameters. The value is what stands in the address."""

    SYSTEM = "system"
    CONDITION = "condition"
    BENCHMARK = "benchmark"
    LANGUAGE = "language"
    PROFILE = "profile"
    OWN_GOLD = "own-gold"
    KEEP_WRONG_GOLD = "keep-wrong-gold"
    MISSING = "missing"
    REFERENCE = "reference"
    AXES = "axes"
    LETTERS = "letters"
    EDGES = "edges"
    FORCE_EDGES = "force-edges"
    CELL = "cell"
    ITEM = "item"
    SHOW = "show"
    ADD = "add"
    READOUT = "readout"
    SUSPECT = "suspect"
    AGREE = "agree"
    SEED = "seed"
    VARIANT = "variant"
    METRIC = "metric"
    A = "a"
    B = "b"
    AXIS = "axis"
    AXIS2 = "axis2"
    CLASS = "class"
    EDIT = "edit"
    RUN = "run"
    SCRIPT = "script"
    JUDGE = "judge"
    RATERS = "raters"
    OTHER = "other"
    OUTCOME = "outcome"
    PROVIDER = "provider"
    HIDE_DONE = "hide-done"
    STUDY = "study"
    TASK = "task"
    JOIN = "join"
    AS = "as"
    SEARCH = "search"
    WHERE = "where"
    REGEX = "regex"
    MARK = "mark"
    ATTRIBUTE = "attribute"
    VALUE = "value"
    MARKS = "marks"
    TAG = "tag"
    SORT = "sort"
    PAGE = "page"
    VIEW = "view"
    TABLE = "table"
    FIELD = "field"
    TAB = "tab"
    BY = "by"
    GROUP = "group"
    TO = "to"
    PANEL = "panel"
    FOLD = "fold"
    PRIOR = "prior"
    BACKGROUND = "background"


class Session(StrEnum):
    """Names in session state."""

    SIGNED_IN = "signed-in"
    KEEP = "keep-signed-in"
    NONCE = "nonce"
    SAID = "said"
    IMPORTED = "imported"
    EXPORTED = "exported"
    CHECKED = "checked"
    GOLD_WRONG = "gold-marked-wrong"
    RATE_JOINED = "rate-joined"
    RATE_GREETED = "rate-greeted"
    RATE_OPENED = "rate-opened"
    RATE_MODE = "rate-mode"
    RATE_SAVED = "rate-saved"
    RATE_ACKED = "rate-acked"
    RATE_TURN = "rate-turn"
    RATE_TROUBLE = "rate-trouble"
    RATE_STARTED = "rate-started"
    CHECK_OPEN = "check-open"
    LINKS = "links"
    KEYS = "keys-asked"
    POOL = "pool-ids"


FOLLOWING = (
    Key.SYSTEM,
    Key.CONDITION,
    Key.BENCHMARK,
    Key.LANGUAGE,
    Key.PROFILE,
    Key.OWN_GOLD,
    Key.KEEP_WRONG_GOLD,
    Key.MISSING,
    Key.REFERENCE,
    Key.AXES,
    Key.LETTERS,
    Key.EDGES,
    Key.FORCE_EDGES,
)
"""Choices that go along when the reader moves to another page."""


def read(key: Key) -> str:
    """The value in the address, `""` when there is none."""
    return str(st.query_params.get(key.value, ""))


def read_all(key: Key) -> tuple[str, ...]:
    """Every value of a repeated query parameter."""
    return tuple(st.query_params.get_all(key.value))


def write(values: Mapping[Key, str]) -> None:
    """Put values into the address; an empty value takes the parameter out."""
    for key, value in values.items():
        if value:
            if read(key) != value:
                st.query_params[key.value] = value
        else:
            st.query_params.pop(key.value, None)


def write_all(key: Key, values: Sequence[str]) -> None:
    """Put a repeated parameter into the address; without values it is taken out."""
    if values:
        st.query_params[key.value] = list(values)
    else:
        st.query_params.pop(key.value, None)


def following(**more: str) -> dict[str, str]:
    """Query parameters for a link to another page: the choices that follow, and what is given on top."""
    kept = {key.value: read(key) for key in FOLLOWING if read(key)}
    return {**kept, **{name.replace("_", "-"): value for name, value in more.items() if value}}


def address(page: str, **more: str) -> str:
    """A relative link to another page that keeps the choices which follow: `address("items", show="wrong")`."""
    return f"{page}?{urlencode(following(**more))}"


def say_after(message: str) -> None:
    """Keep a message for the next time the page is drawn (a callback cannot draw)."""
    st.session_state[Session.SAID] = message


def said() -> str:
    """Take the kept message, `""` when there is none."""
    return str(st.session_state.pop(Session.SAID, ""))
