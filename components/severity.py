"""semCER beside CER, and where the two rank systems or outputs in opposite order."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from annotator.analyses.severity.loading import provider_names, provider_state
from annotator.analyses.severity.opposed import OpposedOutputs, OpposedSystems, opposed_outputs, opposed_systems
from annotator.analyses.severity.report import SeverityReport, report_severity
from annotator.records import Query
from annotator.store.project import Project
from components.edits import legend_html, lines_html
from components.filters import choose
from components.notes import note
from components.numbers import Kind
from components.pager import page_number, pager
from components.remember import kept
from components.shell import link
from components.state import Key
from components.tables import Column, show_table, speaking

OUTPUTS = 8
WORDS = {
    "rubric": "Rubric rules (built in)",
    "unit": "Unit: every edit 1",
    "filter-label": "Filter label",
    "real-word-label": "Real-word label",
}
SCORES = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("n", "n", Kind.COUNT, "Answers whose edits are all charged."),
    Column("semcer", "semCER", Kind.PERCENT,
           "Sum of the severities of the edits / graphemes of gold (semCER, eq. 2); never above CER.", "semcer_low", "semcer_high"),
    Column("cer", "CER", Kind.PERCENT, "Edits / graphemes of gold, profile raw, the same answers.", "cer_low", "cer_high"),
    Column("normalized_cer", "Normalized CER", Kind.PERCENT,
           "CER under profile full: case folded, spaces, punctuation and symbols dropped.",
           "normalized_cer_low", "normalized_cer_high"),
    Column("mean_severity", "Severity an edit", Kind.NUMBER, "Mean severity of the edits."),
    Column("edits", "Edits", Kind.COUNT),
    Column("coverage", "Coverage", Kind.PERCENT, "Share of the answers whose edits are all charged; the others are in no figure here."),
    Column("imputed", "Imputed", Kind.COUNT, "Edits that the provider could not decide, charged 1."),
)  # fmt: skip
SYSTEMS = (
    Column("a", "A"),
    Column("b", "B"),
    Column("n", "n", Kind.COUNT, "Items that both answered and the provider charged in full."),
    Column("cer_a", "CER of A", Kind.PERCENT),
    Column("cer_b", "CER of B", Kind.PERCENT),
    Column("semcer_a", "semCER of A", Kind.PERCENT),
    Column("semcer_b", "semCER of B", Kind.PERCENT),
    Column("order", "Order"),
    Column("outputs_opposite", "Outputs in opposite order", Kind.COUNT, "Items whose two outputs CER and semCER order oppositely."),
)  # fmt: skip


def choose_provider(project: Project) -> str:
    """The provider in the address; the built-in rules without one."""
    names = provider_names(project)
    return choose(
        "Severities from", Key.PROVIDER, names, default="rubric", shown=WORDS, clears=(Key.EDIT, Key.PAGE),
        help="Who charges the edits. Another provider changes every number on this page at once.",
    )  # fmt: skip


def scores_of(project: Project, query: Query, provider: str) -> SeverityReport:
    """The report, remembered."""
    asked = (query, provider, provider_state(project, query, provider))
    return kept(project, "severity", asked, lambda: report_severity(project, query, provider))


def show_scores(project: Project, query: Query, provider: str) -> None:
    """Draw the table of systems and, below, where semCER and CER disagree on their order."""
    report = scores_of(project, query, provider)
    if report.provider_kind == "rubric":
        note(
            "These severities are rules over a word list, not a reader's judgement: see the definitions in the manual."
        )
    rows = [asdict(row) for row in report.rows]
    show_table(speaking(SCORES, rows), rows, key="severity", caption="semCER beside CER, in percent")
    _show_opposed(project, query, provider)


def _show_opposed(project: Project, query: Query, provider: str) -> None:
    asked = (query, provider, provider_state(project, query, provider))
    pairs = kept(project, "opposed", asked, lambda: opposed_systems(project, query, provider))
    parted = [pair for pair in pairs if pair.opposite or pair.outputs_opposite]
    if not pairs:
        return
    st.subheader("Where semCER and CER rank in opposite order", anchor=False)
    if not parted:
        who = "the two systems" if len(pairs) == 1 else f"all {len(pairs):,} pairs of systems"
        note(f"Nowhere: semCER and CER order {who} and all of their outputs alike, or one of them ties.")
        return
    rows = [asdict(pair) | {"order": "opposite" if pair.opposite else "the same"} for pair in parted]
    show_table(SYSTEMS, rows, key="opposed", caption="Two systems on the items that both answered, in percent")
    names = {f"{pair.a} | {pair.b}": pair for pair in parted if pair.outputs_opposite}
    if not names:
        return
    picked = choose(
        "Open the outputs of", Key.VALUE, ["", *names], shown={"": "choose two systems"}, clears=(Key.PAGE,)
    )
    if picked in names:
        _show_outputs(project, query, provider, names[picked])


def _show_outputs(project: Project, query: Query, provider: str, pair: OpposedSystems) -> None:
    number = page_number()
    pager(pair.outputs_opposite, OUTPUTS, number)
    st.html(legend_html())
    for row in opposed_outputs(project, query, provider, pair.a, pair.b, (number - 1) * OUTPUTS, OUTPUTS):
        with st.container(border=True, gap="xsmall"):
            _show_pair(row, pair)


def _show_pair(row: OpposedOutputs, pair: OpposedSystems) -> None:
    sides = (
        (pair.a, row.predicted_a, row.cer_a, row.semcer_a),
        (pair.b, row.predicted_b, row.cer_b, row.semcer_b),
    )
    for column, (name, predicted, cer, semcer) in zip(st.columns(2), sides, strict=True):
        with column:
            st.text(f"{name}: CER {100 * cer:.1f} %, semCER {100 * semcer:.1f} %")
            st.html(lines_html(row.gold, predicted, language=row.language))
    link("pages/items.py", "Open the item", icon=":material/open_in_new:", item=row.item_id)
