"""What the strata page draws: the grid of a system, the cell that was chosen, and why an item lies in its cell."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from annotator.analyses.strata.cells import CellPage, ItemPlace
from annotator.analyses.strata.report import StrataReport, SystemStrata
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.records import Cell
from annotator.text.graphemes import split_graphemes
from annotator.text.visible import escape_controls
from components.heat import HeatCell, HeatGrid, Place
from components.marks import direction, shown
from components.notes import note
from components.numbers import Figure, Kind, show_figures
from components.state import Key, read, write
from components.tables import Column, Row

STEPS = range(1, 6)
METRICS = {
    "str_accuracy": "STR word accuracy",
    "exact": "Exact match",
    "charitable": "Charitable accuracy",
    "cer": "CER",
    "wer": "WER",
    "one_minus_ned": "1-NED",
    "semcer": "semCER (rubric rules)",
    "confidence": "Confidence",
}
AXES = {
    "word": ("Word rarity", "Trigram novelty"),
    "character": ("Character rarity", "Character-pair novelty"),
}


def grid_of(system: SystemStrata, metric: str, axes: str) -> HeatGrid:
    """The heat grid of one system: word quintile from left to right, n-gram quintile from bottom to top."""
    x_title, y_title = AXES[axes]
    return HeatGrid(
        cells=tuple(tuple(_cell(system, Cell(i, j)) for j in STEPS) for i in STEPS),
        names=tuple(tuple(str(Cell(i, j)) for j in STEPS) for i in STEPS),
        x_labels=("1 common", "2", "3", "4", "5 rare"),
        y_labels=("1 familiar", "2", "3", "4", "5 novel"),
        x_title=f"{x_title} (quintile)",
        y_title=f"{y_title} (quintile)",
        title=f"{metric} of {system.system} by {x_title.lower()} and {y_title.lower()}",
        kind=Kind.PERCENT if metric in METRICS and metric != "confidence" else Kind.NUMBER,
        framed=(place_of(CORNER), place_of(CENTRE)),
    )


def _cell(system: SystemStrata, cell: Cell) -> HeatCell:
    count = system.grid[cell]
    return HeatCell(count.value, count.n)


def place_of(cell: Cell) -> Place:
    """Where a cell stands in the heat grid, from 0."""
    return cell.word - 1, cell.ngram - 1


def chosen_cells() -> tuple[Cell, ...]:
    """The cells in the address (`cell=5-5`, several joined by commas); anything else in it is ignored."""
    parsed = [Cell.parse(part) for part in read(Key.CELL).split(",")]
    return tuple(dict.fromkeys(cell for cell in parsed if cell is not None))


def pick(x: int, y: int) -> None:
    """Choose a cell; with "add cells" on, add it to the selection or take it out."""
    cell = Cell(x + 1, y + 1)
    cells = [known for known in chosen_cells() if known != cell] if read(Key.ADD) == "1" else []
    if read(Key.ADD) != "1" or cell not in chosen_cells():
        cells.append(cell)
    write({Key.CELL: ",".join(map(str, cells)), Key.ITEM: "", Key.PAGE: ""})


def show_selection(page: CellPage) -> None:
    """Draw what the chosen cells hold: their share of the grid and the accuracy in them."""
    names = " + ".join(map(str, page.cells))
    with st.container(key="group-head"):
        st.subheader(f"Cell {names}" if len(page.cells) == 1 else f"Cells {names}", anchor=False)
    show_figures(
        [
            Figure(
                "STR word accuracy",
                page.rate,
                Kind.PERCENT,
                note=f"{page.right:,} of {page.n:,} right",
                help="Exact match after case folding, letters and digits only.",
                why="nothing in the selection is answered",
            ),
            Figure(
                "Share of the grid",
                page.coverage,
                Kind.PERCENT,
                note=f"{page.n + page.missing:,} of {page.kept:,} items",
                help="Items of the selection among all items that entered the grid.",
            ),
        ]
        + ([Figure("Without an answer", page.missing)] if page.missing else [])
    )


def show_system(system: SystemStrata) -> None:
    """Draw a system's gap, and ways into the corner and the centre: what stands where no cell is chosen yet."""
    gap = system.gap
    st.subheader("From corner to failures", anchor=False)
    note("Choose a cell of the map: its failures open here. The dotted frames are the corner and the centre.")
    show_figures(
        [
            Figure("Centre 3-3", gap.centre, Kind.PERCENT, note=f"n {gap.n_centre:,}", why="empty"),
            Figure("Corner 5-5", gap.corner, Kind.PERCENT, note=f"n {gap.n_corner:,}", why="empty"),
            Figure("Gap", gap.value, Kind.POINTS, gap.low, gap.high, help=COLUMNS[6].help, why=gap.why),
        ]
    )
    with st.container(horizontal=True):
        st.button("Open the corner", type="primary", key="open-corner", on_click=pick, args=place_of(CORNER))
        st.button("Open the centre", key="open-centre", on_click=pick, args=place_of(CENTRE))


