"""Further views of the outcomes page: consensus, language prior, families, reasoning."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from annotator.analyses.names import number_names
from annotator.analyses.outcomes.consensus import Consensus, report_consensus
from annotator.analyses.outcomes.families import assign_family, report_families
from annotator.analyses.outcomes.lexical import report_lexical
from annotator.analyses.outcomes.traces import Named, report_traces
from annotator.errors import VerbatimError
from annotator.records import Query
from annotator.stats.intervals import Estimate
from annotator.store.names import ProjectNames
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.counts import count_table
from components.filters import choose, run_name, switch
from components.notes import command_block, error_in_words, note
from components.numbers import Figure, Kind, show_figures
from components.outcomepairs import HEADS, NAMES
from components.outcomes import SELECTION, Chosen, grouping_of
from components.state import Key, read, say_after, write
from components.tables import Column, Row, show_table, speaking

# The labels of pills are Markdown; a system's name is text.
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+.!:|<>~$-])")

AGREED = (
    Column("panel", "Panel"),
    Column("accepted", "Accepted", Kind.COUNT, "Items on which every member gives the same text."),
    Column("coverage", "Coverage %", Kind.PERCENT, "Accepted / items with gold and a standard form.", "coverage_low", "coverage_high"),
    Column("literal", "Literal", Kind.COUNT),
    Column("canonical", "Canonical", Kind.COUNT),
    Column("other", "Other", Kind.COUNT),
    Column("error_rate", "Error %", Kind.PERCENT, "Agreed and not Literal (SceneFaith, Table 18). Wilson 95 % interval.", "error_low", "error_high"),
)  # fmt: skip


def show_consensus(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """What a panel of systems agrees on."""
    runs = [f"{system}@{condition}" for system, condition in names.runs]
    kept = [run for run in read(Key.PANEL).split("|") if run in runs]
    st.session_state["panel"] = kept or runs[:3]
    st.pills(
        "Panel",
        runs,
        selection_mode="multi",
        key="panel",
        format_func=lambda run: _MARKUP.sub(r"\\\1", escape_controls(run.removesuffix("@default"))),
        on_change=lambda: write({Key.PANEL: "|".join(st.session_state["panel"]), **dict.fromkeys(SELECTION, "")}),
    )
    fold = switch("Fold case and white space", Key.FOLD, help="Off: equal code point for code point.")
    found = report_consensus(project, query, kept or runs[:3], fold)
    count_table(
        AGREED, [_agreed(found)], ("accepted", *NAMES), key="consensus", caption="Agreed answers", on_pick=_open_outcome
    )
    outcome = read(Key.OUTCOME)
    at = NAMES.index(outcome) if outcome in NAMES else None
    keys = found.keys[at] if at is not None else (*found.keys[1], *found.keys[2], *found.keys[0])
    return Chosen(f"agreed, {HEADS.get(outcome, 'any outcome')}", keys, (kept or runs)[0])


def _agreed(found: Consensus) -> Row:
    return {
        "panel": f"{len(found.panel)} systems",
        "accepted": found.accepted,
        **_flat("coverage", found.coverage),
        "literal": found.literal,
        "canonical": found.canonical,
        "other": found.other,
        **_flat("error", found.error_rate),
        "error_rate": found.error_rate.value,
        "why": found.why,
    }


def _flat(name: str, estimate: Estimate) -> dict[str, Any]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _open_outcome(row: Row, column: str) -> None:
    write({Key.OUTCOME: "" if column == "accepted" else column, **dict.fromkeys(SELECTION, "")})


QUINTILES = (
    Column("quintile", "Quintile of D", Kind.COUNT, "1: gold is as likely as the standard form; 5: the standard form is far likelier."),
    Column("items", "Items", Kind.COUNT),
    Column("rate", "Rewriting %", Kind.PERCENT, "Canonical answers / all answers. 95 % item-bootstrap interval.", "rate_low", "rate_high"),
)  # fmt: skip
ODDS = (
    Column("fit", "Fit"),
    Column("term", "Term"),
    Column("per", "Per"),
    Column("ratio", "Odds ratio", Kind.NUMBER, "Logistic regression of rewriting; errors clustered by item (SceneFaith, Table 7).", "low", "high"),
    Column("p", "p", Kind.P, "Two-sided, of the term of that regression."),
)  # fmt: skip


def show_lexical(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """Rewriting against a language prior that was imported with the items."""
    columns = number_names(project)
    if not columns:
        note("No column of numbers. Import scores with:")
        command_block("python -m annotator import attributes FILE")
        return None
    domains = grouping_of(project)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        prior = choose("D, preference for the standard form", Key.PRIOR, columns, default=columns[0])
        strength = choose("A, score of the standard form", Key.FIELD, ["", *columns], shown={"": "Not given"})
        domain = choose("Control for", Key.ATTRIBUTE, ["", *domains], shown={"": "Nothing more"})
    regress = switch(
        "Fit the regressions", Key.MARK, help="Odds ratios beside system, length, edit distance, box size."
    )
    report = report_lexical(project, query, prior, strength, domain, regress)
    help = "Spearman's rank correlation of D with the item's mean rewriting rate; 95 % item-bootstrap interval."
    why = report.why.get("spearman", "")
    show_figures(
        [
            Figure("Spearman", report.spearman, Kind.SIGNED, report.low, report.high, f"n = {report.n:,}", help, why),
            Figure("Without a score", report.without_score),
        ]
    )
    rows: list[Row] = [
        {"quintile": at + 1, "items": rate.n, **_flat("rate", rate), "why": {"rate": rate.why}}
        for at, rate in enumerate(report.quintile_rates)
    ]
    count_table(
        QUINTILES, rows, ("items",), key="quintiles", caption="Rewriting by quintile of D", on_pick=_open_quintile
    )
    quintile = choose(
        "Items of", Key.GROUP, ["", *"12345"], shown={"": "no quintile", **_QUINTILE_WORDS}, clears=SELECTION
    )
    odds: list[Row] = [
        {
            "fit": fit.name,
            "term": one.term,
            "per": one.per,
            "ratio": one.ratio,
            "low": one.low,
            "high": one.high,
            "p": one.p,
        }
        for fit in report.regressions
        for one in fit.odds
    ]
    if odds:
        show_table(ODDS, odds, key="odds", caption="Odds of rewriting")
    for fit in report.regressions:
        if fit.why:
            note(f"{fit.name}: {fit.why}")
    if not quintile or not report.systems:
        return None
    run = f"{report.systems[0].partition('@')[0]}@{report.condition}"
    return Chosen(f"quintile {quintile} of D", report.quintile_keys[int(quintile) - 1], run)


_QUINTILE_WORDS = {number: f"quintile {number}" for number in "12345"}


def _open_quintile(row: Row, column: str) -> None:
    write({Key.GROUP: str(row["quintile"]), **dict.fromkeys(SELECTION, "")})


FAMILY = (
    Column("condition", "Condition"),
    Column("weighting", "Weighting"),
    Column("left_out", "Left out"),
    Column("systems", "Systems", Kind.COUNT),
    *(
        Column(name, f"{HEADS[name]} %", Kind.PERCENT, "Mean of the systems' rates; items resampled, systems fixed.",
               f"{name}_low", f"{name}_high")
        for name in NAMES
    ),
)  # fmt: skip


def show_families(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """Equal systems against equal families, and each family left out."""
    report = report_families(project, query)
    rows: list[Row] = []
    for row in report.rows:
        flat = {name: value for each in NAMES for name, value in _flat(each, getattr(row, each)).items()}
        why = {each: getattr(row, each).why for each in NAMES}
        facts = {
            "condition": row.condition,
            "weighting": row.weighting,
            "left_out": row.left_out,
            "systems": row.systems,
        }
        rows.append({**facts, **flat, "why": why})
    show_table(speaking(FAMILY, rows), rows, key="families", caption="Means over systems and families")
    with st.form("family", border=True):
        system = st.selectbox("System", names.systems)
        family = st.text_input("belongs to the family", max_chars=60)
        if st.form_submit_button("Assign"):
            _assign(project, str(system), family)
    return None


def _assign(project: Project, system: str, family: str) -> None:
    try:
        assign_family(project, system, family)
    except VerbatimError as error:
        error_in_words(error)
        return
    say_after("Family stored.")
    st.rerun()


TRACES = (
    Column("name", "Run"),
    Column("outcome", "Outcome"),
    Column("n", "n", Kind.COUNT, "Answers of this outcome that have reasoning."),
    *(Column(name.value, f"Names {name.value}", Kind.COUNT, "Whole words, case and white space folded.") for name in Named),
    Column("both_share", "Both %", Kind.PERCENT, "Wilson 95 % interval.", "low", "high"),
)  # fmt: skip


def show_traces(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """Reasoning that names gold, the standard form, or both."""
    report = report_traces(project, query)
    if not report.rows:
        note("No answer has reasoning: import it in a column reasoning, thinking or trace.")
        return None
    rows: list[Row] = [
        {
            "name": row.system if row.condition == "default" else f"{row.system} · {row.condition}",
            "run": f"{row.system}@{row.condition}",
            "outcome": row.outcome,
            "n": row.n,
            **{name.value: len(row.keys[name.value]) for name in Named},
            "both_share": row.both_share,
            "low": row.low,
            "high": row.high,
            "why": {"both_share": row.why},
        }
        for row in report.rows
    ]
    count_table(
        TRACES, rows, [n.value for n in Named], key="traces", caption="What the reasoning names", on_pick=_open_trace
    )
    run = run_name(names, read(Key.SYSTEM), read(Key.CONDITION))
    named = choose("Reasoning names", Key.TO, [n.value for n in Named], default="both", clears=SELECTION)
    for row in report.rows:
        if run == f"{row.system}@{row.condition}" and row.outcome == read(Key.OUTCOME):
            return Chosen(f"{row.outcome}, reasoning names {named}", row.keys[named], run)
    return None


def _open_trace(row: Row, column: str) -> None:
    system, _, condition = str(row["run"]).rpartition("@")
    chosen = {Key.SYSTEM: system, Key.CONDITION: condition, Key.OUTCOME: str(row["outcome"]), Key.TO: column}
    write({**chosen, **dict.fromkeys(SELECTION, "")})
