"""Verbatim or rewritten: which answers keep what is written, and which give the standard spelling instead."""

import streamlit as st

from components import outcomepairs, outcomes, rewriting
from components.commands import outcomes_command
from components.filters import choose_chip, filter_bar, names_of
from components.notes import computed_line, empty_state, errors_in_words
from components.remember import resampling
from components.shell import start_page
from components.state import Key

CLEARS = (Key.ITEM, Key.PAGE, Key.OUTCOME, Key.TO, Key.GROUP)
VIEWS = {
    "systems": ("Systems", outcomes.show_systems),
    "pair": ("Pairs", outcomepairs.show_pair),
    "conditions": ("Conditions", outcomepairs.show_conditions),
    "consensus": ("Consensus", rewriting.show_consensus),
    "lexical": ("Language prior", rewriting.show_lexical),
    "families": ("Families", rewriting.show_families),
    "traces": ("Reasoning", rewriting.show_traces),
}

project = start_page("Outcomes", "Which answers keep what is written, and which rewrite it to the standard spelling.")
names = names_of(project)
if not names.with_standard or not names.predictions:
    empty_state(
        "No outcomes yet",
        "An outcome needs items with gold and a standard form that differ, and the answers of at least one system.",
        "python -m annotator import items ITEMS.csv --map standard=canonical_text\n"
        "python -m annotator import predictions PREDICTIONS.jsonl",
    )
    st.stop()
query = filter_bar(project, (Key.BENCHMARK, Key.LANGUAGE), narrow=False, clears=CLEARS)
view = choose_chip(
    "View", Key.TAB, {name: words for name, (words, _) in VIEWS.items()}, default="systems", clears=CLEARS
)
_, draw = VIEWS[view]
with errors_in_words():
    chosen = draw(project, names, query)
    if chosen is not None or view == "systems":
        outcomes.show_chosen(project, query, chosen)
computed_line(
    {
        "seed": query.seed,
        "resamples": f"{query.resamples:,}",
        "resampling": resampling(project, query),
        "revision": names.revision,
    },
    outcomes_command(view, query),
)
