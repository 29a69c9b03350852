"""A baseline and its variants: does any improve the corner and the aggregate both?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator.analyses.compare import Paired, pair_values
from annotator.analyses.memo import remembered
from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.grids import Mask, RunCells, Stage, run_on, runs_on
from annotator.errors import UsageError
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.records import Query
from annotator.store.project import Project


@dataclass(frozen=True, slots=True)
class Change:
    """STR word accuracy of a variant, and its paired change over the baseline on the items both answered."""

    value: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: str | None
    n: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class MitigationRow:
    """One variant. `improves_both`: the point estimates of corner and aggregate are both above the baseline's.

    `None` where one of them is undefined (`why`). The baseline's own row has no changes.
    """

    system: str
    condition: str
    is_baseline: bool
    corner: Change
    centre: Change
    aggregate: Change
    improves_both: bool | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class MitigationReport:
    """The baseline first, then the variants; `any_improves_both` sums up. `None` without a variant to judge."""

    baseline: str
    rows: tuple[MitigationRow, ...]
    any_improves_both: bool | None
    basis: Basis
    why: str = ""


def report_mitigation(project: Project, query: Query, baseline: str, variants: Sequence[str] = ()) -> MitigationReport:
    """Change in q5/q5, q3/q3 and aggregate of each variant over the baseline; all other runs when none is named.

    Source: StratiSTR Tables 5 and 10. Raises `UsageError` for unknown runs, and for a baseline among its variants.
    """
    asked = (query, baseline, tuple(variants), edges_mark(query))
    return remembered(
        project, "mitigation", asked, MitigationReport, lambda: _build(project, query, baseline, variants)
    )


def _build(project: Project, query: Query, baseline: str, variants: Sequence[str]) -> MitigationReport:
    staged = load_stage(project, query)
    stage = staged.stage
    base = run_on(project, stage, baseline)
    named = [run_on(project, stage, name) for name in dict.fromkeys(variants)]
    chosen = named or [run for run in runs_on(project, stage) if run.name != base.name]
    if any(run.name == base.name for run in chosen):
        raise UsageError(f"the baseline {base.name} is named among its variants; expected other runs")
    rows = (_row(query, stage, base, base), *(_row(query, stage, base, run) for run in chosen))
    judged = [row.improves_both for row in rows[1:] if row.improves_both is not None]
    why = "" if judged else "no variant has a change in both corner and aggregate"
    return MitigationReport(base.name, rows, any(judged) if judged else None, staged.basis, why)


def _row(query: Query, stage: Stage, base: RunCells, run: RunCells) -> MitigationRow:
    scopes = {"corner": stage.within([CORNER]), "centre": stage.within([CENTRE]), "aggregate": stage.inside}
    changes = {name: _change(query, name, base, run, inside) for name, inside in scopes.items()}
    deltas = changes["corner"].delta, changes["aggregate"].delta
    both = None if deltas[0] is None or deltas[1] is None else deltas[0] > 0 and deltas[1] > 0
    return MitigationRow(
        run.scored.run.system,
        run.scored.run.condition,
        run is base,
        changes["corner"],
        changes["centre"],
        changes["aggregate"],
        both,
        "" if both is not None else changes["corner"].why or changes["aggregate"].why,
    )


def _change(query: Query, name: str, base: RunCells, run: RunCells, inside: Mask) -> Change:
    used = inside & run.used
    value = float(correct(run)[used].mean()) if used.any() else None
    if run is base:
        return Change(value, None, None, None, None, None, int(used.sum()), "the baseline itself")
    paired = pair_on(query, run, base, inside, name)
    return Change(value, paired.delta, paired.low, paired.high, paired.p, paired.verdict, paired.n, paired.why)


def pair_on(query: Query, a: RunCells, b: RunCells, inside: Mask, scope: str) -> Paired:
    """The paired difference a - b in STR word accuracy over the items of `inside` that both answered."""
    both = inside & a.used & b.used
    clusters = None if a.stage.clusters is None else a.stage.clusters[both]
    rng = rng_for(query.seed, "paired", scope, a.name, b.name)
    return pair_values(correct(a)[both], correct(b)[both], rng, query.resamples, clusters)


def correct(run: RunCells) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """1.0 where a run is right by STR word accuracy, else 0.0 (shape (items,))."""
    return np.asarray(run.scored.scores.str_exact, dtype=np.float64)
