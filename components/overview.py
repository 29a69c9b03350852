"""What the overview page draws: the systems table, the size of the project, where to look next."""

from __future__ import annotations

import dataclasses

import streamlit as st

from annotator.analyses.overview import Overview
from annotator.store.names import ProjectNames
from components.notes import note
from components.numbers import Figure, show_figures
from components.shell import link
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
    show_figures(
        [
            Figure("Items", names.items, note=f"{names.images:,} with an image"),
            Figure("Systems", len(names.systems), note=_conditions(names)),
            Figure("Answers", names.predictions),
            Figure("Standard forms", names.with_standard, note="items whose gold departs from the standard"),
            *left_out,
        ]
    )


def _conditions(names: ProjectNames) -> str:
    return f"{len(names.conditions)} conditions" if len(names.conditions) > 1 else ""


def show_next(names: ProjectNames, overview: Overview) -> None:
    """Draw links to what is worth a look in this project."""
    st.subheader("What to look at next", anchor=False)
    gaps = [row for row in overview.rows if row.gap is not None]
    if gaps:
        widest = min(gaps, key=lambda row: row.gap or 0.0)
        link(
            "pages/strata.py",
            "The corner of the system with the widest gap",
            icon=":material/grid_on:",
            system=widest.system,
            condition=widest.condition,
            cell="5-5",
        )
    if len(names.runs) > 1:
        link("pages/items.py", "Items on which the systems disagree", icon=":material/call_split:", show="differ")
    link("pages/items.py", "Items that a system got wrong", icon=":material/image_search:", show="wrong")
