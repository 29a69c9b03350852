"""`/rate` without a link: for a visitor a kind word, for the owner the way to try a study."""

from __future__ import annotations

import streamlit as st

from annotator.access import RESEARCHERS
from annotator.store.project import Project
from annotator.studies.links import invite
from annotator.studies.progress import list_studies
from components.login import visitor_roles
from components.notes import empty_state
from components.state import Key, write


def draw_preview(project: Project) -> None:
    """Tell a visitor to open their link; let the owner join an open study as a rater."""
    if not visitor_roles() & RESEARCHERS:
        st.text("To rate, open the link that you were sent.")
        return
    studies = [study for study, _counts in list_studies(project) if study.state == "open"]
    if not studies:
        empty_state(
            "No open study",
            "Raters come here through a link. Create a study and open it:",
            "python -m annotator study create edit-severity --name NAME --open",
        )
        return
    st.text("Raters come here through their own link. Join a study yourself to see what they see; your answers count.")
    for study in studies:
        st.button(
            f"Join {study.kind} study {study.key}", key=f"join-{study.key}", on_click=_join, args=(project, study.name)
        )
        st.text(study.name)


def _join(project: Project, name: str) -> None:
    link = invite(project, name, one_time=True).study_link
    write({Key.JOIN: link.partition("join=")[2]})
