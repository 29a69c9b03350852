"""Two systems or conditions on the same items: the difference, where it lies, and what it is worth."""

import streamlit as st

from components import compareviews, reports
from components.commands import compare_command
from components.compare import (
    choose_sides,
    compared,
    grid_metric,
    show_comparison,
    show_difference_grid,
    show_small_multiples,
    show_transitions,
    system_of,
)
from components.filters import choose_chip, filter_bar, names_of
from components.notes import computed_line, empty_state, errors_in_words
from components.remember import resampling
from components.shell import start_page
from components.state import Key

VIEWS = {
    "pair": "Difference",
    "grid": "By cell",
    "ngrams": "N-grams",
    "variants": "Variants",
    "corpora": "Second corpus",
    "router": "Router",
    "control": "Lexicon",
}
DRAW = {
    "ngrams": compareviews.show_ngrams,
    "variants": compareviews.show_variants,
    "corpora": compareviews.show_corpora,
    "router": compareviews.show_router,
    "control": compareviews.show_control,
}
CLEARED = (Key.VALUE, Key.ITEM, Key.PAGE)

project = start_page("Compare", "Two systems, or two conditions of one, on the items that both answered.")
names = names_of(project)
runs = [system if condition == "default" else f"{system}@{condition}" for system, condition in names.runs]
if len(runs) < 2:
    empty_state(
        "Nothing to compare yet",
        "A comparison needs the outputs of two systems, or of one under two conditions.",
        "python -m annotator import predictions PREDICTIONS.csv",
    )
    st.stop()
query = filter_bar(
    project, (Key.BENCHMARK, Key.LANGUAGE, Key.PROFILE), more=reports.strata_choices(project), clears=CLEARED
)
view = choose_chip("View", Key.VIEW, VIEWS, default="pair", clears=CLEARED)
sides = choose_sides(view, runs, CLEARED)
a, b, cell, metric = sides.a, sides.b, sides.cell, sides.metric
with errors_in_words():
    if view == "pair":
        report = compared(project, query, a, b, cell, metric)
        show_comparison(report)
        show_transitions(project, query, report, a, b, cell, metric)
    elif view == "grid":
        strata = reports.strata(project, query, grid_metric(metric))
        one, other = system_of(strata, a), system_of(strata, b)
        left, right = st.columns([6, 6], gap="medium")
        if one and other:
            with left:
                show_difference_grid(one, other, strata)
        with right:
            show_small_multiples(strata)
    else:
        DRAW[view](compareviews.Asked(project, query, a, b, sides.variants, cell, runs))
computed_line(
    {
        "profile": query.profile,
        "seed": query.seed,
        "resamples": f"{query.resamples:,}",
        "resampling": resampling(project, query),
        "revision": names.revision,
    },
    compare_command(view, query, sides),
)
