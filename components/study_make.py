"""The form that makes a study: what raters do, which pool, how many raters, what they see; preview before storing."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from annotator.analyses.poolsources import cell_item_ids, edit_severities, output_scores
from annotator.records import Cell, Query
from annotator.store.names import ProjectNames
from annotator.store.project import Project
from annotator.studies.codebook import codebook_names
from annotator.studies.create import StudyMade, StudyPlan, change_state, create_study, preview_study
from annotator.studies.kinds import WRITTEN, StudyKind
from annotator.studies.settings import StudySettings
from components.listacts import forget_pool_button, pool_ids
from components.notes import errors_in_words
from components.state import Key, Session, read, say_after, write

WORDS = {
    StudyKind.EDIT_SEVERITY: "Severity of one marked edit, 0-4",
    StudyKind.TEXT_SEVERITY: "Severity of a whole output, 0-4",
    StudyKind.TEXT_SCORE: "Score of a whole output, 1-5",
    StudyKind.PREFERENCE: "Preference between two outputs",
    StudyKind.TRANSCRIPTION: "Transcription of images",
    StudyKind.LABELS: "Labels from a codebook",
    StudyKind.OTHER_REVIEW: "Review of outcomes Other",
}
RULES = "rubric"


def draw_make(project: Project, names: ProjectNames) -> None:
    """Draw the form; preview and create are buttons of their own."""
    kind = st.selectbox("What raters do", list(StudyKind), format_func=lambda k: WORDS[k], key="make-kind")
    forget_pool_button()
    with st.form("make", border=False):
        plan = _fields(project, names, kind)
        with st.container(horizontal=True):
            previewed = st.form_submit_button("Preview the pool", icon=":material/visibility:")
            made = st.form_submit_button("Create the study", type="primary", icon=":material/add:")
    if not (previewed or made):
        return
    with errors_in_words():
        full = with_sources(project, plan, read(Key.CELL))
        if made:
            create_study(project, full)
            change_state(project, full.name, "open")
            say_after("Study created and opened")
            write({Key.STUDY: full.name, Key.CELL: ""})
            st.session_state.pop(Session.POOL, None)
            st.rerun()
        _show(preview_study(project, full))


def with_sources(project: Project, plan: StudyPlan, cell: str) -> StudyPlan:
    """The plan with the severities, scores and items that its choices name."""
    chosen = [found for part in cell.split(",") if (found := Cell.parse(part))]
    ids = cell_item_ids(project, plan.query, chosen) if chosen else pool_ids() or plan.item_ids
    severities = edit_severities(project, plan.query, plan.provider) if _is_banded(plan) else {}
    is_opposed = plan.kind is StudyKind.PREFERENCE and bool(plan.provider)
    scores = output_scores(project, plan.query, plan.provider) if is_opposed else None
    return replace(plan, item_ids=ids, severities=severities, scores=scores)


def _fields(project: Project, names: ProjectNames, kind: StudyKind) -> StudyPlan:
    left, right = st.columns(2)
    with left:
        name = st.text_input("Name", key="make-name", max_chars=80)
        size = st.number_input("Tasks (0: all there are)", 0, 100_000, 100, key="make-size")
        overlap = st.number_input("Raters for each task", 1, 100, 3, key="make-overlap")
        seed = st.number_input("Seed", 0, 2**31, 0, key="make-seed")
        repeats = st.number_input("Tasks shown to a rater twice", 0, 1_000, 0, key="make-repeats")
        attention = 0 if kind in WRITTEN else st.number_input("Attention tasks", 0, 1_000, 0, key="make-attention")
    with right:
        systems = st.multiselect("Systems (none: all)", names.systems, key="make-systems")
        language = st.selectbox(
            "Language", ["", *names.languages], format_func=lambda v: v or "All", key="make-language"
        )
        if cell := read(Key.CELL):
            st.text(f"Only items of the cell {cell}")
        elif ids := pool_ids():
            st.text(f"Only the {len(ids):,} items of the list that you chose")
        provider = _provider(kind)
        settings = _settings(project, kind, int(attention))
    return StudyPlan(
        kind=kind,
        name=name.strip(),
        size=int(size),
        overlap=int(overlap),
        seed=int(seed),
        query=Query(systems=tuple(systems), language=language),
        provider=provider,
        repeats=int(repeats),
        attention=int(attention),
        settings=settings,
    )


def _provider(kind: StudyKind) -> str:
    if kind is StudyKind.EDIT_SEVERITY:
        label = "Near-equal thirds by the severity of"
    elif kind is StudyKind.PREFERENCE:
        label = "Only pairs that CER and semCER order oppositely, by the severity of"
    else:
        return ""
    return str(st.text_input(label, RULES if kind is StudyKind.EDIT_SEVERITY else "", key="make-provider")).strip()


def _settings(project: Project, kind: StudyKind, attention: int) -> StudySettings:
    image = st.checkbox("Show the image", True, key="make-image")
    gate = st.checkbox("Answer only once the image is loaded", False, key="make-gate")
    pair = kind is StudyKind.PREFERENCE
    tie = not pair or st.checkbox("Allow a tie", True, key="make-tie")
    both_bad = pair and st.checkbox("Allow 'both unusable'", False, key="make-both-bad")
    codebook = ""
    if kind in WRITTEN:
        books = list(codebook_names(project.folder))
        codebook = st.selectbox(
            "Codebook", ["", *books] if kind is StudyKind.TRANSCRIPTION else books, key="make-codebook"
        )
    questions = 0 if kind in WRITTEN else st.number_input("Questions of the check (0: none)", 0, 5, 5, key="make-check")
    return StudySettings(
        image=image,
        image_gate=gate,
        tie=tie,
        both_bad=both_bad,
        codebook=codebook or "",
        check_questions=int(questions),
        check_pass=max(0, int(questions) - 1),
        attention_every=20 if attention else 0,
        purpose=st.text_input("Purpose, one sentence for raters", key="make-purpose"),
    )


def _is_banded(plan: StudyPlan) -> bool:
    return plan.kind is StudyKind.EDIT_SEVERITY and bool(plan.provider)


def _show(made: StudyMade) -> None:
    st.subheader(f"{made.tasks} tasks would be made", anchor=False)
    # The note holds the study's name and filters, which are text of the user: shown as written, not as Markdown.
    st.code(made.method, language=None, wrap_lines=True)
    for task in made.pool.tasks[:5]:
        st.code("  →  ".join(text for text in (task.gold, task.predicted, task.predicted_b) if text), language=None)
