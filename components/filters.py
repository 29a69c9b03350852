"""Choices that live in the address: a select box, a switch or a text field writes its query parameter and reads it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from annotator.analyses.names import project_names
from annotator.records import MissingRule, Query
from annotator.store.names import ProjectNames
from annotator.store.project import Project
from annotator.text.profiles import PROFILES
from components.state import Key, read, read_all, write, write_all

NAMES_KEPT = 8
PROFILE_HELP = (
    "What is done to gold and predicted text before they are compared. raw: NFC only. ws: white space dropped. light: case "
    "folded, white space collapsed. omni2025: white space, punctuation and symbols dropped. full: case folded, then as "
    "omni2025 (normalized CER). str: case folded, only letters, digits and their marks kept."
)


@st.cache_data(max_entries=NAMES_KEPT, show_spinner=False)
def _names(folder: str, revision: int, _project: Project) -> ProjectNames:
    return project_names(_project)


def names_of(project: Project) -> ProjectNames:
    """The project's names and counts, remembered per revision."""
    return _names(str(project.folder), project.revision(), project)


def choose(
    label: str,
    key: Key,
    options: Sequence[str],
    *,
    default: str = "",
    shown: Mapping[str, str] | None = None,
    help: str | None = None,
    clears: Sequence[Key] = (),
) -> str:
    """A select box bound to the address. Return the choice; an unknown value in the address gives `default`.

    `shown` gives other words for an option (`{"": "All systems"}`); `clears` are parameters that a new choice empties.
    """
    current = read(key) if read(key) in options else default
    widget = f"choose-{key}"
    st.session_state[widget] = current
    words = shown or {}
    st.selectbox(
        label,
        options,
        key=widget,
        format_func=lambda option: words.get(option, option),
        help=help,
        on_change=_store,
        args=(key, widget, default, tuple(clears)),
    )
    return current


def choose_chip(label: str, key: Key, options: Mapping[str, str], *, default: str, clears: Sequence[Key] = ()) -> str:
    """A row of a few exclusive choices bound to the address; `options` gives each its words."""
    current = read(key) if read(key) in options else default
    widget = f"chip-{key}"
    st.session_state[widget] = current
    st.segmented_control(
        label,
        list(options),
        key=widget,
        required=True,
        format_func=lambda option: options[option],
        label_visibility="collapsed",
        on_change=_store,
        args=(key, widget, default, tuple(clears)),
    )
    return current


def chosen(key: Key) -> str:
    """What the select box or chip of `key` shows on this page, its default included; "" when it is not drawn."""
    return str(st.session_state.get(f"choose-{key}") or st.session_state.get(f"chip-{key}") or "")


def switch(label: str, key: Key, *, help: str | None = None) -> bool:
    """A toggle bound to the address (`1` when on)."""
    widget = f"switch-{key}"
    st.session_state[widget] = read(key) == "1"
    st.toggle(label, key=widget, help=help, on_change=_store_switch, args=(key, widget))
    return read(key) == "1"


def choose_several(label: str, key: Key, options: Sequence[str], *, empty: str) -> tuple[str, ...]:
    """Several options bound to the address (a repeated parameter), in their order; `empty` says what none stands for."""
    current = [option for option in options if option in read_all(key)]
    widget = f"several-{key}"
    st.session_state[widget] = current
    st.multiselect(label, options, key=widget, placeholder=empty, on_change=_store_several, args=(key, widget))
    return tuple(current)


def number_in_address(key: Key) -> int:
    """A whole number from 0 on in the address; anything else there is 0."""
    text = read(key)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def type_in(label: str, key: Key, *, placeholder: str = "", help: str | None = None, clears: Sequence[Key] = ()) -> str:
    """A text field bound to the address."""
    widget = f"type-{key}"
    st.session_state[widget] = read(key)
    st.text_input(
        label, key=widget, placeholder=placeholder, help=help, on_change=_store, args=(key, widget, "", tuple(clears))
    )
    return read(key)


