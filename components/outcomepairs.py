"""Paired views of the outcomes page: two runs with their transitions, and conditions against the first."""

from __future__ import annotations

from typing import Any

import streamlit as st

from annotator.analyses.outcomes.items import keys_of_pair
from annotator.analyses.outcomes.transitions import OutcomeComparison, PairedRate, compare_outcomes, report_conditions
from annotator.records import Query
from annotator.store.names import ProjectNames
from annotator.store.project import Project
from components.counts import count_table
from components.filters import choose
from components.notes import note
from components.numbers import Figure, Kind, show_figures, written
from components.outcomes import SELECTION, Chosen, outcomes_of
from components.state import Key, write
from components.tables import Column, Row

NAMES = ("literal", "canonical", "other")
HEADS = {"literal": "Literal", "canonical": "Canonical", "other": "Other"}


@st.cache_resource(max_entries=32, show_spinner="Resampling pairs …")
def _pair(folder: str, revision: int, query: Query, a: str, b: str, _project: Project) -> OutcomeComparison:
    return compare_outcomes(_project, query, a, b)


def show_pair(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """Two runs on the same items: changes of L and C, and the transition matrix whose cells open their items."""
    runs = [f"{system}@{condition}" for system, condition in names.runs]
    if len(runs) < 2:
        note("A pair needs two systems, or one system under two conditions.")
        return None
    shown = {run: run.removesuffix("@default") for run in runs}
    clears = (*SELECTION, Key.OUTCOME, Key.TO)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        a = choose("A", Key.A, runs, default=runs[0], shown=shown, clears=clears)
        b = choose("B", Key.B, runs, default=runs[1], shown=shown, clears=clears)
        words = {"": "Any outcome", **HEADS}
        of_a = choose("Outcome of A", Key.OUTCOME, ["", *NAMES], shown=words, clears=SELECTION)
        of_b = choose("Outcome of B", Key.TO, ["", *NAMES], shown=words, clears=SELECTION)
    found = _pair(str(project.folder), project.revision(), query, a, b, project)
    show_figures(
        [
            Figure("Items both answered", found.n),
            _change("Literal, A minus B", found.literal),
            _change("Rewriting, A minus B", found.rewriting),
            Figure("Both literal", found.pair_accuracy, Kind.PERCENT, help="Pair accuracy: A and B both Literal.",
                   why="no item was answered by both"),
        ]
    )  # fmt: skip
    columns = (Column("name", "A \\ B"), *(Column(name, HEADS[name], Kind.COUNT) for name in NAMES))
    rows: list[Row] = [
        {"name": f"A {HEADS[name]}", "of_a": name, **dict(zip(NAMES, counts, strict=True))}
        for name, counts in zip(NAMES, found.transitions, strict=True)
    ]
    at = (NAMES.index(of_a), of_b) if of_a and of_b else None
    count_table(
        columns, rows, NAMES, key="transitions", caption="Transitions: rows A, columns B", on_pick=_open_pair, chosen=at
    )
    keys = keys_of_pair(outcomes_of(project, query), a, b, of_a, of_b)
    return Chosen(f"A {words[of_a].lower()}, B {words[of_b].lower()}; the answer in full is A's", keys, a, b)


def _change(label: str, rate: PairedRate) -> Figure:
    tests = (
        ""
        if rate.p is None
        else f"p {written(rate.p, Kind.P)}, McNemar p {written(rate.mcnemar_p, Kind.P)}, {rate.verdict}"
    )
    help = "Paired item bootstrap: 95 % percentile interval; p as in StratiSTR, section 4. Exact McNemar test."
    return Figure(label, rate.delta, Kind.POINTS, rate.low, rate.high, tests, help, rate.why)


def _open_pair(row: Row, column: str) -> None:
    write({Key.OUTCOME: row["of_a"], Key.TO: column, **dict.fromkeys(SELECTION, "")})


CHANGES = (
    Column("a", "Condition"),
    Column("b", "Against"),
    Column("n", "n", Kind.COUNT, "Items answered under both; opens the pair."),
    Column("literal", "Literal, points", Kind.POINTS, "Change of literal accuracy.", "literal_low", "literal_high"),
    Column("rewriting", "Rewriting, points", Kind.POINTS, "Change of the rewriting rate.", "rewriting_low", "rewriting_high"),
    Column("other", "Other, points", Kind.POINTS, "", "other_low", "other_high"),
    Column("holm_p", "McNemar p (Holm)", Kind.P, "Exact test of rewriting, Holm's correction over all rows."),
)  # fmt: skip


def show_conditions(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """Each system's conditions against its first."""
    report = report_conditions(project, query)
    if not report.rows:
        note("No system has answers under two conditions. Make some on the Conditions page, or import answers to them.")
        return None
    rows: list[Row] = [{"a": row.a, "b": row.b, "n": row.n, **_changes(row)} for row in report.rows]
    count_table(
        CHANGES, rows, ("n",), key="changes", caption="Changes against the first condition", on_pick=_open_change
    )
    return None


def _changes(row: OutcomeComparison) -> dict[str, Any]:
    flat: dict[str, Any] = {"holm_p": row.rewriting.holm_p, "why": {}}
    for name in ("literal", "rewriting", "other"):
        rate: PairedRate = getattr(row, name)
        flat |= {name: rate.delta, f"{name}_low": rate.low, f"{name}_high": rate.high}
        flat["why"][name] = rate.why
    return flat


def _open_change(row: Row, column: str) -> None:
    full = [name if "@" in name else f"{name}@default" for name in (row["a"], row["b"])]
    write(
        {Key.TAB: "pair", Key.A: full[0], Key.B: full[1], Key.OUTCOME: "", Key.TO: "", **dict.fromkeys(SELECTION, "")}
    )
