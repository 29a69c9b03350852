"""How sure systems are in each cell, when they are right and when they are wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from annotator.analyses.memo import remembered
from annotator.analyses.quantities import confidences, numbers
from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.grids import RunCells, Stage, runs_on
from annotator.metrics.strata.grid import CELLS, CENTRE, CORNER
from annotator.records import Cell, Query
from annotator.stats.bootstrap import Difference, bootstrap_mean, bootstrap_unpaired_difference
from annotator.stats.intervals import Estimate, wilson_interval
from annotator.store.project import Project

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
NO_CONFIDENCE = "no answer carries a confidence"


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """One run in one cell (`cell` "all" for the whole grid): `n` answered items, `given` of them with a confidence.

    `mean` is over the `given` items, `mean_correct` over the `n_correct` right ones among them and `mean_wrong` over the
    `n_wrong` wrong ones (STR word accuracy), each with its 95 % percentile interval, items resampled.
    """

    system: str
    condition: str
    cell: str
    n: int
    given: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    mean_correct: float | None
    mean_correct_low: float | None
    mean_correct_high: float | None
    n_correct: int
    mean_wrong: float | None
    mean_wrong_low: float | None
    mean_wrong_high: float | None
    n_wrong: int
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrongGap:
    """Confidence when wrong: corner minus centre, with its interval. Above 0 the system is surer where it fails more."""

    system: str
    condition: str
    corner: float | None
    centre: float | None
    gap: float | None
    low: float | None
    high: float | None
    p: float | None
    n_corner: int
    n_centre: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class ConfidenceReport:
    """Rows per run and cell, the gap of confidence when wrong per run, and the field that was read."""

    field: str
    rows: tuple[ConfidenceRow, ...]
    wrong_gaps: tuple[WrongGap, ...]
    basis: Basis


def report_confidence(project: Project, query: Query, field: str = "") -> ConfidenceReport:
    """Confidence per cell of every run. Source: StratiSTR appendix G, Table 12.

    Default: the mean of an item's `char_confidence` (nulls skipped) where given, else `confidence`; `field` chooses one
    of them or a numeric column.
    """
    asked = (query, field, edges_mark(query))
    return remembered(project, "confidence", asked, ConfidenceReport, lambda: _build(project, query, field))


def _build(project: Project, query: Query, field: str) -> ConfidenceReport:
    staged = load_stage(project, query)
    stage = staged.stage
    rows: list[ConfidenceRow] = []
    gaps: list[WrongGap] = []
    for run in runs_on(project, stage):
        read = (
            numbers(project, stage.data, run.scored, field) if field else confidences(project, stage.data, run.scored)
        )
        right = np.asarray(run.scored.scores.str_exact, dtype=bool)
        rows += [_row(query, run, read, right, cell, _inside(stage, cell)) for cell in (None, *CELLS)]
        gaps.append(_wrong_gap(query, run, read, right))
    return ConfidenceReport(field or "char_confidence, else confidence", tuple(rows), tuple(gaps), staged.basis)


def _inside(stage: Stage, cell: Cell | None) -> Mask:
    return stage.within(CELLS if cell is None else [cell])


def _row(query: Query, run: RunCells, values: Floats, right: Mask, cell: Cell | None, inside: Mask) -> ConfidenceRow:
    name = str(cell) if cell else "all"
    used = inside & run.used
    given = used & ~np.isnan(values)
    n, correct = int(used.sum()), int((used & right).sum())
    accuracy = wilson_interval(correct, n)
    means = {
        part: _estimate_mean(query, run, values, here, part, name)
        for part, here in (("mean", given), ("correct", given & right), ("wrong", given & ~right))
    }
    every, of_right, of_wrong = means["mean"], means["correct"], means["wrong"]
    return ConfidenceRow(
        system=run.scored.run.system,
        condition=run.scored.run.condition,
        cell=name,
        n=n,
        given=every.n,
        accuracy=correct / n if n else None,
        accuracy_low=accuracy.low,
        accuracy_high=accuracy.high,
        mean=every.value,
        mean_low=every.low,
        mean_high=every.high,
        mean_correct=of_right.value,
        mean_correct_low=of_right.low,
        mean_correct_high=of_right.high,
        n_correct=of_right.n,
        mean_wrong=of_wrong.value,
        mean_wrong_low=of_wrong.low,
        mean_wrong_high=of_wrong.high,
        n_wrong=of_wrong.n,
        why=_why(n, every.n, of_right.n, of_wrong.n),
    )


def _why(n: int, given: int, right: int, wrong: int) -> dict[str, str]:
    """The reason for each undefined mean."""
    if not given:
        return dict.fromkeys(("mean", "mean_correct", "mean_wrong"), NO_CONFIDENCE if n else "no answered items")
    said = {"mean_correct": (right, "right"), "mean_wrong": (wrong, "wrong")}
    return {key: f"no {kind} answer carries a confidence" for key, (count, kind) in said.items() if not count}


def _estimate_mean(query: Query, run: RunCells, values: Floats, here: Mask, part: str, cell: str) -> Estimate:
    rng = rng_for(query.seed, part, run.name, cell)
    clusters = None if run.stage.clusters is None else run.stage.clusters[here]
    return bootstrap_mean(values[here], rng, query.resamples, clusters)


def _wrong_gap(query: Query, run: RunCells, values: Floats, right: Mask) -> WrongGap:
    wrong = run.used & ~right & ~np.isnan(values)
    inside = [wrong & run.stage.within([cell]) for cell in (CORNER, CENTRE)]
    corner, centre = (values[here] for here in inside)
    codes = run.stage.clusters
    clusters = None if codes is None else (codes[inside[0]], codes[inside[1]])
    rng = rng_for(query.seed, "wrong gap", run.name)
    found: Difference = bootstrap_unpaired_difference(corner, centre, rng, query.resamples, clusters)
    why = "" if found.difference is not None else "no wrong answer with a confidence in the corner or in the centre"
    return WrongGap(
        run.scored.run.system,
        run.scored.run.condition,
        found.a,
        found.b,
        found.difference,
        found.low,
        found.high,
        found.p,
        len(corner),
        len(centre),
        why,
    )
