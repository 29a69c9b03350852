"""`report strata`: the grid, the gap and its parts for every system, over one language."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from annotator.analyses.memo import remembered
from annotator.analyses.quantities import quantity_state
from annotator.analyses.strata.basis import edges_mark, load_stage
from annotator.analyses.strata.gaps import GapEstimate, estimate_gap, estimate_stratified_gap
from annotator.analyses.strata.grids import RunCells, Stage, runs_on
from annotator.analyses.strata.placing import PlacingSummary
from annotator.metrics.rates import Metric
from annotator.metrics.strata.grid import (
    EFFECTS,
    BenchmarkGap,
    Grid,
    Interaction,
    cell_values,
    decompose,
    split_gap,
)
from annotator.records import Query
from annotator.stats.intervals import Estimate
from annotator.store.project import Project


@dataclass(frozen=True, slots=True)
class SystemStrata:
    """One system under one condition on the grid. Values are of the report's metric (STR word accuracy by default).

    `n` items of the language are answered, `missing` have gold and no prediction. `aggregate` is over all of them,
    dropped labels included, `aggregate_kept` over those in the grid. `effects` are those of the interaction with their
    intervals, items resampled within each of the two cells. `gap_before` is the gap with the items whose gold was marked
    wrong, `None` when no gold was marked.
    """

    system: str
    condition: str
    n: int
    missing: int
    grid: Grid
    gap: GapEstimate
    gap_stratified: GapEstimate
    benchmarks: tuple[BenchmarkGap, ...]
    aggregate: Estimate
    aggregate_kept: Estimate
    interaction: Interaction
    effects: dict[str, GapEstimate]
    gap_before: GapEstimate | None = None


@dataclass(frozen=True, slots=True)
class StrataReport:
    """The stratified diagnostic of a project. `placing` says what entered, what was dropped and where the edges lie."""

    placing: PlacingSummary
    metric: str
    systems: tuple[SystemStrata, ...]
    gold_wrong: int
    without_gold: int
    profile: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    notes: tuple[str, ...] = field(default=())


def report_strata(project: Project, query: Query, metric: str = "") -> StrataReport:
    """The grid, gap, stratified gap, aggregates and interaction of every run of `query`.

    Source: StratiSTR sections 3.2 and 4.3, Tables 2 and 6. Raises `UsageError` for names that are not known, a
    reference corpus or edges that do not fit; `FileError` for an edges file that cannot be used.
    """
    asked = (query, metric, edges_mark(query), quantity_state(project, query, metric))
    return remembered(project, "strata", asked, StrataReport, lambda: _build(project, query, metric))


def _build(project: Project, query: Query, metric: str) -> StrataReport:
    staged = load_stage(project, query)
    stage, summary, data = staged.stage, staged.summary, staged.stage.data
    before = _gaps_before(project, query, metric) if data.left_out.gold_wrong else {}
    systems = tuple(_system(query, run, before.get(run.name)) for run in runs_on(project, stage, metric))
    return StrataReport(
        placing=summary,
        metric=metric or Metric.STR_ACCURACY.value,
        systems=systems,
        gold_wrong=data.left_out.gold_wrong,
        without_gold=data.left_out.without_gold,
        profile=query.profile,
        seed=query.seed,
        resamples=query.resamples,
        project_revision=data.revision,
        alignment_version=data.alignment_version,
        notes=_notes(summary, stage),
    )


def _gaps_before(project: Project, query: Query, metric: str) -> dict[str, GapEstimate]:
    """The gaps with the items whose gold was marked wrong."""
    everything = replace(query, keep_wrong_gold=True)
    stage = load_stage(project, everything).stage
    return {run.name: estimate_gap(everything, run) for run in runs_on(project, stage, metric)}


def _notes(summary: PlacingSummary, stage: Stage) -> tuple[str, ...]:
    notes = list(summary.notes)
    if stage.clusters is not None:
        notes.append(
            "items share documents: intervals of gap and aggregate resample documents, those of the gap within "
            "benchmarks resample items"
        )
    if not summary.kept:
        notes.append("no label enters the grid; see why under dropped")
    if summary.empty:
        shown = ", ".join(f"{axis} q{quintile} of {name or 'the items'}" for name, axis, quintile in summary.empty)
        notes.append(f"ties or foreign edges leave quintiles empty: {shown}")
    if summary.languages_left_out:
        shown = ", ".join(f"{name or '(none)'} {count}" for name, count in summary.languages_left_out.items())
        notes.append(f"one grid is one language; left out: {shown}")
    if not stage.data.runs:
        notes.append("no system has predictions in this project yet")
    return tuple(notes)


def _system(query: Query, run: RunCells, before: GapEstimate | None) -> SystemStrata:
    grids = run.by_benchmark()
    grid = sum(grids.values(), Grid())
    return SystemStrata(
        system=run.scored.run.system,
        condition=run.scored.run.condition,
        n=int(run.used.sum()),
        missing=run.missing,
        grid=grid,
        gap=estimate_gap(query, run),
        gap_stratified=estimate_stratified_gap(query, run),
        benchmarks=split_gap(grids),
        aggregate=run.aggregate(query),
        aggregate_kept=run.aggregate(query, kept_only=True),
        interaction=decompose(cell_values(grid)),
        effects={name: estimate_gap(query, run, *cells, name) for name, cells in EFFECTS.items()},
        gap_before=before,
    )
