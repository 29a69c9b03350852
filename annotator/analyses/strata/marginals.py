"""Accuracy along one axis at a time, and the same under a second reference corpus."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from annotator.analyses.memo import remembered
from annotator.analyses.quantities import YES_NO
from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.grids import RunCells, place_of, run_on, runs_on
from annotator.metrics.strata.curves import Correlation, correlate, correlate_ranks
from annotator.metrics.strata.grid import CORNER, CellCount, Grid
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_statistic
from annotator.stats.intervals import Estimate, wilson_interval
from annotator.store.project import Project

AXES = ("word", "ngram")


@dataclass(frozen=True, slots=True)
class MarginalRow:
    """One quintile of one axis, pooled over the other: `value` of the metric over `n` items, Wilson interval if yes/no."""

    system: str
    condition: str
    axis: str
    quintile: int
    n: int
    correct: int
    value: float | None
    low: float | None
    high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class MarginalReport:
    """Curves of every run along both axes."""

    metric: str
    rows: tuple[MarginalRow, ...]
    basis: Basis


def report_marginals(project: Project, query: Query, metric: str = "") -> MarginalReport:
    """The marginal curves, q1 to q5 of each axis. Source: StratiSTR appendix B."""
    staged = load_stage(project, query)
    runs = runs_on(project, staged.stage, metric)
    rows = [row for run in runs for axis in AXES for row in _curve_rows(run, axis)]
    return MarginalReport(metric or "str_accuracy", tuple(rows), staged.basis)


def _curve_rows(run: RunCells, axis: str) -> list[MarginalRow]:
    return [_row(run, axis, quintile, count) for quintile, count in enumerate(_curve(run, axis), 1)]


def _curve(run: RunCells, axis: str) -> tuple[CellCount, ...]:
    grid = sum(run.by_benchmark().values(), Grid())
    return grid.along_word() if axis == "word" else grid.along_ngram()


def _row(run: RunCells, axis: str, quintile: int, count: CellCount) -> MarginalRow:
    plain = run.quantity.name in YES_NO
    interval = wilson_interval(int(count.total), int(count.weight)) if plain else None
    return MarginalRow(
        run.scored.run.system,
        run.scored.run.condition,
        axis,
        quintile,
        count.n,
        count.correct,
        count.value,
        interval.low if interval else None,
        interval.high if interval else None,
        "" if count.value is not None else "nothing measured in this quintile",
    )


@dataclass(frozen=True, slots=True)
class CrossCorpusRow:
    """One run's curve along an axis under two reference corpora.

    `pearson` compares the shapes over `places` quintiles; `corner`, `second_corner` are STR word accuracy at q5/q5 and
    `change` = second - first with its interval (items resampled with the cells they lie in under both).
    """

    system: str
    condition: str
    axis: str
    curve: tuple[float | None, ...]
    second_curve: tuple[float | None, ...]
    pearson: float | None
    places: int
    corner: float | None
    n_corner: int
    second_corner: float | None
    second_n_corner: int
    change: float | None
    change_low: float | None
    change_high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class CrossCorpusReport:
    """Rows per run and axis; `rank_correlation` is Spearman's over the systems by q5/q5 accuracy."""

    reference: str
    second: str
    rows: tuple[CrossCorpusRow, ...]
    rank_correlation: Correlation
    corner_correlation: Correlation
    basis: Basis


def report_cross_corpus(project: Project, query: Query, second: str) -> CrossCorpusReport:
    """The grid under a second reference corpus beside the first. Source: StratiSTR appendix B, Table 7."""
    asked = (query, second, edges_mark(query))
    return remembered(project, "crosscorpus", asked, CrossCorpusReport, lambda: _cross(project, query, second))


def _cross(project: Project, query: Query, second: str) -> CrossCorpusReport:
    staged = load_stage(project, query)
    again = load_stage(project, replace(query, reference=second, language=staged.summary.language))
    names = [run.name for run in runs_on(project, staged.stage)]
    pairs = [(run_on(project, staged.stage, name), run_on(project, again.stage, name)) for name in names]
    rows = tuple(_cross_row(query, one, other, axis) for one, other in pairs for axis in AXES)
    corners = [(row.corner, row.second_corner) for row in rows if row.axis == "ngram"]
    first_corners, second_corners = [a for a, _ in corners], [b for _, b in corners]
    return CrossCorpusReport(
        staged.summary.reference,
        again.summary.reference,
        rows,
        correlate_ranks(first_corners, second_corners),
        correlate(first_corners, second_corners),
        staged.basis,
    )


def _cross_row(query: Query, one: RunCells, other: RunCells, axis: str) -> CrossCorpusRow:
    curve, second_curve = (tuple(count.value for count in _curve(run, axis)) for run in (one, other))
    shape = correlate(curve, second_curve)
    corners = [sum(run.by_benchmark().values(), Grid())[CORNER] for run in (one, other)]
    change = _corner_change(query, one, other)
    return CrossCorpusRow(
        system=one.scored.run.system,
        condition=one.scored.run.condition,
        axis=axis,
        curve=curve,
        second_curve=second_curve,
        pearson=shape.value,
        places=shape.n,
        corner=corners[0].value,
        n_corner=corners[0].n,
        second_corner=corners[1].value,
        second_n_corner=corners[1].n,
        change=change.value,
        change_low=change.low,
        change_high=change.high,
        why=shape.why or change.why or _unmeasured(curve, second_curve),
    )


def _unmeasured(*curves: tuple[float | None, ...]) -> str:
    return "nothing measured in some quintiles" if any(None in curve for curve in curves) else ""


def _corner_change(query: Query, one: RunCells, other: RunCells) -> Estimate:
    """Accuracy at q5/q5 under the second corpus minus that under the first; an item may lie in both corners."""
    corner = place_of(CORNER)
    first, second = (run.used & (run.stage.places == corner) for run in (one, other))
    right = np.asarray(one.scored.scores.str_exact, dtype=np.float64)
    used = first | second
    columns = np.stack([right * first, first, right * second, second], axis=1)[used].astype(np.float64)

    def change(sums: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1])

    if not len(columns):
        return Estimate(None, None, None, 0, why="no answered item in either corner")
    return bootstrap_statistic(columns, change, rng_for(query.seed, "corpora", one.name), query.resamples)
