"""Read-outs that ask a reader to look: error modes with a sample of wrong answers, and suspect golds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from annotator.analyses.strata.suspects import GivenVerdict, SuspectReport, SuspectRow
from annotator.errors import VerbatimError
from annotator.exports.samples import table_of
from annotator.exports.writing import csv_text
from annotator.ingest.suspects import review_suspect
from annotator.store.project import Project
from components import reports
from components.filters import choose, number_in_address
from components.image import show_picture
from components.lists import detail_of
from components.notes import error_in_words, note
from components.numbers import Kind
from components.shell import link
from components.state import Key, Session, address, say_after, write
from components.strata_chosen import RUN, Chosen
from components.tables import Column, Row, show_table, speaking, table_html

MODES = ("abstain", "lexical-snap", "whole-word", "char-edit", "char-noise")
VERDICTS = {
    "gold-right": "Gold is right",
    "gold-wrong": "Gold is wrong",
    "both-acceptable": "Both acceptable",
    "unreadable": "Unreadable",
}
SAMPLE = 50


def show_modes(chosen: Chosen) -> None:
    """Draw the error modes per script and a sample for review."""
    seed = number_in_address(Key.SEED)
    query = dataclasses.replace(chosen.query, seed=seed)
    report = reports.modes(chosen.project, query, chosen.cell)
    columns = (
        *RUN,
        Column("script", "Script", help="The script of most letters of gold."),
        Column("n", "n", Kind.COUNT, "Answered items."),
        Column("wrong", "Wrong", Kind.COUNT, "Wrong by STR word accuracy."),
        *(Column(mode, mode, Kind.COUNT) for mode in MODES),
        Column("commit_share", "Commit %", Kind.PERCENT,
               "Share of wrong answers that write something else instead of abstaining; Wilson interval (StratiSTR, Table 4).",
               "low", "high"),
    )  # fmt: skip
    rows = [{**dataclasses.asdict(row), **row.counts, "commit_share_why": row.why} for row in report.rows]
    where = f"cell {report.cell}" if report.cell else "the whole grid"
    show_table(speaking(columns, rows), rows, key="modes", caption=f"Error modes of wrong answers in {where}")
    wrong = sum(row.wrong for row in report.rows if row.script == "all")
    st.subheader("Sample for review", anchor=False)
    note(f"{len(report.sample):,} of {wrong:,} wrong answers in {where}, drawn with seed {seed}. An id opens the item.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Draw another", icon=":material/casino:", on_click=write, args=({Key.SEED: str(seed + 1)},))
        st.download_button(
            "Download for review",
            lambda: csv_text(table_of(report)),
            file_name=f"sample-{report.cell or 'grid'}-seed-{seed}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="The sample as CSV, with empty columns for the reviewer.",
        )
        if st.button("Make the sample a pool", icon=":material/groups:", help="The items of the sample, for a study."):
            st.session_state[Session.POOL] = tuple(dict.fromkeys(row.item_id for row in report.sample))
            st.switch_page("pages/studies.py")
    examples = [
        {**dataclasses.asdict(row), "item_of": address("items", item=row.item_id, system=row.system)}
        for row in report.sample
    ]
    show_table(_SAMPLED, examples, key="mode-sample", caption="A random sample of wrong answers", limit=SAMPLE)


_SAMPLED = (
    Column("item_id", "Item", link="item_of"),
    Column("gold", "Gold", Kind.READ),
    Column("predicted", "Predicted", Kind.READ),
    Column("mode", "Mode"),
    Column("rule", "Rule that decided"),
)


SUSPECTS = (
    Column("item_id", "Item", link="item_of"),
    Column("gold", "Gold", Kind.READ),
    Column("answer", "Systems say", Kind.READ),
    Column("agree", "Agree", Kind.COUNT, "Systems that give this one text."),
    Column("of", "of", Kind.COUNT, "Systems with answers in this project."),
    Column("cell", "Cell"),
    Column("benchmark", "Benchmark"),
    Column("mark", "Mark", help="gold-wrong and unreadable leave the item out of every rate."),
    Column("reviews", "Reviews", help="Who gave which verdict, and when."),
)
WITHOUT = (
    *RUN,
    Column("gap", "Gap, points", Kind.POINTS, "As it stands.", "low", "high"),
    Column("n_corner", "n corner", Kind.COUNT),
    Column("n_centre", "n centre", Kind.COUNT),
    Column("gap_without", "Without suspects", Kind.POINTS, "Every suspect left out that no review found right.",
           "without_low", "without_high"),
    Column("n_corner_without", "n corner without", Kind.COUNT),
    Column("n_centre_without", "n centre without", Kind.COUNT),
)  # fmt: skip


def show_suspects(chosen: Chosen) -> None:
    """Draw the suspect golds, what they do to the gap, and their review."""
    systems = len(chosen.names.systems)
    if systems < 2:
        note("One system alone cannot be agreed with: gold suspects need the answers of two or more systems.")
        return
    options = ["", *(str(count) for count in range(2, systems + 1))]
    with st.container(width=340):
        asked = choose(
            "Systems that must agree", Key.AGREE, options, shown={"": "more than half"}, clears=(Key.SUSPECT,)
        )
    report = reports.suspects(chosen.project, reports.all_systems(chosen.query), int(asked or 0))
    note(
        f"{report.n:,} items on which at least {report.agree} of {systems} systems agree with each other against gold; "
        f"{report.in_corner:,} of them in the corner, {report.in_centre:,} in the centre; {report.reviewed:,} reviewed."
    )
    less = [{**dataclasses.asdict(row), "why": {"gap": row.why, "gap_without": row.why}} for row in report.sensitivity]
    show_table(speaking(WITHOUT, less), less, key="sensitivity", caption="What leaving the suspects out would do")
    _review(chosen, report)
    rows: list[Row] = [
        {**dataclasses.asdict(row), "item_of": address("items", item=row.item_id), "reviews": _said(row.verdicts)}
        for row in report.rows
    ]
    show_table(SUSPECTS, rows, key="suspects", caption="Gold suspects, most agreement first", limit=60)


def _said(verdicts: Sequence[GivenVerdict]) -> str:
    return "; ".join(
        f"{given.reviewer}: {given.verdict}{'' if given.binding else ' (proposal)'}, "
        f"{datetime.fromtimestamp(given.at, UTC):%Y-%m-%d %H:%M}"
        for given in verdicts
    )


def _review(chosen: Chosen, report: SuspectReport) -> None:
    """One suspect with its picture, and the verdicts; the next one without a verdict follows."""
    if not report.rows:
        return
    rows = {row.item_id: row for row in report.rows}
    waiting = [item for item, row in rows.items() if not row.verdicts]
    item = choose("Review", Key.SUSPECT, list(rows), default=(waiting or list(rows))[0])
    row, after = rows[item], next((other for other in waiting if other != item), "")
    detail = detail_of(chosen.project, reports.all_systems(chosen.query), item)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        show_picture(chosen.project, detail.item, key="suspect-picture", alt=f"item {item}", height=160)
    with right:
        st.html(table_html(_ONE, [dataclasses.asdict(row)], "Gold against what the systems say"))
        reviewer = st.text_input("Reviewer", value="owner", key="suspect-reviewer", help="A name or pseudonym.")
        with st.container(horizontal=True, vertical_alignment="center"):
            for verdict, words in VERDICTS.items():
                asked = (chosen.project, item, verdict, reviewer, None, after)
                st.button(words, key=f"verdict-{verdict}", on_click=_verdict, args=asked)
        _correct(chosen.project, row, reviewer, after)
        link("pages/items.py", "Look at it with every answer", icon=":material/image_search:", item=item)


_ONE = (
    Column("gold", "Gold", Kind.READ),
    Column("answer", "Systems say", Kind.READ),
    Column("agree", "Agree", Kind.COUNT),
    Column("cell", "Cell"),
)


def _correct(project: Project, row: SuspectRow, reviewer: str, after: str) -> None:
    with st.form(f"correct-{row.item_id}", border=False):
        gold = st.text_input(
            "Corrected gold", value=row.answer, help="What is written on the image; the old gold is kept."
        )
        if st.form_submit_button("Gold is wrong: correct it and realign"):
            _verdict(project, row.item_id, "gold-wrong", reviewer, gold, after)
            st.rerun()


def _verdict(project: Project, item: str, verdict: str, reviewer: str, gold: str | None, after: str) -> None:
    try:
        review_suspect(project, item, verdict, reviewer, binding=True, gold=gold)
    except VerbatimError as error:
        error_in_words(error)
    else:
        say_after("Verdict kept." if gold is None else "Gold corrected; answers aligned anew.")
        write({Key.SUSPECT: after})
