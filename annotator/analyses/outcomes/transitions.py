"""Paired outcomes: two systems, two conditions, a series of conditions, and the crossing of two factors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.memo import remembered
from annotator.analyses.outcomes.data import OUTCOMES, OutcomeData, OutcomeRun, indicator, load_outcomes
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.errors import UsageError
from annotator.metrics.outcomes import Outcome
from annotator.records import Query
from annotator.stats.bootstrap import Difference, Verdict, bootstrap_difference, bootstrap_mean
from annotator.stats.intervals import Estimate
from annotator.stats.paired import holm, mcnemar_of, transition_matrix
from annotator.store.project import Project

Clusters = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

NO_PAIRS = "no item with gold and a standard form was answered by both"


@dataclass(frozen=True, slots=True)
class PairedRate:
    """The rate of one outcome in A and in B on the same items: `delta` = a - b with its paired-item interval.

    `mcnemar_p` is the exact test, `holm_p` the same after Holm's correction over the family of tests of the report
    (`None` where one pair was asked for). Undefined figures are `None`; `why` says why.
    """

    a: float | None
    b: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: Verdict | None
    mcnemar_p: float | None
    holm_p: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeComparison:
    """Two runs on the `n` items that both answered: `transitions` rows A, columns B, in the order L, C, O."""

    a: str
    b: str
    n: int
    transitions: tuple[tuple[int, ...], ...]
    literal: PairedRate
    rewriting: PairedRate
    other: PairedRate
    pair_accuracy: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two factors crossed in one system: interaction = (b2 - b1 under a1) - (b2 - b1 under a2), per outcome.

    `rates` holds L, C, O under (a1 b1, a1 b2, a2 b1, a2 b2), over the items answered under all four.
    """

    system: str
    conditions: tuple[str, ...]
    n: int
    rates: tuple[tuple[float | None, ...], ...]
    literal: Estimate
    canonical: Estimate
    other: Estimate


@dataclass(frozen=True, slots=True)
class ConditionReport:
    """Every system under every condition against the first one, in the user's order; `order` names the conditions.

    Holm's family is all rows of the report, for each outcome apart (`tests`).
    """

    order: tuple[str, ...]
    rows: tuple[OutcomeComparison, ...]
    crossings: tuple[Crossing, ...]
    tests: int
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    why: dict[str, str] = field(default_factory=dict)


def compare_outcomes(
    project: Project, query: Query, a: str, b: str, keys: Iterable[int] | None = None
) -> OutcomeComparison:
    """Outcomes of run `a` against run `b` (`system` or `system@condition`) on the items that both answered.

    `keys` limits the items (a grid cell, a filter). Raises `UsageError` for names that are not there.
    """
    data = load_outcomes(project, query)
    inside = np.ones(len(data.items), dtype=bool)
    if keys is not None:
        inside = np.isin(data.items.keys, np.fromiter(keys, dtype=np.int64))
    clusters = clusters_of(project, data.items, query)
    return compare_runs(data, data.run(a), data.run(b), inside, clusters)


def compare_runs(
    data: OutcomeData, a: OutcomeRun, b: OutcomeRun, inside: Mask | None = None, clusters: Clusters | None = None
) -> OutcomeComparison:
    """The comparison of two runs of loaded outcomes."""
    both = a.answered & b.answered
    both = both if inside is None else both & inside
    one, other = a.codes[both], b.codes[both]
    n = int(both.sum())
    used = None if clusters is None else clusters[both]
    rates = {}
    note = ""
    for outcome in OUTCOMES:
        yes, also = indicator(one, outcome), indicator(other, outcome)
        # The names of `report compare --metric outcome`, so that both give the same interval.
        rng = rng_for(data.query.seed, "compare", outcome.value, a.run.name, b.run.name, "")
        difference = bootstrap_difference(yes, also, rng, data.query.resamples, used)
        note = difference.note
        rates[outcome] = _paired(difference, mcnemar_of(yes, also).p if n else None)
    both_literal = float(((one == 0) & (other == 0)).mean()) if n else None
    matrix = transition_matrix(one.tolist(), other.tolist(), range(len(OUTCOMES)))
    return OutcomeComparison(
        a.run.name,
        b.run.name,
        n,
        matrix,
        rates[Outcome.LITERAL],
        rates[Outcome.CANONICAL],
        rates[Outcome.OTHER],
        both_literal,
        note,
    )


