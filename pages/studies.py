"""The owner's page: make studies, invite raters, watch them work, settle, close, download."""

import streamlit as st

from annotator.access import OWNERS
from annotator.studies.kinds import WRITTEN, StudyKind
from annotator.studies.progress import list_studies
from components.filters import names_of
from components.listacts import pool_ids
from components.notes import empty_state, errors_in_words
from components.shell import start_page
from components.state import Key, read, write
from components.study_make import draw_make
from components.study_settle import draw_settle
from components.study_watch import draw_watch

project = start_page(
    "Studies", "Have people rate, compare, transcribe and label; watch them; use what they say.", OWNERS
)
studies = {study.name: study for study, _counts in list_studies(project)}
chosen = read(Key.STUDY) if read(Key.STUDY) in studies else ""
views = ["Watch", "Settle", "New study"]
first = (
    "New study" if not studies or read(Key.CELL) or pool_ids() else "Watch"
)  # a pool that was just chosen is to be used
tabs = st.segmented_control("View", views, default=first, key=f"studies-view-{len(studies)}-{first[0]}")
if tabs == "New study" or not studies:
    draw_make(project, names_of(project))
    st.stop()
options = list(studies)
name = st.selectbox("Study", options, index=options.index(chosen) if chosen else len(options) - 1, key="studies-name")
write({Key.STUDY: name})
with errors_in_words():
    if tabs == "Settle":
        if StudyKind(studies[name].kind) in WRITTEN:
            draw_settle(project, name)
        else:
            empty_state(
                "Nothing to settle", "Transcriptions and labels are settled here; this study has numbers or choices."
            )
    else:
        draw_watch(project, name)