def show_place(place: ItemPlace) -> None:
    """Say why an item lies in its cell: its ranks, the edges they passed, and the n-gram that decides, marked in the text."""
    if place.cell is None or place.row is None:
        st.html(f'<p class="v-note">Not on this grid: {_inert(place.why)}.</p>')
        return
    word, ngram = AXES[place.axes]
    unit = "trigram" if place.axes == "word" else "pair"
    rows = [
        (word, place.row.word_unit, place.row.word_rank, place.row.word_value, place.cell.word, "word"),
        (ngram, place.row.ngram, place.row.ngram_rank, place.row.ngram_value, place.cell.ngram, "ngram"),
    ]
    body = "".join(_axis_row(place, *row) for row in rows)
    note = f"The text is its own {unit}: it has fewer than three letters. " if place.short else ""
    st.html(
        f'<div class="v-why"><p><b>Why cell {place.cell}</b> · <bdi class="v-read" dir="{direction(place.gold)}">{_marked(place)}</bdi></p>'
        '<div class="v-scroll" tabindex="0" role="region" aria-label="why this cell"><table class="v-table"><thead><tr><th scope="col">axis</th><th scope="col">decided by</th>'
        '<th scope="col" class="v-num">rank</th><th scope="col" class="v-num">log₁₀</th><th scope="col">quintile</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
        f'<p class="v-note">{note}Ranks in {_inert(place.reference)}; quintile edges of {_inert(place.benchmark or "all items")}.</p></div>'
    )


def _axis_row(place: ItemPlace, name: str, unit: str, rank: int, value: float, quintile: int, axis: str) -> str:
    edges: Sequence[float] = getattr(place.edges, axis) if place.edges else ()
    passed = edges[quintile - 2] if edges and quintile > 1 else None
    below = f" (above {passed:.2f})" if passed is not None else ""
    return (
        f'<tr><th scope="row">{name}</th><td class="v-text"><bdi>{_inert(unit)}</bdi></td><td class="v-num">{rank:,}</td>'
        f'<td class="v-num">{value:.2f}</td><td class="v-num">{quintile}{below}</td></tr>'
    )


def _marked(place: ItemPlace) -> str:
    """Gold with the deciding n-gram marked: one inline run, so that scripts keep their shape."""
    clusters = split_graphemes(place.gold)
    first, last = (place.marks[0], place.marks[-1] + 1) if place.marks else (0, 0)
    parts = (
        "".join(shown(c, False) for c in part) for part in (clusters[:first], clusters[first:last], clusters[last:])
    )
    before, inside, after = parts
    return f"{before}<mark>{inside}</mark>{after}" if inside else before + after


def _inert(text: str) -> str:
    return html.escape(escape_controls(text))


