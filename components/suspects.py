"""Gold suspects: the list, one at a time to review, and what leaving them out does to the gaps."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from annotator.analyses.strata.suspects import SuspectReport, report_suspects
from annotator.ingest.suspects import SuspectVerdict, review_suspect
from annotator.records import Query
from annotator.store.project import Project
from components.filters import choose
from components.itemview import show_item_detail
from components.lists import detail_of
from components.notes import errors_in_words, note
from components.numbers import Kind
from components.remember import kept
from components.state import Key, say_after
from components.tables import Column, show_table, speaking

VERDICTS = {
    SuspectVerdict.GOLD_RIGHT: "Gold is right",
    SuspectVerdict.GOLD_WRONG: "Gold is wrong",
    SuspectVerdict.BOTH_ACCEPTABLE: "Both acceptable",
    SuspectVerdict.UNREADABLE: "Unreadable",
}
REVIEWER = "owner"
COLUMNS = (
    Column("item_id", "Item"),
    Column("gold", "Gold", Kind.READ),
    Column("answer", "They read", Kind.READ),
    Column("agree", "Agree", Kind.COUNT, "Systems that give this one text (STR folding), which is not gold."),
    Column("cell", "Cell"),
    Column("benchmark", "Benchmark"),
    Column("mark", "Mark"),
    Column("said", "Reviews"),
)
SENSITIVITY = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("gap", "Gap, points", Kind.POINTS, "Corner minus centre as it stands.", "low", "high"),
    Column(
        "gap_without", "Without suspects", Kind.POINTS,
        "The same without every suspect that no review found right or acceptable.", "without_low", "without_high",
    ),
    Column("n_corner", "n corner", Kind.COUNT),
    Column("n_corner_without", "n corner without", Kind.COUNT),
)  # fmt: skip


def show_suspects(project: Project, query: Query, systems: int) -> None:
    """Draw the suspects, the one to review, and the sensitivity of the gaps."""
    counts = [str(k) for k in range(2, systems + 1)]
    agree = choose("Systems that must agree", Key.VALUE, counts, default=str(max(2, systems // 2 + 1)))
    report = kept(project, "suspects", (query, agree), lambda: report_suspects(project, query, int(agree)))
    ids = [row.item_id for row in report.rows]
    if not ids:
        note("No item has that many systems against its gold.")
    else:
        chosen = choose("Review", Key.ITEM, ["", *ids], shown={"": "choose an item"})
        if chosen:
            show_item_detail(project, detail_of(project, query, chosen), profile=query.profile)
            _verdict_buttons(project, chosen)
    rows = [{**asdict(row), "said": ", ".join(f"{who}: {what}" for who, what in row.verdicts)} for row in report.rows]
    show_table(COLUMNS, rows, key="suspects", caption=_caption(report))
    parts = [asdict(row) for row in report.sensitivity]
    show_table(speaking(SENSITIVITY, parts), parts, key="sensitivity", caption="What the suspects do to the gap")


def _caption(report: SuspectReport) -> str:
    return (
        f"{report.n:,} golds that {report.agree} or more systems contradict together, {report.in_corner:,} in the corner, "
        f"{report.in_centre:,} in the centre; {report.reviewed:,} reviewed"
    )


def _verdict_buttons(project: Project, item_id: str) -> None:
    with st.container(horizontal=True):
        for verdict, label in VERDICTS.items():
            st.button(label, key=f"verdict-{verdict}", on_click=_review, args=(project, item_id, verdict))
    note("Wrong and unreadable golds leave every rate, like the mark on the items page; the other two take it back.")


def _review(project: Project, item_id: str, verdict: SuspectVerdict) -> None:
    with errors_in_words():
        review_suspect(project, item_id, verdict, REVIEWER, binding=True)
    say_after(f"{VERDICTS[verdict]}.")
