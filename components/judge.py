"""A judge's scores beside CER: the choice of judge, raters and second judge, and the tables."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from annotator.analyses.judge import JudgeReport, report_judge
from annotator.analyses.judgescores import judge_sources
from annotator.records import Query
from annotator.store.project import Project
from components.filters import choose
from components.numbers import Kind
from components.state import Key
from components.tables import Column, show_table

RUN = (Column("system", "System"), Column("condition", "Condition"))
SCORES = (
    *RUN,
    Column("n", "n", Kind.COUNT, "Answers with a score."),
    Column("judge", "Judge", Kind.NUMBER, "Mean score, 1 to 5; item bootstrap.", "judge_low", "judge_high"),
    Column("cer", "CER", Kind.PERCENT, "Over the same answers.", "cer_low", "cer_high"),
    Column("raters_n", "n rated", Kind.COUNT, "Answers with a score and a strict majority of raters."),
    Column("exact", "Exact", Kind.PERCENT, "Judge equals the majority (BanglaWild, App. F)."),
    Column("within_one", "Within 1", Kind.PERCENT),
    Column("spearman", "Spearman", Kind.NUMBER, "Rank correlation; item bootstrap.", "spearman_low", "spearman_high"),
    Column("difference", "Judge - other", Kind.SIGNED, "Paired, over answers that both scored: in-family inflation where this "
           "judge is of the system's family (BanglaWild, section 5).", "difference_low", "difference_high"),
)  # fmt: skip
DISAGREE = (
    Column("id", "Item"),
    *RUN,
    Column("gold", "Gold", Kind.READ),
    Column("predicted", "Predicted", Kind.READ),
    Column("judge", "Judge", Kind.NUMBER),
    Column("cer", "CER", Kind.PERCENT),
    Column("gap", "Gap", Kind.SIGNED, "(judge - 1) / 4 - (1 - min(CER, 1)): above 0 the judge is kinder than CER."),
)


@st.cache_resource(max_entries=8, show_spinner="Comparing judges …")
def _report(
    folder: str, revision: int, query: Query, judge: str, raters: str, other: str, _project: Project
) -> JudgeReport:
    return report_judge(_project, query, judge, raters, other)


def judge_section(project: Project, query: Query) -> None:
    """Draw the judge's part of a page; nothing when the project has neither score columns nor score studies."""
    sources = judge_sources(project)
    if not sources:
        return
    st.header("A judge beside CER", anchor=False)
    nobody = {"": "nobody"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        judge = choose(
            "Judge", Key.JUDGE, ["", *sources], shown=nobody, help="A column of scores from 1 to 5, or a study."
        )
        raters = choose("Raters", Key.RATERS, ["", *sources], shown=nobody)
        other = choose("Second judge", Key.OTHER, ["", *sources], shown=nobody)
    if not judge:
        return
    report = _report(str(project.folder), project.revision(), query, judge, raters, other, project)
    rows = [*report.rows, report.pooled] if len(report.rows) > 1 else report.rows
    shown = [asdict(row) | ({} if row.system else {"system": "all"}) for row in rows]
    show_table(SCORES, shown, key="judge", caption=f"Judge {judge}")
    show_table(
        DISAGREE, [asdict(row) for row in report.disagree], key="disagree", caption="Where judge and CER part most"
    )
