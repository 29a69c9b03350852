"""Tables of the taxonomy page: read-outs per run, dual annotation, conditions as prompts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from annotator.analyses.dual import Correction
from annotator.analyses.taxonomy import TaxonomyReport, TaxonomyRow
from annotator.ingest.roles import ROLES, mark_condition
from annotator.metrics.taxonomy import ErrorClass
from annotator.store.project import Project
from components.classes import LABELS, LOOKS, run_of
from components.edits import lines_html
from components.notes import errors_in_words
from components.numbers import Kind
from components.state import say_after
from components.tables import Column, show_table, speaking

RUN = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("role", "Marked", help="realistic: chosen from; oracle: shown for reference, never chosen."),
)
READ_OUTS = (
    *RUN,
    Column("n", "n", Kind.COUNT, "Answered items with gold."),
    Column("events", "Events", Kind.COUNT, "One per whole-output failure, else one per misaligned word (BanglaWild, App. H)."),
    Column("exact", "Exact %", Kind.PERCENT, "Equal to gold after the profile; Wilson 95 % interval.", "exact_low", "exact_high"),
    Column("visual_orthographic_ratio", "Visual : orthographic", Kind.NUMBER,
           "(lexical substitution + visual misread + word corruption) / (vowel sign + homophone + conjunct + nasal + compound); "
           "item bootstrap (BanglaWild, section 6).", "ratio_low", "ratio_high"),
    Column("cosmetic_share", "Cosmetic %", Kind.PERCENT, "Word boundary + Unicode normalization, share of events."),
    Column("high_risk_share", "High risk %", Kind.PERCENT, "Semantic hallucination + numeric, share of events."),
    Column("high_risk", "High risk, n", Kind.COUNT, "Events of those two classes."),
)  # fmt: skip
DUAL = (
    *RUN,
    Column("n", "n", Kind.COUNT, "Answered items whose standard form differs from gold."),
    Column("verbatim", "Verbatim %", Kind.PERCENT, "Equals what is written, case and white space folded."),
    Column(
        "standard", "Standard %", Kind.PERCENT, "Equals the standard form: an over-correction (BanglaWild, Table 15)."
    ),
    Column("neither", "Neither %", Kind.PERCENT, "Equals neither of the two, case and white space folded."),
    Column("verbatim_equal", "Verbatim, same code points %", Kind.PERCENT, "Nothing folded."),
    Column("standard_equal", "Standard, same code points %", Kind.PERCENT, "Nothing folded."),
)
BEST = (
    Column("system", "System"),
    Column("condition", "Best condition", help="Lowest CER among the conditions that are not oracle."),
    Column("value", "CER %", Kind.PERCENT, "Edits / gold graphemes, pooled."),
    Column("n", "n", Kind.COUNT, "Items answered under all the conditions that it was chosen from."),
    Column("chosen_from", "Chosen from"),
    Column("oracle_condition", "Best oracle", help="For reference only."),
    Column("oracle_value", "CER % of it", Kind.PERCENT, "Edits / gold graphemes, pooled."),
)
CHANGES = (
    Column("system", "System"),
    Column("class", "Class"),
    Column("first", "From"),
    Column("second", "To"),
    Column("n", "n", Kind.COUNT, "Items answered under both conditions."),
    Column("first_share", "Share from, %", Kind.PERCENT, "Of all events under that condition."),
    Column("second_share", "Share to, %", Kind.PERCENT, "Of all events under that condition."),
    Column(
        "change", "Change, points", Kind.POINTS, "Share under the later condition minus under the first, of all events."
    ),
)


def read_out_table(report: TaxonomyReport) -> None:
    """Exact match, ratio, cosmetic and high-risk shares per run."""
    rows = [asdict(row) for row in report.rows]
    show_table(speaking(READ_OUTS, rows), rows, key="read-outs", caption="Read-outs per system and condition")


def share_table(rows: Sequence[TaxonomyRow]) -> None:
    """Shares of the classes, one column per run: what a paper prints."""
    runs = [Column(run_of(row), run_of(row), Kind.PERCENT) for row in rows]
    body = [{"class": LABELS[name], **{run_of(row): row.shares[name] for row in rows}} for name in LOOKS]
    show_table((Column("class", "Class"), *runs), body, key="shares", caption="Share of events by class, in percent")


def dual_table(report: TaxonomyReport) -> None:
    """Verbatim, standard or neither per run."""
    rows = [asdict(row) | {"why": dict.fromkeys(("verbatim", "standard", "neither"), row.why)} for row in report.dual]
    show_table(speaking(DUAL, rows), rows, key="dual", caption="Answers to items with a standard form")


def show_corrections(corrections: Sequence[Correction]) -> None:
    """Over-corrections: what is written above what the system made of it."""
    for one in corrections:
        st.text(f"{one.run.name}, item {one.item.id}")
        st.html(lines_html(one.item.gold or "", one.predicted, language=one.item.language))


def condition_tables(report: TaxonomyReport) -> None:
    """The best condition per system, and how the shares of classes change between conditions, largest first."""
    best = [asdict(row) | {"chosen_from": ", ".join(row.chosen_from), "condition_why": row.why} for row in report.best]
    show_table(BEST, best, key="best", caption="Best condition per system")
    changes = [
        asdict(row) | {"class": LABELS[ErrorClass(row.error_class)]}
        for row in sorted(report.changes, key=lambda row: -abs(row.change or 0))
    ]
    show_table(CHANGES, changes, key="changes", caption="Change of each class between conditions", limit=20)


def mark_conditions(project: Project, conditions: Sequence[str]) -> None:
    """A form that marks a condition as realistic, oracle or neither."""
    with st.form("mark-condition", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        condition = st.selectbox("Condition", conditions, key="mark-condition-name")
        role = st.selectbox("is", ROLES, key="mark-condition-role")
        if st.form_submit_button("Mark") and condition:
            with errors_in_words():
                mark_condition(project, condition, str(role))
            say_after("The condition is marked.")
            st.rerun()
