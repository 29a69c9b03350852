"""Two systems, or two conditions of one, on the items that both answered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored, load_dataset
from annotator.analyses.memo import remembered
from annotator.analyses.quantities import YES_NO, Quantity, measure, quantity_state
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.analyses.strata.basis import edges_mark, load_stage
from annotator.errors import UsageError
from annotator.records import Cell, Query
from annotator.stats.bootstrap import Difference, bootstrap_difference, bootstrap_rate_difference
from annotator.stats.paired import exact_mcnemar
from annotator.store.project import Project

Mask = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]
OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Paired:
    """A paired figure over `n` items: `a`, `b` and `delta` = a - b with its 95 % interval, p, verdict and McNemar's p.

    `delta` is a fraction and is never turned round for metrics where less is better. Undefined figures are `None`, and
    `why` says why.
    """

    n: int
    a: float | None
    b: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: str | None
    mcnemar_p: float | None
    why: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs `first` and `second` under a metric, in a cell or (`cell` "") over all items.

    `transitions` counts items: for yes/no metrics [[both, only A], [only B, neither]], for outcomes 3 x 3 in the order
    Literal, Canonical, Other, rows A; `None` for others. `literal` holds literal accuracy beside the rewriting rate.
    `only_first` and `only_second` count items that one of the two alone answered.
    """

    first: str
    second: str
    metric: str
    cell: str
    paired: Paired
    transitions: tuple[tuple[int, ...], ...] | None
    only_first: int
    only_second: int
    literal: Paired | None
    profile: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    reference: str = ""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Scope:
    data: Dataset
    inside: Mask
    clusters: Codes | None
    reference: str


def compare_runs(
    project: Project, query: Query, first: str, second: str, cell: Cell | None = None, metric: str = ""
) -> Comparison:
    """Compare two runs (`system` or `system@condition`) by paired bootstrap and exact McNemar.

    Default metric: STR word accuracy. `outcome` compares the rewriting rate, with literal accuracy beside it. Raises
    `UsageError` for names that are not known. Source: StratiSTR appendix F, Table 10.
    """
    state = quantity_state(project, query, metric)
    asked = (query, first, second, str(cell or ""), metric, edges_mark(query), state)
    return remembered(
        project, "compare", asked, Comparison, lambda: _build(project, query, first, second, cell, metric)
    )


def _build(project: Project, query: Query, first: str, second: str, cell: Cell | None, metric: str) -> Comparison:
    everyone = replace(query, systems=(), conditions=())
    scope = _scope(project, everyone, cell)
    if metric == OUTCOME:
        from annotator.analyses.outcomes.paired import compare_rewriting

        keys = scope.data.items.keys[scope.inside]
        return compare_rewriting(project, everyone, first, second, str(cell or ""), keys, scope.reference)
    a, b = scope.data.run(first), scope.data.run(second)
    one, other = (measure(project, scope.data, run, metric) for run in (a, b))
    both = scope.inside & one.measured & other.measured
    rng = rng_for(query.seed, "compare", a.run.name, b.run.name, str(cell or ""))
    clusters = None if scope.clusters is None else scope.clusters[both]
    paired, transitions = _pair(one, other, both, rng, query.resamples, clusters)
    return Comparison(
        first=a.run.name,
        second=b.run.name,
        metric=one.name,
        cell=str(cell or ""),
        paired=paired,
        transitions=transitions,
        only_first=_alone(scope.inside, a, b),
        only_second=_alone(scope.inside, b, a),
        literal=None,
        profile=query.profile,
        seed=query.seed,
        resamples=query.resamples,
        project_revision=scope.data.revision,
        alignment_version=scope.data.alignment_version,
        reference=scope.reference,
    )


def transition_items(
    project: Project,
    query: Query,
    first: str,
    second: str,
    row: int,
    column: int,
    cell: Cell | None = None,
    metric: str = "",
) -> tuple[str, ...]:
    """The ids of the items behind `transitions[row][column]` of `compare_runs` with the same arguments.

    Raises `UsageError` for a metric that has no transitions.
    """
    everyone = replace(query, systems=(), conditions=())
    scope = _scope(project, everyone, cell)
    ids = scope.data.items.ids
    if metric == OUTCOME:
        from annotator.analyses.outcomes.paired import outcome_items

        return outcome_items(project, everyone, first, second, row, column, scope.data.items.keys[scope.inside])
    one, other = (measure(project, scope.data, scope.data.run(name), metric) for name in (first, second))
    if one.name not in YES_NO:
        raise UsageError(
            f"metric {one.name}: found no transitions; expected one of {', '.join(sorted(YES_NO))}, {OUTCOME}"
        )
    both = scope.inside & one.measured & other.measured
    found = both & ((one.total == 1) == (row == 0)) & ((other.total == 1) == (column == 0))
    return tuple(ids[at] for at in np.flatnonzero(found).tolist())


def _scope(project: Project, query: Query, cell: Cell | None) -> _Scope:
    if cell is None:
        data = load_dataset(project, query)
        return _Scope(data, np.ones(len(data.items), dtype=bool), clusters_of(project, data.items, query), "")
    staged = load_stage(project, query)
    stage = staged.stage
    return _Scope(stage.data, stage.within([cell]), stage.clusters, staged.summary.reference)


def _alone(inside: Mask, one: Scored, other: Scored) -> int:
    return int((inside & one.answered & ~other.answered).sum())


def pair_values(
    a: npt.NDArray[np.float64],
    b: npt.NDArray[np.float64],
    rng: np.random.Generator,
    resamples: int,
    clusters: Codes | None = None,
) -> Paired:
    """The paired figure of two yes/no answers per item (0.0 or 1.0), with exact McNemar."""
    found = bootstrap_difference(a, b, rng, resamples, clusters)
    test = exact_mcnemar(int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())) if len(a) else None
    return _paired(found, None if test is None else test.p)


def _pair(
    one: Quantity, other: Quantity, both: Mask, rng: np.random.Generator, resamples: int, clusters: Codes | None
) -> tuple[Paired, tuple[tuple[int, ...], ...] | None]:
    a, b = one.total[both], other.total[both]
    if one.name in YES_NO:
        return pair_values(a, b, rng, resamples, clusters), transitions_of(a, b)
    weights = one.weight[both], other.weight[both]
    if all((weight == 1).all() for weight in weights):
        return _paired(bootstrap_difference(a, b, rng, resamples, clusters), None), None
    found = bootstrap_rate_difference((a, weights[0]), (b, weights[1]), rng, resamples, clusters)
    return _paired(found, None), None


def transitions_of(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> tuple[tuple[int, int], tuple[int, int]]:
    """[[both, only A], [only B, neither]] of two yes/no answers per item."""
    yes, too = a == 1, b == 1
    counts = [(yes & too).sum(), (yes & ~too).sum(), (~yes & too).sum(), (~yes & ~too).sum()]
    both, only_a, only_b, neither = (int(count) for count in counts)
    return (both, only_a), (only_b, neither)


def _paired(found: Difference, mcnemar_p: float | None) -> Paired:
    return Paired(
        n=found.n,
        a=found.a,
        b=found.b,
        delta=found.difference,
        low=found.low,
        high=found.high,
        p=found.p,
        verdict=found.verdict.value if found.verdict else None,
        mcnemar_p=mcnemar_p,
        why="no item is answered by both" if not found.n else found.why,
        note=found.note,
    )
