"""From a cell to its items, and from an item to the reason why it lies in its cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import load_items, load_run_scores
from annotator.analyses.strata.grids import place_of
from annotator.analyses.strata.placing import Placing, load_placing, stored_placing
from annotator.errors import UsageError
from annotator.metrics.strata.labels import Axes, Letters, counted_clusters, drop_reason, fold_label
from annotator.metrics.strata.quintiles import AxisEdges
from annotator.records import Cell, MissingRule, Query
from annotator.store.detail import ItemFields, find_item, read_item_fields, read_predicted
from annotator.store.project import Project
from annotator.store.reading import RunRow, read_runs
from annotator.store.strata import StratumRow, find_stratum, read_cell
from annotator.text.graphemes import split_graphemes

Keys = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
SHOWN = ("wrong", "right", "all", "missing")


@dataclass(frozen=True, slots=True)
class CellItem:
    """One item of a cell with a system's answer. `right` is `None` where the answer is missing.

    `place` holds the ranks of the item and the n-gram that decides, for a mark in its text; `None` in a project that
    cannot be written.
    """

    item: ItemFields
    place: StratumRow | None
    predicted: str | None
    right: bool | None


@dataclass(frozen=True, slots=True)
class CellPage:
    """A page of the items of one or several cells.

    `total` items match `show`; `keys` are all of them in order, for previous and next. `n` items are answered, `right`
    of them right by STR word accuracy, `missing` have no answer; `kept` is the size of the whole grid.
    """

    cells: tuple[Cell, ...]
    total: int
    n: int
    right: int
    missing: int
    kept: int
    keys: tuple[int, ...]
    rows: tuple[CellItem, ...]

    @property
    def rate(self) -> float | None:
        """STR word accuracy of the selection, `None` when nothing in it is answered."""
        return self.right / self.n if self.n else None

    @property
    def coverage(self) -> float | None:
        """The share of the grid's items that the selection holds, `None` when the grid is empty."""
        return (self.n + self.missing) / self.kept if self.kept else None


def open_placing(project: Project, query: Query) -> Placing:
    """The placing of `query`: from the project in milliseconds when nothing has changed, else built."""
    stored = stored_placing(project, query)
    if stored is not None:
        return stored
    scope = load_items(project, replace(query, language=""))
    return load_placing(project, query, scope.items, scope.revision)


def cell_items(
    project: Project,
    query: Query,
    system: str,
    condition: str,
    cell: Cell | Sequence[Cell],
    show: str = "wrong",
    offset: int = 0,
    limit: int = 50,
) -> CellPage:
    """The items of a cell (or of several) that `system` under `condition` got wrong, right, or all, a page of them.

    `show` is wrong, right, missing or all. Wrong and right go by STR word accuracy, whatever the metric of the grid.
    Raises `UsageError` for an unknown system, condition or `show`.
    """
    if show not in SHOWN:
        raise UsageError(f"show: found {show!r}; expected one of {', '.join(SHOWN)}")
    cells = (cell,) if isinstance(cell, Cell) else tuple(dict.fromkeys(cell))
    placing = open_placing(project, query)
    run = _find_run(project, system, condition)
    keys = _keys_in(project, placing, cells)
    answered, right = _judge(project, query, run, keys)
    chosen = {"wrong": answered & ~right, "right": right, "missing": ~answered, "all": np.ones(len(keys), dtype=bool)}
    found = keys[chosen[show]]
    shown = found[offset : offset + limit]
    verdicts = dict(zip(keys.tolist(), np.where(answered, right, -1).tolist(), strict=True))
    return CellPage(
        cells=cells,
        total=len(found),
        n=int(answered.sum()),
        right=int(right.sum()),
        missing=int((~answered).sum()),
        kept=placing.summary.kept,
        keys=tuple(found.tolist()),
        rows=_rows(project, placing, run, shown.tolist(), verdicts),
    )


def _find_run(project: Project, system: str, condition: str) -> RunRow:
    with project.read() as connection:
        runs = read_runs(connection, [system], [condition])
    if not runs:
        raise UsageError(f"{system} has no answers under the condition {condition!r}")
    return runs[0]


def _keys_in(project: Project, placing: Placing, cells: Sequence[Cell]) -> Keys:
    places = [place_of(cell) for cell in cells]
    if placing.set_key is None:
        return placing.keys[np.isin(placing.places, places)]
    with project.read() as connection:
        return read_cell(connection, placing.set_key, places)


