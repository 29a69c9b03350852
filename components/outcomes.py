"""What the outcomes page draws: the table of systems, its groups, and the items behind a count."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotator.analyses.names import grouping_names
from annotator.analyses.outcomes.data import OutcomeData, load_outcomes
from annotator.analyses.outcomes.groups import GroupBy, Grouping
from annotator.analyses.outcomes.items import Keys, OutcomeItem, keys_of, outcome_page
from annotator.analyses.outcomes.report import OutcomeReport, report_outcomes
from annotator.records import Query
from annotator.store.names import ProjectNames
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.counts import count_table
from components.filters import choose, choose_chip, run_name
from components.gallery import Tile, gallery
from components.image import picture_of
from components.itemview import show_item_detail, step_buttons
from components.lists import detail_of, neighbours, open_item
from components.notes import note
from components.numbers import Kind
from components.pager import page_number, pager
from components.state import Key, read, write
from components.tables import Column, Row, show_table, speaking

PAGE_SIZE = 24
OUTCOMES = ("literal", "canonical", "other", "missing")
SHOWN = {"": "All answers", "literal": "Literal", "canonical": "Canonical", "other": "Other", "missing": "Missing"}
GROUPS = {
    "": "All items together",
    GroupBy.PERTURBATION.value: "By kind of change",
    GroupBy.PAIR.value: "By changed letters",
    GroupBy.LENGTH.value: "By length of the standard form",
}
SELECTION = (Key.ITEM, Key.PAGE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A count that was opened: the items behind it, in words, and the run (`system@condition`) whose answer is shown.

    `other` is a second run whose answer is told beside the first.
    """

    words: str
    keys: Keys
    run: str
    other: str = ""


@st.cache_resource(max_entries=4, show_spinner="Reading answers …")
def _data(folder: str, revision: int, query: Query, _project: Project) -> OutcomeData:
    return load_outcomes(_project, query)


def outcomes_of(project: Project, query: Query) -> OutcomeData:
    """The outcomes of a query, remembered per revision."""
    return _data(str(project.folder), project.revision(), query, project)


@st.cache_resource(max_entries=16, show_spinner="Counting and resampling …")
def _report(
    folder: str, revision: int, query: Query, grouping: Grouping, macro: str, _project: Project
) -> OutcomeReport:
    return report_outcomes(_project, query, grouping, macro)


@st.cache_data(max_entries=8, show_spinner=False)
def _grouping(folder: str, revision: int, _project: Project) -> tuple[str, ...]:
    return grouping_names(_project)


def grouping_of(project: Project) -> tuple[str, ...]:
    """Attributes that make groups, remembered per revision."""
    return _grouping(str(project.folder), project.revision(), project)


COLUMNS = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("group", "Group", Kind.READ),
    Column("n", "n", Kind.COUNT, "Answered items with gold and a standard form that differ."),
    Column("missing", "Missing", Kind.COUNT, "Items without an answer: in no rate."),
    Column("literal", "Literal", Kind.COUNT, "Predicted equals gold after folding case and white space (SceneFaith, section 4.1)."),
    Column("canonical", "Canonical", Kind.COUNT, "Predicted equals the standard form: rewritten."),
    Column("other", "Other", Kind.COUNT, "Neither."),
    Column("literal_accuracy", "Literal %", Kind.PERCENT, "Literal / n. Wilson 95 % interval.", "literal_low", "literal_high"),
    Column("rewriting_rate", "Rewriting %", Kind.PERCENT, "Canonical / n. Wilson 95 % interval.", "rewriting_low", "rewriting_high"),
    Column("macro_rewriting_rate", "Macro rewriting %", Kind.PERCENT, "Mean of the rewriting rates of the attribute's values, each weighing alike."),
)  # fmt: skip
POOLED = (
    Column("condition", "Condition"),
    Column("group", "Group", Kind.READ),
    Column("systems", "Systems", Kind.COUNT),
    Column("items", "Items", Kind.COUNT),
    Column("n", "Answers", Kind.COUNT),
    Column("literal_accuracy", "Literal %", Kind.PERCENT, "Literal answers / all answers of all systems."),
    Column("rewriting_rate", "Rewriting %", Kind.PERCENT,
           "Canonical answers / all answers. 95 % interval: items resampled with all their answers.", "rewriting_low", "rewriting_high"),
    Column("other_rate", "Other %", Kind.PERCENT),
)  # fmt: skip


def show_systems(project: Project, names: ProjectNames, query: Query) -> Chosen | None:
    """The table of systems, by a grouping when one is chosen; the count that stands in the address."""
    grouping, macro = _choose_grouping(project)
    report = _report(str(project.folder), project.revision(), query, grouping, macro, project)
    rows = [_inert(dataclasses.asdict(row)) for row in report.rows]
    hidden = {"group" if not grouping.by else "", "macro_rewriting_rate" if not macro else ""}
    columns = [column for column in speaking(COLUMNS, rows) if column.key not in hidden]
    chosen = _picked_cell(rows, names)
    pooled = [_inert(dataclasses.asdict(row)) for row in report.pooled]
    shown = [column for column in speaking(POOLED, pooled) if column.key not in hidden]
    if grouping.by:
        show_table(shown, pooled, key="pooled", caption="Pooled over systems")
    count_table(
        columns,
        rows,
        ("n", *OUTCOMES),
        key="outcomes",
        caption="Verbatim or rewritten, by system",
        on_pick=_open,
        chosen=chosen,
    )
    if len(names.systems) > 1 and not grouping.by:
        show_table(shown, pooled, key="pooled", caption="Pooled over systems")
    note(
        f"{report.items:,} items have gold and a standard form that differ; left out: {report.without_standard:,} without "
        f"a standard form, {report.without_gold:,} without gold, {report.gold_wrong:,} with gold marked wrong."
    )
    return _choose_items(project, names, query, grouping, rows)


