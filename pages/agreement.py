"""How far raters agree, what their answers say of the systems, and the aggregates to take away."""

import streamlit as st

from annotator.exports.aggregates import aggregates_table
from annotator.exports.writing import csv_text
from annotator.studies.kinds import StudyKind
from annotator.studies.progress import list_studies, watch_study
from components.agreement import agreement_of, draw_agreement, draw_ranking
from components.filters import names_of
from components.notes import computed_line, empty_state, errors_in_words
from components.shell import start_page
from components.state import Key, read, write

project = start_page(
    "Agreement", "How reliable ratings are: raters against each other, against themselves, and what was used."
)
studies = {study.name: study for study, _counts in list_studies(project)}
if not studies:
    empty_state(
        "No study yet",
        "Agreement needs ratings. Create a study on the page Studies, or on the command line:",
        "python -m annotator study create edit-severity --name NAME --open",
    )
    st.stop()
options = list(studies)
chosen = read(Key.STUDY)
with st.container(horizontal=True, vertical_alignment="bottom"):
    index = options.index(chosen) if chosen in studies else len(options) - 1
    name = st.selectbox("Study", options, index=index, key="agreement-study")
    share = st.number_input(
        "Least share of the items", 0.0, 1.0, 0.5, 0.1, key="agreement-share", help="Raters who did less are left out."
    )
    st.download_button(
        "Aggregates (CSV)", lambda: csv_text(aggregates_table(project, name)).encode(), f"{name}-aggregates.csv", "text/csv",
        key="agreement-aggregates", on_click="ignore",
    )  # fmt: skip
write({Key.STUDY: name})
with errors_in_words():
    draw_agreement(agreement_of(project, name, share))
    if studies[name].kind == StudyKind.PREFERENCE:
        raters = [rater.rater for rater in watch_study(project, name).raters]
        with st.container(horizontal=True):
            rater = st.selectbox(
                "Ranking by", ["", *raters], format_func=lambda v: v or "All raters", key="ranking-rater"
            )
            language = st.selectbox(
                "Language", ["", *names_of(project).languages], format_func=lambda v: v or "All", key="ranking-language"
            )
        draw_ranking(project, name, rater, language)
facts = {"study": name, "least share": share, "seed": 0, "resamples": 2000, "revision": project.revision()}
computed_line(facts, f"python -m annotator report agreement --study {name} --min-share {share} --resamples 2000")