def report_conditions(
    project: Project, query: Query, order: Sequence[str] = (), crossing: Sequence[str] = ()
) -> ConditionReport:
    """Each system's conditions against its first one in `order` (default: order of import, `default` first).

    `crossing` names four conditions, a1 b1, a1 b2, a2 b1, a2 b2, for the interaction of two factors. Raises
    `UsageError` for a condition that is not there and for a crossing that does not name four.
    """
    if crossing and len(set(crossing)) != 4:
        raise UsageError(f"crossing: found {', '.join(crossing)}; expected four different conditions")
    asked = (query, tuple(order), tuple(crossing))
    return remembered(
        project, "conditions", asked, ConditionReport, lambda: _build(project, query, tuple(order), tuple(crossing))
    )


def _build(project: Project, query: Query, order: tuple[str, ...], crossing: tuple[str, ...]) -> ConditionReport:
    data = load_outcomes(project, query)
    _refuse_unknown((*order, *crossing), data.conditions)
    series = order or tuple(sorted(data.conditions, key=lambda name: name != "default"))
    clusters = clusters_of(project, data.items, query)
    rows: list[OutcomeComparison] = []
    crossings: list[Crossing] = []
    for system in dict.fromkeys(one.run.system for one in data.runs):
        runs = {one.run.condition: one for one in data.runs if one.run.system == system}
        held = [runs[name] for name in series if name in runs]
        rows += [compare_runs(data, later, held[0], None, clusters) for later in held[1:]]
        if crossing and all(name in runs for name in crossing):
            crossings.append(_cross(data, [runs[name] for name in crossing], clusters))
    why = {} if rows else {"rows": "no system has answers under two conditions"}
    return ConditionReport(
        series,
        _corrected(rows),
        tuple(crossings),
        len(rows),
        query.seed,
        query.resamples,
        data.revision,
        data.alignment_version,
        why,
    )


def _refuse_unknown(names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"unknown condition: found {name!r}; expected one of: {', '.join(known) or 'none yet'}")


def _corrected(rows: Sequence[OutcomeComparison]) -> tuple[OutcomeComparison, ...]:
    """The rows with Holm's correction over all of them, for each outcome apart."""
    tested = [row for row in rows if row.n]
    corrected = {
        name: iter(holm([getattr(row, name).mcnemar_p for row in tested])) for name in ("literal", "rewriting", "other")
    }

    def with_holm(row: OutcomeComparison) -> OutcomeComparison:
        if not row.n:
            return row
        return replace(row, **{name: replace(getattr(row, name), holm_p=next(ps)) for name, ps in corrected.items()})

    return tuple(with_holm(row) for row in rows)


def _paired(found: Difference, mcnemar_p: float | None) -> PairedRate:
    why = NO_PAIRS if found.difference is None else ""
    return PairedRate(
        found.a, found.b, found.difference, found.low, found.high, found.p, found.verdict, mcnemar_p, None, why
    )


def _cross(data: OutcomeData, runs: Sequence[OutcomeRun], clusters: Clusters | None) -> Crossing:
    used = np.logical_and.reduce([one.answered for one in runs])
    codes = [one.codes[used] for one in runs]
    inside = None if clusters is None else clusters[used]
    effects = []
    for outcome in OUTCOMES:
        a1b1, a1b2, a2b1, a2b2 = (indicator(code, outcome) for code in codes)
        rng = rng_for(data.query.seed, "crossing", *(one.run.name for one in runs), outcome.value)
        effects.append(bootstrap_mean((a1b2 - a1b1) - (a2b2 - a2b1), rng, data.query.resamples, inside))
    n = int(used.sum())
    rates = tuple(tuple(float(indicator(c, o).mean()) if n else None for o in OUTCOMES) for c in codes)
    names = tuple(one.run.condition for one in runs)
    return Crossing(runs[0].run.system, names, n, rates, *effects)