def filter_bar(
    project: Project,
    keys: Sequence[Key],
    *,
    one: Sequence[Key] = (),
    defaults: Mapping[Key, str] | None = None,
    clears: Sequence[Key] = (),
    narrow: bool = True,
    more: Mapping[Key, tuple[str, Sequence[str], str]] | None = None,
    empty: Mapping[Key, str] | None = None,
) -> Query:
    """Draw the filters named in `keys` in one row and return them as a `Query`; they follow from page to page.

    A filter with nothing to choose is not drawn. Keys in `one` have no "All": the first name stands until another is
    chosen. `defaults` says what stands in an empty address (`{Key.PROFILE: "str"}`). Without `narrow` the query keeps
    every system and condition (a page that shows all answers and only speaks of one). `more` adds choices of the page's
    own: key to (label, options, what "" is called); `empty` renames "All" of the usual ones.
    """
    names = names_of(project)
    table: dict[Key, tuple[str, Sequence[str], str]] = {
        Key.SYSTEM: ("System", names.systems, "All systems"),
        Key.CONDITION: ("Condition", names.conditions, "All conditions"),
        Key.BENCHMARK: ("Benchmark", names.benchmarks, "All benchmarks"),
        Key.LANGUAGE: ("Language", names.languages, "All languages"),
    }
    chosen: dict[Key, str] = {}
    with st.container(horizontal=True, key="filters", vertical_alignment="bottom", gap="small"):
        for key in keys:
            if key is Key.PROFILE:
                default = (defaults or {}).get(key, "raw")
                chosen[key] = choose("Profile", key, PROFILES, default=default, help=PROFILE_HELP)
            elif key in table:
                label, options, everything = table[key]
                everything = (empty or {}).get(key, everything)
                shown = {"": everything, **({c: f"{c} (oracle)" for c in names.oracle} if key is Key.CONDITION else {})}
                chosen[key] = _choose_name(label, key, options, shown, single=key in one, clears=clears)
        for key, (label, options, nothing) in (more or {}).items():
            chosen[key] = choose(label, key, ["", *options], shown={"": nothing}, clears=clears)
        if Key.REFERENCE in (more or {}):
            _grid_rules(clears)
        _counting()
    if not narrow:
        chosen |= {Key.SYSTEM: "", Key.CONDITION: ""}
    return query_of(chosen)


def _counting() -> None:
    """What counts, in every report of this page: the switches follow from page to page like the filters."""
    keys = (Key.OWN_GOLD, Key.MISSING, Key.KEEP_WRONG_GOLD)
    on = sum(read(key) == "1" for key in keys)
    with st.popover(
        f"Counting ({on})" if on else "Counting", icon=":material/rule:", help="What counts, and against what"
    ):
        for key, (label, help) in zip(keys, COUNTING, strict=True):
            switch(label, key, help=help)


GRID_RULES: Mapping[Key, tuple[str, Mapping[str, str], str]] = {
    Key.AXES: (
        "Axes",
        {"": "chosen from the text", "word": "word rank, trigram novelty", "character": "cluster and pair rarity"},
        "Character axes are taken where most letters of gold are not Latin, Greek or Cyrillic.",
    ),
    Key.LETTERS: (
        "Labels that enter (word axes)",
        {"": "by language", "ascii": "a to z", "unicode": "letters and their marks"},
        "English and items without a language: a to z alone.",
    ),
    Key.EDGES: (
        "Quintile edges",
        {"": "of this data", "stratistr": "published (StratiSTR, Table 13)"},
        "Published edges belong to their reference corpus; another file is given on the command line (--edges FILE).",
    ),
}


def _grid_rules(clears: Sequence[Key]) -> None:
    """How the grid is made: what the text chooses is shown and can be overridden."""
    on = sum(bool(read(key)) for key in (*GRID_RULES, Key.FORCE_EDGES))
    with st.popover(f"Grid ({on})" if on else "Grid", icon=":material/grid_4x4:", help="Axes, labels and edges"):
        for key, (label, shown, help) in GRID_RULES.items():
            choose(label, key, list(shown), shown=shown, help=help, clears=clears)
        if read(Key.EDGES):
            switch("Use the edges with another reference corpus", Key.FORCE_EDGES)