def _choose_grouping(project: Project) -> tuple[Grouping, str]:
    attributes = list(grouping_of(project))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ways = {**GROUPS, **{f"@{name}": f"By {name}" for name in attributes}}
        by = choose("Groups", Key.BY, list(ways), shown=ways, clears=(*SELECTION, Key.GROUP))
        macro = choose("Macro average over", Key.ATTRIBUTE, ["", *attributes], shown={"": "Nothing"})
    if by.startswith("@"):
        return Grouping(GroupBy.ATTRIBUTE, by[1:]), macro
    return Grouping(GroupBy(by)), macro


def _inert(row: dict[str, Any]) -> Row:
    return {
        **row,
        "group": escape_controls(row["group"] or "(none)") if row["group"] is not None else None,
        "name": row["group"],
    }


def _open(row: Row, column: str) -> None:
    write(
        {
            Key.SYSTEM: row["system"],
            Key.CONDITION: row["condition"],
            Key.OUTCOME: "" if column == "n" else column,
            Key.GROUP: row["name"] or "",
            **dict.fromkeys(SELECTION, ""),
        }
    )


def _picked_cell(rows: list[Row], names: ProjectNames) -> tuple[int, str] | None:
    run, outcome = run_name(names, read(Key.SYSTEM), read(Key.CONDITION)), read(Key.OUTCOME) or "n"
    for number, row in enumerate(rows):
        if f"{row['system']}@{row['condition']}" == run and (row["name"] or "") == read(Key.GROUP):
            return number, outcome
    return None


def _choose_items(
    project: Project, names: ProjectNames, query: Query, grouping: Grouping, rows: list[Row]
) -> Chosen | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = choose("System", Key.SYSTEM, ["", *names.systems], shown={"": "Choose a system"}, clears=SELECTION)
        conditions = [condition for name, condition in names.runs if name == system]
        if len(conditions) > 1:
            choose("Condition", Key.CONDITION, conditions, default=conditions[0], clears=SELECTION)
        group = ""
        if grouping.by:
            known = list(dict.fromkeys(row["name"] or "" for row in rows))
            group = choose("Group", Key.GROUP, known, default=known[0] if known else "", clears=SELECTION)
        outcome = choose_chip("Show", Key.OUTCOME, SHOWN, default="", clears=SELECTION)
    run = run_name(names, system, read(Key.CONDITION))
    if not run:
        return None
    keys = keys_of(project, outcomes_of(project, query), run, outcome, grouping, group)
    where = f", {escape_controls(group)}" if group else ""
    return Chosen(f"{SHOWN[outcome]} of {run.removesuffix('@default')}{where}", keys, run)


def show_chosen(project: Project, query: Query, chosen: Chosen | None) -> None:
    """Draw the items behind a count: one item in full when it is chosen, and the gallery."""
    if chosen is None:
        note("Choose a count to see its items.")
        return
    item = read(Key.ITEM)
    condition = chosen.run.rpartition("@")[2]
    if item:
        detail = detail_of(project, query, item)
        before, after, place = neighbours(project, chosen.keys, detail.item.key)
        step_buttons(before, after, place=place, key="item")
        show_item_detail(project, detail, condition=condition)
    st.subheader(f"{len(chosen.keys):,} item{'s' * (len(chosen.keys) != 1)}", anchor=False)
    note(chosen.words)
    number = page_number()
    shown = chosen.keys[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    pager(len(chosen.keys), PAGE_SIZE, number)
    rows = outcome_page(project, outcomes_of(project, query), shown, chosen.run)
    beside = outcome_page(project, outcomes_of(project, query), shown, chosen.other) if chosen.other else ()
    tiles = [_tile(project, row, chosen, beside[at] if beside else None) for at, row in enumerate(rows)]
    gallery(tiles, chosen=item, key="gallery", on_pick=open_item)


def _tile(project: Project, row: OutcomeItem, chosen: Chosen, beside: OutcomeItem | None) -> Tile:
    picture = picture_of(project, row.item, condition=chosen.run.rpartition("@")[2])
    badge = row.outcome.capitalize()
    if beside is not None:
        answer = escape_controls((beside.predicted or "")[:80])
        badge = f"A {row.outcome}; B {beside.outcome}: {answer}"
    return Tile(
        row.item.id,
        picture.src,
        picture.why,
        row.item.gold,
        row.predicted,
        row.item.language,
        chosen.run.removesuffix("@default"),
        row.item.standard,
        badge,
    )
