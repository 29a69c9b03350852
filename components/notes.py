"""Words around the numbers: empty states, errors, how a figure was computed, the command that gives the same."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import streamlit as st

from annotator.errors import VerbatimError
from annotator.text.visible import escape_controls
from components.links import link
from components.place import for_project
from components.state import Key, read, write


def empty_state(title: str, text: str, command: str = "", page: str = "", label: str = "") -> None:
    """Say that there is nothing to show yet and what to do next: the command, and a link to the `page` that does it.

    `title`, `text` and `label` are the page's own words, never OCR text. An `import` command links to the data page.
    """
    with st.container(border=True):
        st.subheader(title, anchor=False)
        st.text(text)
        if command:
            command_block(command)
        if page:
            link(page, label, icon=":material/arrow_forward:")
        elif "import" in command and "/data" not in str(st.context.url):
            link("pages/data.py", "Or import on the data page", icon=":material/upload:")


def command_block(command: str) -> None:
    """A command that can be copied; it names the project on show."""
    st.code(for_project(command), language=None, wrap_lines=True)


def error_in_words(error: VerbatimError) -> None:
    """Show an error of the library: what happened and what to do, as inert text."""
    st.error("Verbatim could not do this.", icon=":material/error:")
    st.code("\n".join(escape_controls(line) for line in str(error).split("\n")), language=None, wrap_lines=True)


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Show an error of the library that the block raises in words, and stop the page there.

    An address that names an item may name one that is gone: a button closes it, so that the page is no dead end.
    """
    try:
        yield
    except VerbatimError as error:
        error_in_words(error)
        if read(Key.ITEM):
            st.button(
                "Close the item", icon=":material/close:", key="close-item", on_click=write, args=({Key.ITEM: ""},)
            )
        st.stop()


def computed_line(facts: Mapping[str, object], command: str = "") -> None:
    """Draw "how was this computed" (profile, n, seed, versions ...) and the command line that gives the same figures."""
    shown = " · ".join(
        f"{html.escape(name)} <b>{html.escape(escape_controls(_fact(name, value)))}</b>"
        for name, value in facts.items()
        if value not in ("", None)
    )
    st.html(f'<p class="v-computed">{shown}</p>')
    if command:
        with st.popover(
            "Command line", icon=":material/terminal:", type="tertiary", help="The command for the same figures"
        ):
            command_block(command)


def _fact(name: str, value: object) -> str:
    is_count = isinstance(value, int) and not isinstance(value, bool) and name not in ("seed", "revision")
    return f"{value:,}" if is_count else str(value)


def note(text: str) -> None:
    """A sentence in quiet type, as inert text."""
    st.html(f'<p class="v-note">{html.escape(escape_controls(text))}</p>')
