"""What errors cost a reader: semCER beside CER, and the edits to check first."""

import shlex

import streamlit as st

from components.checkfirst import show_check_first
from components.filters import choose_chip, command_options, filter_bar, names_of, switch
from components.notes import computed_line, empty_state, errors_in_words
from components.remember import resampling
from components.severity import choose_provider, show_scores
from components.severityviews import DRAW
from components.shell import start_page
from components.state import Key

VIEWS = {
    "scores": "Scores",
    "check": "Check first",
    "readers": "Readers",
    "two": "Two sources",
    "equal": "Equal counts",
    "load": "Languages",
    "words": "Real words",
    "unlike": "Without gold",
}
CLEARED = (Key.EDIT, Key.PAGE, Key.VALUE, Key.ITEM, Key.OTHER, Key.STUDY)

project = start_page("Severity", "What errors cost a reader: semCER beside CER, and which edits to check first.")
names = names_of(project)
if not names.predictions:
    empty_state(
        "Nothing to charge yet",
        "Severities belong to the edits of answers to items with gold text.",
        "python -m annotator import items ITEMS.csv --images DIR\npython -m annotator import predictions PREDICTIONS.csv",
    )
    st.stop()
query = filter_bar(project, (Key.SYSTEM, Key.CONDITION, Key.BENCHMARK, Key.LANGUAGE), clears=CLEARED)
with errors_in_words():
    with st.container(horizontal=True, vertical_alignment="bottom"):
        provider = choose_provider(project)
    view = choose_chip("View", Key.TAB, VIEWS, default="scores", clears=CLEARED)
    command = f"report severity --provider {shlex.quote(provider)}"
    if view == "check":
        command = f"export check-first --provider {shlex.quote(provider)}"
        show_check_first(project, query, provider, switch("Hide what is marked", Key.HIDE_DONE))
    elif view in DRAW:
        command = DRAW[view](project, query, provider)
    else:
        show_scores(project, query, provider)
computed_line(
    {"provider": provider, "profile": "raw", "seed": query.seed, "resamples": f"{query.resamples:,}",
     "resampling": resampling(project, query), "revision": names.revision},
    f"python -m annotator {command}{command_options(query)}",
)  # fmt: skip