COLUMNS = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("n", "n", Kind.COUNT, "Answered items of the grid's language, dropped labels included."),
    Column("aggregate", "Aggregate %", Kind.PERCENT, "Over all answered items with gold, dropped labels included.",
           "aggregate_low", "aggregate_high"),
    Column("centre", "Centre %", Kind.PERCENT, "Cell 3-3: middle word rarity, middle n-gram novelty."),
    Column("corner", "Corner %", Kind.PERCENT, "Cell 5-5: rare words with novel n-grams (StratiSTR, section 3.2)."),
    Column("gap", "Gap, points", Kind.POINTS,
           "Corner minus centre; 95 % percentile interval, items resampled within each cell (StratiSTR, Table 2).",
           "gap_low", "gap_high"),
    Column("gap_stratified", "Stratified by benchmark", Kind.POINTS,
           "The gap within each benchmark, weighted by n5 n3 / (n5 + n3): rarity goes with benchmark, this holds it still.",
           "gap_stratified_low", "gap_stratified_high"),
)  # fmt: skip


def gap_rows(report: StrataReport) -> list[Row]:
    """The rows of the gap table."""
    return [_gap_row(system) for system in report.systems]


def _gap_row(system: SystemStrata) -> Row:
    gap, within = system.gap, system.gap_stratified
    return {
        "system": system.system,
        "condition": system.condition,
        "n": system.n,
        "aggregate": system.aggregate.value,
        "aggregate_low": system.aggregate.low,
        "aggregate_high": system.aggregate.high,
        "centre": gap.centre,
        "corner": gap.corner,
        "gap": gap.value,
        "gap_low": gap.low,
        "gap_high": gap.high,
        "gap_stratified": within.value,
        "gap_stratified_low": within.low,
        "gap_stratified_high": within.high,
        "why": {"gap": gap.why, "gap_stratified": within.why, "aggregate": system.aggregate.why},
    }


EFFECTS = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("marginal_ngram", "N-gram, common words", Kind.POINTS,
           "Word q1: n-gram q5 minus q1 (StratiSTR, Table 6); 95 % interval, items resampled within each cell.",
           "marginal_ngram_low", "marginal_ngram_high"),
    Column("marginal_word", "Word, familiar n-grams", Kind.POINTS, "N-gram q1: word q5 minus q1.",
           "marginal_word_low", "marginal_word_high"),
    Column("conditional_ngram", "N-gram, rare words", Kind.POINTS, "Word q5: n-gram q5 minus q1.",
           "conditional_ngram_low", "conditional_ngram_high"),
    Column("joint", "Joint", Kind.POINTS, "q5/q5 minus q1/q1: marginal word + conditional n-gram.", "joint_low", "joint_high"),
    *(Column(f"n_{cell}", f"n {cell}", Kind.COUNT, "Items of this cell.") for cell in ("1-1", "1-5", "5-1", "5-5")),
)  # fmt: skip


def effect_rows(report: StrataReport) -> list[Row]:
    """The rows of the interaction table; an effect that needs an empty cell says which."""
    rows: list[Row] = []
    for system in report.systems:
        row: dict[str, object] = {"system": system.system, "condition": system.condition}
        for name, found in system.effects.items():
            row |= {name: getattr(system.interaction, name).value, f"{name}_low": found.low, f"{name}_high": found.high}
        for word, ngram in ((1, 1), (1, 5), (5, 1), (5, 5)):
            row[f"n_{word}-{ngram}"] = system.grid[Cell(word, ngram)].n
        why = {name: getattr(system.interaction, name).why for name in system.effects}
        rows.append({**row, "why": {name: reason for name, reason in why.items() if reason}})
    return rows


def dropped_text(report: StrataReport) -> str:
    """What entered the grid and what stayed out, in one sentence."""
    placing = report.placing
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in placing.dropped_by_reason.items() if count)
    by = ", ".join(
        f"{name or 'no benchmark'} {count:,}" for name, count in placing.dropped_by_benchmark.items() if count
    )
    out = f"; {placing.dropped:,} stayed out ({reasons}; by benchmark: {by})" if placing.dropped else ""
    short = (
        f" {placing.short_labels:,} labels have fewer than three letters and stand as their own n-gram."
        if placing.short_labels
        else ""
    )
    return f"{placing.kept:,} of {placing.items:,} labels entered the grid{out}.{short}"