COUNTING = (
    ("Against the gold of each system's own file", "Where a predictions file carries its own gold column."),
    (
        "A missing answer counts as an empty one",
        "Otherwise a missing answer is in no rate of that system, and counted.",
    ),
    ("Keep items whose gold was marked wrong", "Otherwise they are left out of every rate, and counted."),
)


def run_name(names: ProjectNames, system: str, condition: str) -> str:
    """`system@condition` of a run that is there: the condition asked for, else the system's default or first; or `""`."""
    conditions = [known for name, known in names.runs if name == system]
    if not conditions:
        return ""
    wanted = [known for known in (condition, "default", conditions[0]) if known in conditions]
    return f"{system}@{wanted[0]}"


def _choose_name(
    label: str, key: Key, options: Sequence[str], shown: Mapping[str, str], *, single: bool, clears: Sequence[Key]
) -> str:
    if len(options) < 2:
        return options[0] if options and single else ""
    if single:
        return choose(label, key, options, default=options[0], shown=shown, clears=clears)
    return choose(label, key, ["", *options], shown=shown, clears=clears)


def query_of(chosen: Mapping[Key, str]) -> Query:
    """The `Query` of what was chosen and of the switches that stand in the address."""
    return Query(
        systems=_one(chosen.get(Key.SYSTEM, "")),
        conditions=_one(chosen.get(Key.CONDITION, "")),
        benchmark=chosen.get(Key.BENCHMARK, ""),
        language=chosen.get(Key.LANGUAGE, ""),
        profile=chosen.get(Key.PROFILE, "") or "raw",
        own_gold=read(Key.OWN_GOLD) == "1",
        missing=MissingRule.ERROR if read(Key.MISSING) == "1" else MissingRule.EXCLUDE,
        keep_wrong_gold=read(Key.KEEP_WRONG_GOLD) == "1",
        reference=chosen.get(Key.REFERENCE, ""),
        **(_grid_choices() if Key.REFERENCE in chosen else {}),
    )


def _grid_choices() -> dict[str, Any]:
    """How the grid is made, from the address; on pages with a grid alone."""
    rules = {key.value: read(key) if read(key) in shown else "" for key, (_, shown, _) in GRID_RULES.items()}
    return {**rules, "force_edges": bool(rules["edges"]) and read(Key.FORCE_EDGES) == "1"}


def command_options(query: Query) -> str:
    """The options of the command line that ask for the same as `query` (with a leading space, or empty)."""
    words = [f"--system {_quoted(name)}" for name in query.systems]
    words += [f"--condition {_quoted(name)}" for name in query.conditions]
    words += [
        f"--{name} {_quoted(value)}"
        for name, value in (
            ("benchmark", query.benchmark),
            ("language", query.language),
            ("profile", "" if query.profile == "raw" else query.profile),
            ("reference", query.reference),
            ("axes", query.axes),
            ("letters", query.letters),
            ("edges", query.edges),
        )
        if value
    ]
    words += ["--own-gold"] * query.own_gold + ["--keep-wrong-gold"] * query.keep_wrong_gold
    words += ["--force-edges"] * query.force_edges
    words += ["--missing error"] * (query.missing is MissingRule.ERROR)
    return "".join(f" {word}" for word in words)


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)


def _one(name: str) -> tuple[str, ...]:
    return (name,) if name else ()


def _store(key: Key, widget: str, default: str, clears: tuple[Key, ...]) -> None:
    value = str(st.session_state[widget] or "")
    write({key: "" if value == default else value, **dict.fromkeys(clears, "")})


def _store_several(key: Key, widget: str) -> None:
    write_all(key, st.session_state[widget])


def _store_switch(key: Key, widget: str) -> None:
    write({key: "1" if st.session_state[widget] else ""})