def _judge(project: Project, query: Query, run: RunRow, keys: Keys) -> tuple[Mask, Mask]:
    """Which of the items are answered, and which are right."""
    known = load_run_scores(project, query, run)
    has_row, right = np.zeros(len(keys), dtype=bool), np.zeros(len(keys), dtype=bool)
    answered = has_row
    if len(known.keys):
        at = np.minimum(np.searchsorted(known.keys, keys), len(known.keys) - 1)
        has_row = known.keys[at] == keys
        answered = has_row & ~np.asarray(known.scores.blank_gold, dtype=bool)[at]
        right = answered & np.asarray(known.scores.str_exact, dtype=bool)[at]
    return (answered | ~has_row if query.missing is MissingRule.ERROR else answered), right


def _rows(
    project: Project, placing: Placing, run: RunRow, keys: Sequence[int], verdicts: dict[int, int]
) -> tuple[CellItem, ...]:
    with project.read() as connection:
        items = read_item_fields(connection, keys)
        texts = read_predicted(connection, [run.key], keys)
        found = [] if placing.set_key is None else [find_stratum(connection, placing.set_key, key) for key in keys]
    places = {row.item_key: row for row in found if row is not None}
    return tuple(
        CellItem(
            item,
            places.get(item.key),
            texts.get((run.key, item.key)),
            None if verdicts[item.key] < 0 else bool(verdicts[item.key]),
        )
        for item in items
    )


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """Why an item lies where it lies.

    `cell` is `None` when it is not on the grid, and `why` says why. `row` holds its ranks, its values and the units that
    decide; `edges` are those of its benchmark. `marks` are the indices of gold's clusters that make up the deciding
    n-gram, empty when case folding changes the number of clusters. `short` says that the label is its own n-gram.
    """

    item_id: str
    gold: str
    reference: str
    axes: str
    benchmark: str
    cell: Cell | None
    row: StratumRow | None
    edges: AxisEdges | None
    marks: tuple[int, ...] = ()
    short: bool = False
    why: str = ""


def explain_item(project: Project, query: Query, item_id: str) -> ItemPlace:
    """Where an item lies on the grid and what put it there. Raises `UsageError` when there is no such item."""
    placing = open_placing(project, query)
    with project.read() as connection:
        item = find_item(connection, item_id)
        if item is None:
            raise UsageError(f"no item has the id {item_id!r}")
        row = None if placing.set_key is None else find_stratum(connection, placing.set_key, item.key)
    summary, gold = placing.summary, item.gold or ""
    edges = summary.edges.get(item.benchmark)
    if row is None:
        why = _why_outside(placing, item)
        if placing.set_key is None and item.key in placing.keys:
            why = "the project cannot be written, so that the ranks of its items are not kept"
        return ItemPlace(item_id, gold, summary.reference, summary.axes, item.benchmark, None, None, edges, why=why)
    cell = Cell(row.place // 5 + 1, row.place % 5 + 1)
    short = summary.axes == Axes.WORD and len(split_graphemes(row.ngram)) < 3
    marks = mark_ngram(gold, row.ngram, Axes(summary.axes))
    return ItemPlace(item_id, gold, summary.reference, summary.axes, item.benchmark, cell, row, edges, marks, short)


def mark_ngram(gold: str, ngram: str, axes: Axes) -> tuple[int, ...]:
    """The indices of gold's clusters (NFC) that make up the first occurrence of `ngram`, which is case-folded.

    On the character axes a pair may stand on both sides of a sign that does not count. Empty when it cannot be placed.
    """
    clusters = [fold_label(cluster) for cluster in split_graphemes(gold)]
    counted = [
        at for at, cluster in enumerate(clusters) if axes is Axes.WORD or (cluster and counted_clusters(cluster))
    ]
    for start in range(len(counted)):
        text = ""
        for stop in range(start, len(counted)):
            text += clusters[counted[stop]]
            if text == ngram:
                return tuple(counted[start : stop + 1])
            if not ngram.startswith(text):
                break
    return ()


def _why_outside(placing: Placing, item: ItemFields) -> str:
    summary = placing.summary
    reason = drop_reason(fold_label(item.gold or ""), Axes(summary.axes), Letters(summary.letters))
    if reason is not None:
        return f"its label stays out of the grid ({reason})"
    if item.mark:
        return f"its gold was marked {item.mark}"
    return f"it is not among the items of this grid (language {summary.language or 'unknown'}, or another benchmark)"
