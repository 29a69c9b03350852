"""What the overview page draws: the systems table, the size of the project, where to look next."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator

import streamlit as st

from annotator.analyses.overview import Overview, OverviewRow
from annotator.store.names import ProjectNames
from annotator.text.visible import escape_controls
from components.notes import note
from components.numbers import Figure, show_figures, written
from components.state import address
from components.tables import Column, Kind, Row, speaking, table_html

COLUMNS = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("n", "n", Kind.COUNT, "Answered items with gold.", link="items_of"),
    Column("missing", "Missing", Kind.COUNT, "Items with gold that the system did not answer: in none of its rates.",
           link="missing_of"),
    Column("exact", "Exact %", Kind.PERCENT, "Predicted equals gold after NFC. Wilson 95 % interval.", "exact_low", "exact_high",
           "wrong_of"),
    Column("cer", "CER %", Kind.PERCENT, "Edits / gold graphemes, profile raw; can exceed 100. 95 % bootstrap interval over items.",
           "cer_low", "cer_high", "edits_of"),
    Column("normalized_cer", "Normalized CER %", Kind.PERCENT,
           "CER under profile full: case folded; white space, punctuation and symbols dropped. 95 % bootstrap interval.",
           "normalized_cer_low", "normalized_cer_high", "folded_of"),
    Column("semcer", "semCER %", Kind.PERCENT,
           "Sum of the severities of the edits / gold graphemes (semCER, equation 2), from the built-in rubric rules; never above CER. "
           "95 % bootstrap interval.", "semcer_low", "semcer_high", "severity_of"),
    Column("rewriting_rate", "Rewriting %", Kind.PERCENT,
           "Answers that equal the standard form instead of what is written, among answered items whose gold departs from it "
           "(SceneFaith). Wilson 95 % interval.", "rewriting_low", "rewriting_high", "outcomes_of"),
    Column("gap", "Corner gap, points", Kind.POINTS,
           "STR word accuracy in cell 5-5 (rare words, novel n-grams) minus cell 3-3 (StratiSTR). 95 % interval.",
           "gap_low", "gap_high", "corner_of"),
)  # fmt: skip


def rows_of(overview: Overview) -> list[Row]:
    """The rows of the systems table, every number with the address of the items behind it."""
    return [{**dataclasses.asdict(row), **_addresses(row.system, row.condition)} for row in overview.rows]


def show_before_charging(names: ProjectNames, overview: Overview) -> None:
    """Draw the figures that need no severities while the edits of new answers are charged."""
    show_size(names, overview)
    rows = rows_of(overview)
    st.html(table_html(speaking(COLUMNS, rows), rows, "Systems side by side"))
    note("semCER follows: the edits of new answers are being charged.")


def _addresses(system: str, condition: str) -> dict[str, str]:
    run = {"system": system, "condition": condition}
    return {
        "items_of": address("items", **run),
        "missing_of": address("items", **run, show="missing"),
        "wrong_of": address("items", **run, show="wrong"),
        "edits_of": address("items", **run, sort="edits"),
        "folded_of": address("items", **run, sort="edits", profile="full"),
        "severity_of": address("severity", **run),
        "outcomes_of": address("outcomes", **run),
        "corner_of": address("strata", **run, cell="5-5", show="wrong"),
    }


def show_size(names: ProjectNames, overview: Overview | None) -> None:
    """Draw how much the project holds and what is left out of every rate."""
    left_out = []
    if overview is not None and overview.gold_wrong:
        left_out.append(
            Figure(
                "Gold marked wrong", overview.gold_wrong, note="left out", help="Marked on the items page: in no rate."
            )
        )
    if names.items > names.with_gold:
        left_out.append(Figure("Without gold", names.items - names.with_gold, note="in no rate"))
    standard = [Figure("Standard forms", names.with_standard, note="items whose gold departs from the standard")]
    show_figures(
        [
            Figure("Items", names.items, note=f"{names.images:,} with an image"),
            Figure("Systems", len(names.systems), note=_conditions(names)),
            Figure("Answers", names.predictions, help="One for each item that a system answered under a condition."),
            *(standard if names.with_standard else []),
            *left_out,
        ]
    )


def show_edge_space(overview: Overview) -> None:
    """Say how many answers carry white space at the ends, which exact match and CER count under profile raw."""
    rows = [row for row in overview.rows if row.edge_space]
    if rows:
        counts = ", ".join(
            f"{row.system}{'' if row.condition == 'default' else '@' + row.condition} {row.edge_space:,}"
            for row in rows
        )
        note(
            f"White space at the ends of gold or answer counts in exact match, CER and semCER (profile raw): {counts}."
        )


def _conditions(names: ProjectNames) -> str:
    return f"{len(names.conditions)} conditions" if len(names.conditions) > 1 else ""


def commands(names: ProjectNames, options: str) -> str:
    """The commands for the figures of the page: rates under both profiles, the gap, and the rewriting rate where there is one."""
    asked = ["scores", "scores --profile full", "strata", *(["outcomes"] if names.with_standard else [])]
    return "\n".join(f"python -m annotator report {what}{options}" for what in asked)


def show_next(names: ProjectNames, overview: Overview) -> None:
    """Draw what is worth a look in this project, as links: the largest number of each kind first, with its value."""
    st.subheader("What to look at next", anchor=False)
    lines = [line for line in (*_largest(overview), *_by_hand(names, overview)) if line]
    st.html(f'<ul class="v-next">{"".join(lines)}</ul>')


def _largest(overview: Overview) -> Iterator[str]:
    rows = _main(overview)
    gaps = [row for row in rows if row.gap is not None and row.gap < 0]
    if gaps:
        row = min(gaps, key=lambda row: row.gap or 0.0)
        where = address("strata", **_run(row), cell="5-5", show="wrong")
        far = written(row.gap, Kind.POINTS)
        yield _line(where, f"Rare words with novel n-grams that {_name(row)} got wrong", f"widest gap: {far} points")
    rewriting = [row for row in rows if row.rewriting_rate]
    if rewriting:
        row = max(rewriting, key=lambda row: row.rewriting_rate or 0.0)
        where = address("outcomes", **_run(row), outcome="canonical")
        share = written(row.rewriting_rate, Kind.PERCENT)
        yield _line(where, f"Answers in which {_name(row)} rewrote what is written", f"most often of all: {share} %")
    missing = [row for row in rows if row.missing]
    if missing:
        row = max(missing, key=lambda row: row.missing)
        where = address("items", **_run(row), show="missing")
        yield _line(where, f"Items that {_name(row)} did not answer", f"{row.missing:,}, in none of its rates")


def _by_hand(names: ProjectNames, overview: Overview) -> Iterator[str]:
    ranked = sorted((row for row in _main(overview) if row.cer is not None), key=lambda row: row.cer or 0.0)
    if len(ranked) > 1:
        first, second = ranked[:2]
        where = address("compare", a=_run_name(first), b=_run_name(second))
        yield _line(where, f"{_name(first)} against {_name(second)}", "the two with the lowest CER, paired")
    if ranked and ranked[0].exact != 1:
        where = address("items", **_run(ranked[0]), show="wrong", sort="edits")
        yield _line(where, f"What {_name(ranked[0])} got wrong", "the lowest CER; most edits first")
    if len(names.runs) > 1:
        yield _line(address("items", show="differ"), "Items on which the systems disagree", "their answers differ")


def _main(overview: Overview) -> list[OverviewRow]:
    """One row per system: the condition with the most answers (a condition of a few images is no system's figure)."""
    most: dict[str, OverviewRow] = {}
    for row in overview.rows:
        if row.system not in most or row.n > most[row.system].n:
            most[row.system] = row
    return list(most.values())


def _run(row: OverviewRow) -> dict[str, str]:
    return {"system": row.system, "condition": row.condition}


def _run_name(row: OverviewRow) -> str:
    return row.system if row.condition == "default" else f"{row.system}@{row.condition}"


def _name(row: OverviewRow) -> str:
    return row.system if row.condition == "default" else f"{row.system} ({row.condition})"


def _line(where: str, words: str, value: str) -> str:
    shown = html.escape(escape_controls(words))
    return f'<li><a href="{html.escape(where)}" target="_self">{shown}</a><small>{html.escape(value)}</small></li>'
