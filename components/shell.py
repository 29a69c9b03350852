"""How every page begins: page settings, style, role check, sidebar, and the open project."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from annotator.access import EVERYONE, OWNERS, RESEARCHERS, Role
from annotator.errors import ProjectMissingError, VerbatimError
from annotator.store.project import Project, hold_open, open_project
from components.links import link
from components.login import ask_password, keep_signed_in, sign_out_button, visitor_roles
from components.notes import command_block, error_in_words
from components.place import project_folder
from components.state import Key, Session, read, said

ROOT = Path(__file__).resolve().parent.parent
STYLES = tuple(Path(__file__).with_name(name) for name in ("verbatim.css", "edits.css"))
# A picture of our own: a named icon would be fetched from the network.
ICON = Path(__file__).with_name("favicon.png")


@dataclass(frozen=True, slots=True)
class Screen:
    """A page in the sidebar. Pages whose file is not there are not listed."""

    file: str
    title: str
    icon: str
    roles: frozenset[Role] = RESEARCHERS


KEYS = {
    "←": "the item before",
    "→": "the next item",
    "Tab": "to the next control, picture or tile; Enter or Space chooses",
    "Arrows": "move in the keyboard table of a heat map; Enter chooses the cell",
    "h": "this list",
    "Esc": "close it",
}
SCREENS: dict[str, tuple[Screen, ...]] = {
    "Read": (
        Screen("app.py", "Overview", ":material/table_rows:"),
        Screen("pages/items.py", "Items", ":material/image_search:"),
        Screen("pages/strata.py", "Strata", ":material/grid_on:"),
        Screen("pages/compare.py", "Compare", ":material/compare_arrows:"),
        Screen("pages/confidence.py", "Confidence", ":material/speed:"),
    ),
    "Explain": (
        Screen("pages/outcomes.py", "Outcomes", ":material/alt_route:"),
        Screen("pages/taxonomy.py", "Taxonomy", ":material/account_tree:"),
        Screen("pages/attributes.py", "Attributes", ":material/label:"),
        Screen("pages/severity.py", "Severity", ":material/priority_high:"),
    ),
    "Rate": (
        Screen("pages/studies.py", "Studies", ":material/groups:", OWNERS),
        Screen("pages/rate.py", "Rate", ":material/rate_review:", EVERYONE),
        Screen("pages/agreement.py", "Agreement", ":material/handshake:"),
    ),
    "Data": (
        Screen("pages/data.py", "Data", ":material/database:", OWNERS),
        Screen("pages/conditions.py", "Conditions", ":material/blur_on:", OWNERS),
    ),
}


def start_page(
    title: str, purpose: str, roles: frozenset[Role] = RESEARCHERS, *, create: bool = False, wide: bool = True
) -> Project:
    """Begin a page: settings, style, role check, sidebar, title and one-line purpose. Return the open project.

    Stops the script, with words that say what to do, when the visitor's role may not open the page or there is no
    project. `create` makes an empty project instead (the data page). The first call of every page.
    """
    st.set_page_config(
        page_title=f"{title} · Verbatim",
        page_icon=str(ICON),
        layout="wide" if wide else "centered",
        initial_sidebar_state="collapsed" if is_rater_link() else "auto",
    )
    for style in STYLES:
        st.html(style)
    mine = visitor_roles()
    keep_signed_in()
    if is_rater_link():
        mine &= frozenset({Role.RATER})
    else:
        draw_sidebar(mine)
    if not mine & roles:
        ask_password()
        st.stop()
    draw_heading(title, purpose)
    return open_or_stop(create=create)


def is_rater_link() -> bool:
    """The address carries a rater's token: draw nothing that is not for raters."""
    return bool(read(Key.JOIN) or read(Key.AS))


def draw_heading(title: str, purpose: str) -> None:
    """Draw the page's title and the one line that says what it answers; then what the last act had to say."""
    st.title(title, anchor=False)
    st.html(f'<p class="v-purpose">{purpose}</p>')
    if message := said():
        st.toast(message, icon=":material/check:")


def draw_sidebar(mine: frozenset[Role]) -> None:
    """Draw the links that this visitor may follow; the filters of the address go along."""
    with st.sidebar:
        st.html('<p class="v-brand">Verbatim</p>')
        for heading, screens in SCREENS.items():
            shown = [screen for screen in screens if screen.roles & mine and (ROOT / screen.file).exists()]
            if shown and mine & RESEARCHERS:
                st.html(f'<p class="v-nav">{heading}</p>')
                for screen in shown:
                    link(screen.file, screen.title, icon=screen.icon)
        if mine & RESEARCHERS:
            st.button(
                "Keyboard", icon=":material/keyboard:", type="tertiary", shortcut="h", key="keys", on_click=_ask_keys
            )
        sign_out_button()
    if st.session_state.pop(Session.KEYS, False):
        show_keys()


def _ask_keys() -> None:
    st.session_state[Session.KEYS] = True


@st.dialog("Keyboard")
def show_keys() -> None:
    """The keyboard map of the pages with items and grids (the rating page has its own)."""
    rows = "".join(f"<dt><kbd>{key}</kbd></dt><dd>{act}</dd>" for key, act in KEYS.items())
    st.html(f'<dl class="v-keys">{rows}</dl>')


def open_or_stop(*, create: bool = False) -> Project:
    """Open the project; without one, say what to do and stop."""
    folder = project_folder()
    try:
        project = open_project(folder, create=create)
        _hold(project.folder, project)
        return project
    except ProjectMissingError:
        st.subheader("No project yet", anchor=False)
        st.text(f"There is no project at {folder}. Build the demo, or import a test set of your own:")
        command_block("python -m annotator demo")
        command_block(
            "python -m annotator import items ITEMS.csv --images DIR\n"
            "python -m annotator import predictions PREDICTIONS.csv"
        )
        link("pages/data.py", "Import on the data page", icon=":material/upload:")
    except VerbatimError as error:
        error_in_words(error)
    st.stop()


@st.cache_resource(max_entries=4, show_spinner=False)
def _hold(folder: Path, _project: Project) -> object:
    return hold_open(_project)
