"""Two runs side by side: their difference, the transitions with the items behind them, and the grid of differences."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from annotator.analyses.compare import Comparison, Paired, compare_runs, transition_items
from annotator.analyses.strata.report import StrataReport, SystemStrata
from annotator.metrics.strata.grid import CELLS, CENTRE, CORNER
from annotator.records import Cell, ItemFilter, Query
from annotator.store.project import Project
from components.filters import choose, choose_several
from components.heat import CIVIDIS, DARK_STEPS, HeatCell, HeatGrid
from components.heatmap import heat_map
from components.itemview import show_item_detail
from components.lists import PAGE_SIZE, detail_of, page_of, show_gallery
from components.notes import note
from components.numbers import Figure, Kind, show_figures, written
from components.pager import page_number, pager
from components.remember import kept
from components.state import Key, read, write
from components.strata import AXES, STEPS, place_of

METRICS = {
    "str_accuracy": "STR word accuracy",
    "exact": "Exact match",
    "cer": "CER",
    "wer": "WER",
    "one_minus_ned": "1-NED",
    "charitable": "Charitable accuracy",
    "confidence": "Confidence",
    "semcer": "semCER (rubric rules)",
    "outcome": "Rewriting rate",
}
VERDICTS = {"significant": "significant", "marginal": "marginal", "within-noise": "within noise"}
YES_NO = ("right", "wrong")
OUTCOMES = ("Literal", "Canonical", "Other")
ITEM = (Key.ITEM, Key.PAGE)
P_HELP = "2 min(P(delta* <= 0), P(delta* >= 0)) over the resamples; verdict: the 95 % interval excludes 0, p < 0.10, or neither."


@dataclass(frozen=True, slots=True)
class Sides:
    """What a view of the page compares: two runs, the variants of a baseline, a cell (`None`: everywhere), a metric."""

    a: str
    b: str
    variants: tuple[str, ...]
    cell: Cell | None
    metric: str


USES = {
    "pair": ("a", "b", "cell", "metric"),
    "grid": ("a", "b", "metric"),
    "ngrams": ("a", "b", "cell"),
    "variants": ("baseline",),
    "corpora": (),
    "router": ("a", "b"),
    "control": ("a", "b"),
}
"""Which choices a view needs; the others stay in the address and are not drawn."""


def choose_sides(view: str, runs: Sequence[str], clears: Sequence[Key]) -> Sides:
    """Draw the choices that `view` needs; what it does not need stands as the address has it."""
    uses = USES[view]
    a = read(Key.A) if read(Key.A) in runs else runs[0]
    cell, metric = Cell.parse(read(Key.CELL)), read(Key.METRIC) if read(Key.METRIC) in METRICS else "str_accuracy"
    variants: tuple[str, ...] = ()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if "baseline" in uses:
            a = choose("Baseline", Key.A, runs, default=runs[0], clears=clears)
            others = [run for run in runs if run != a]
            variants = choose_several("Variants", Key.VARIANT, others, empty="all other runs")
        if "a" in uses:
            a = choose("A", Key.A, runs, default=runs[0], clears=clears)
        others = [run for run in runs if run != a]
        first = next((run for run in others if run.partition("@")[0] != a.partition("@")[0]), others[0])
        b = read(Key.B) if read(Key.B) in others else first
        if "b" in uses:
            b = choose("B", Key.B, others, default=first, clears=clears)
        if "cell" in uses:
            cell = choose_cell(everywhere=view != "ngrams")
        if "metric" in uses:
            metric = choose("Metric", Key.METRIC, list(METRICS), default="str_accuracy", shown=METRICS, clears=clears)
    return Sides(a, b, variants, cell, metric)


def choose_cell(everywhere: bool = True) -> Cell | None:
    """A choice of one cell, or of all items; without `everywhere` the corner stands until another cell is chosen."""
    names = [str(cell) for cell in reversed(CELLS)]
    words = {"": "all items", str(CORNER): "corner 5-5", str(CENTRE): "centre 3-3"}
    first = "" if everywhere else str(CORNER)
    options = ["", *names] if everywhere else names
    return Cell.parse(choose("Where", Key.CELL, options, default=first, shown=words, clears=(Key.VALUE, *ITEM)))


def compared(project: Project, query: Query, a: str, b: str, cell: Cell | None, metric: str) -> Comparison:
    """The comparison, remembered."""
    asked = (query, a, b, str(cell or ""), metric)
    return kept(project, "compare", asked, lambda: compare_runs(project, query, a, b, cell, metric))


def show_comparison(report: Comparison) -> None:
    """Draw the difference of two runs, and what only one of them answered."""
    rate = METRICS.get(report.metric, report.metric)
    _show_paired(report.paired, report, rate)
    if report.literal is not None:
        st.subheader("Literal accuracy", anchor=False)
        _show_paired(report.literal, report, "Literal accuracy")
    if report.only_first or report.only_second:
        note(
            f"On the {report.paired.n:,} items that both answered; {report.only_first:,} more only by "
            f"{report.first}, {report.only_second:,} only by {report.second}."
        )


def _show_paired(paired: Paired, report: Comparison, rate: str) -> None:
    plain = report.metric != "confidence"
    value, change = (Kind.PERCENT, Kind.POINTS) if plain else (Kind.NUMBER, Kind.SIGNED)
    n = f"n {paired.n:,}"
    show_figures(
        [
            Figure(f"A: {report.first}", paired.a, value, note=n, why=paired.why),
            Figure(f"B: {report.second}", paired.b, value, note=n, why=paired.why),
            Figure(
                "A minus B", paired.delta, change, paired.low, paired.high, why=paired.why,
                help=f"{rate} of A minus that of B on the same items; 95 % percentile interval, items resampled in pairs.",
            ),
            Figure("p", paired.p, Kind.P, note=VERDICTS.get(paired.verdict or "", ""), help=P_HELP, why=paired.why),
            *(
                [Figure("McNemar p", paired.mcnemar_p, Kind.P, help="Exact two-sided binomial test on the items that only one has.")]
                if paired.mcnemar_p is not None
                else []
            ),
        ]
    )  # fmt: skip


def show_transitions(
    project: Project, query: Query, report: Comparison, a: str, b: str, cell: Cell | None, metric: str
) -> None:
    """Draw the transition matrix and, for the chosen cell of it, the items behind it."""
    if report.transitions is None:
        return
    names = OUTCOMES if report.metric == "outcome" else YES_NO
    st.html(_matrix_html(report.transitions, names, report.first, report.second))
    options = {f"{i}{j}": (i, j) for i in range(len(names)) for j in range(len(names)) if report.transitions[i][j]}
    words = {
        key: f"A {names[i].lower()}, B {names[j].lower()}: {report.transitions[i][j]:,}"
        for key, (i, j) in options.items()
    }
    picked = choose(
        "Open the items", Key.VALUE, ["", *options], shown={"": "choose a transition", **words}, clears=ITEM
    )
    if picked not in options:
        return
    row, column = options[picked]
    asked = (query, a, b, row, column, str(cell or ""), metric)
    ids = kept(
        project,
        "transition items",
        asked,
        lambda: transition_items(project, query, a, b, row, column, cell, metric),
    )
    _show_items(project, query, ids, report)


def _show_items(project: Project, query: Query, ids: tuple[str, ...], report: Comparison) -> None:
    number = page_number()
    page = page_of(project, query, ItemFilter(ids=ids), (number - 1) * PAGE_SIZE)
    if read(Key.ITEM) in ids:
        show_item_detail(project, detail_of(project, query, read(Key.ITEM)), profile=query.profile)
    pager(page.total, PAGE_SIZE, number)
    run = report.first if "@" in report.first else f"{report.first}@default"
    condition = run.rpartition("@")[2]
    show_gallery(project, page.rows, run, chosen=read(Key.ITEM), condition=condition, key="transition")


def _matrix_html(counts: Sequence[Sequence[int]], names: Sequence[str], a: str, b: str) -> str:
    head = "".join(f'<th scope="col" class="v-num">B {name.lower()}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row">A {name.lower()}</th>'
        + "".join(f'<td class="v-num">{count:,}</td>' for count in row)
        + "</tr>"
        for name, row in zip(names, counts, strict=True)
    )
    caption = f"Transitions on the same items: rows A ({html.escape(a)}), columns B ({html.escape(b)})"
    return f'<table class="v-table"><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>'


def system_of(report: StrataReport, run: str) -> SystemStrata | None:
    """The grid of a run in a report, `None` when it has no answers there."""
    return next((row for row in report.systems if run in (row.system, f"{row.system}@{row.condition}")), None)


def grid_metric(metric: str) -> str:
    """What the grids show: the metric, or STR word accuracy where a cell has no such rate."""
    return "str_accuracy" if metric == "outcome" else metric


def difference_grid(a: SystemStrata, b: SystemStrata, report: StrataReport) -> HeatGrid:
    """The metric of A minus that of B in each cell; n is the smaller of the two."""
    x_title, y_title = AXES[report.placing.axes]
    return HeatGrid(
        cells=tuple(tuple(_difference(a, b, Cell(i, j)) for j in STEPS) for i in STEPS),
        names=tuple(tuple(str(Cell(i, j)) for j in STEPS) for i in STEPS),
        x_labels=("1 common", "2", "3", "4", "5 rare"),
        y_labels=("1 familiar", "2", "3", "4", "5 novel"),
        x_title=f"{x_title} (quintile)",
        y_title=f"{y_title} (quintile)",
        title=f"A minus B, {METRICS.get(report.metric, report.metric)}",
        kind=Kind.SIGNED if report.metric == "confidence" else Kind.POINTS,
        framed=(place_of(CORNER), place_of(CENTRE)),
    )


def _difference(a: SystemStrata, b: SystemStrata, cell: Cell) -> HeatCell:
    one, other = a.grid[cell], b.grid[cell]
    value = None if one.value is None or other.value is None else one.value - other.value
    return HeatCell(value, min(one.n, other.n))


def show_difference_grid(a: SystemStrata, b: SystemStrata, report: StrataReport) -> None:
    """Draw the grid of differences; choosing a cell compares the two inside it."""
    cell = Cell.parse(read(Key.CELL))
    st.subheader("A minus B in each cell", anchor=False)
    note(
        f"{METRICS.get(report.metric, report.metric)} of {a.system} minus that of {b.system}, each over its own answers; "
        "n is the smaller of the two."
    )
    heat_map(
        difference_grid(a, b, report),
        [place_of(cell)] if cell else [],
        key="difference",
        on_pick=lambda x, y: write({Key.CELL: str(Cell(x + 1, y + 1)), Key.VALUE: "", Key.ITEM: "", Key.PAGE: ""}),
    )


def show_small_multiples(report: StrataReport) -> None:
    """Every system's grid, small, on one colour scale."""
    values = [count.value for system in report.systems for count in system.grid.cells if count.value is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    st.subheader("Every run on one scale", anchor=False)
    scale = f"one colour scale from {written(low, Kind.PERCENT)} to {written(high, Kind.PERCENT)} %"
    st.html(f'<div class="v-multiples">{"".join(_small(system, low, high) for system in report.systems)}</div>')
    note(f"Rare words right, novel n-grams on top, as above; {scale}.")


def _small(system: SystemStrata, low: float, high: float) -> str:
    name = system.system if system.condition == "default" else f"{system.system}@{system.condition}"
    rows = "".join(
        "<tr>" + "".join(_small_cell(system, Cell(i, j), low, high) for i in STEPS) + "</tr>" for j in reversed(STEPS)
    )
    return f'<table class="v-small"><caption>{html.escape(name)}</caption><tbody>{rows}</tbody></table>'


def _small_cell(system: SystemStrata, cell: Cell, low: float, high: float) -> str:
    count = system.grid[cell]
    title = f"{cell}: {written(count.value, Kind.PERCENT)}, n {count.n:,}"
    if count.value is None:
        return f'<td class="v-empty" title="{title}">–</td>'
    step = round((len(CIVIDIS) - 1) * (count.value - low) / ((high - low) or 1))
    ink = "#fff" if step < DARK_STEPS else "#111"
    return f'<td style="background:{CIVIDIS[step]};color:{ink}" title="{title}">{100 * count.value:.0f}</td>'
