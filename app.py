"""The overview: what is in this project, how the systems compare, what to look at next."""

import streamlit as st

from components import reports
from components.confusions import show_confusions
from components.filters import command_options, filter_bar, names_of
from components.notes import computed_line, empty_state, errors_in_words
from components.overview import COLUMNS, commands, rows_of, show_before_charging, show_edge_space, show_next, show_size
from components.remember import resampling
from components.shell import start_page
from components.state import Key
from components.tables import show_table, speaking

project = start_page("Overview", "What is in this project, how the systems compare, and what to look at next.")
names = names_of(project)
if not names.items:
    empty_state(
        "This project is empty",
        "Import a file of items (id, gold text, image), then one file of outputs for each system.",
        "python -m annotator import items ITEMS.csv --images DIR\npython -m annotator import predictions PREDICTIONS.csv",
    )
    st.stop()
if not names.predictions:
    show_size(names, None)
    empty_state(
        "No outputs yet",
        "Import what your systems read, or run a recogniser on the images.",
        "python -m annotator import predictions PREDICTIONS.csv\npython -m annotator recognise --system tesseract:eng",
    )
    st.stop()
query = filter_bar(project, (Key.CONDITION, Key.BENCHMARK, Key.LANGUAGE))
figures = st.empty()
with errors_in_words():
    if not reports.is_charged(project, query):
        with figures.container():
            show_before_charging(names, reports.overview(project, query, provider=""))
    overview = reports.overview(project, query)
with figures.container():
    show_size(names, overview)
    rows = rows_of(overview)
    show_table(speaking(COLUMNS, rows), rows, key="systems", caption="Systems side by side")
    show_edge_space(overview)
show_next(names, overview)
show_confusions(project, query)
computed_line(
    {
        "grid reference": overview.reference or f"none: {overview.grid_why}",
        "grid language": overview.language,
        "seed": overview.seed,
        "resamples": f"{overview.resamples:,}",
        "resampling": resampling(project, query),
        "revision": overview.project_revision,
        "alignment": overview.alignment_version,
    },
    commands(names, command_options(query)),
)
