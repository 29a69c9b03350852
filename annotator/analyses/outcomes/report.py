"""`report outcomes`: Literal, Canonical and Other per system and condition, in all or by a grouping of the items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from annotator.analyses.memo import remembered
from annotator.analyses.outcomes.data import OutcomeData, OutcomeRun, indicator, load_outcomes, pooled_columns
from annotator.analyses.outcomes.groups import Grouping, Groups, groups_of, macro_groups
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.metrics.outcomes import Outcome, OutcomeCounts
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.stats.intervals import Estimate, wilson_estimate
from annotator.store.project import Project

Mask = npt.NDArray[np.bool_]
Clusters = npt.NDArray[np.int64]

NO_ANSWERS = "no answered items with gold and a standard form"
NO_MACRO = "no attribute to average over (--macro ATTRIBUTE)"


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One system under one condition (in one group). Rates are fractions; `None` is undefined, `why` says why by key.

    `n` counts answered items, `missing` the items without an answer. Intervals are Wilson's at 95 %; with `--cluster`
    they come from resampled clusters. The macro averages weigh every value of the attribute alike.
    """

    system: str
    condition: str
    family: str
    group: str | None
    n: int
    missing: int
    literal: int
    canonical: int
    other: int
    literal_accuracy: float | None
    literal_low: float | None
    literal_high: float | None
    rewriting_rate: float | None
    rewriting_low: float | None
    rewriting_high: float | None
    other_rate: float | None
    macro_rewriting_rate: float | None
    macro_literal_accuracy: float | None
    macro_groups: int
    why: dict[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class PooledRow:
    """All systems of one condition (in one group): `n` answers to `items` items.

    The interval resamples items and keeps all answers of an item together, because systems fail on the same items.
    """

    condition: str
    group: str | None
    systems: int
    items: int
    n: int
    missing: int
    literal: int
    canonical: int
    other: int
    literal_accuracy: float | None
    rewriting_rate: float | None
    rewriting_low: float | None
    rewriting_high: float | None
    other_rate: float | None
    why: dict[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeReport:
    """Rows per system, rows pooled over systems, and what they rest on."""

    rows: tuple[OutcomeRow, ...]
    pooled: tuple[PooledRow, ...]
    grouping: Grouping
    macro: str
    items: int
    without_standard: int
    without_gold: int
    gold_wrong: int
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str


def report_outcomes(project: Project, query: Query, grouping: Grouping | None = None, macro: str = "") -> OutcomeReport:
    """Outcomes of every run of `query`, in all or for each group of `grouping`; `macro` names the attribute to average over.

    Raises `UsageError` for unknown systems, conditions and attributes.
    """
    asked = grouping or Grouping()
    return remembered(
        project, "outcomes", (query, asked, macro), OutcomeReport, lambda: _build(project, query, asked, macro)
    )


def _build(project: Project, query: Query, grouping: Grouping, macro: str) -> OutcomeReport:
    data = load_outcomes(project, query)
    groups = groups_of(project, data.items, grouping)
    averaged = macro_groups(project, data.items, macro)
    clusters = clusters_of(project, data.items, query)
    forced = clusters if query.cluster else None
    rows = [_row(query, one, name, mask, averaged, forced) for one in data.runs for name, mask in groups.items()]
    pooled = [
        _pooled(data, condition, name, mask, clusters) for condition in data.conditions for name, mask in groups.items()
    ]
    return OutcomeReport(
        tuple(rows),
        tuple(pooled),
        grouping,
        macro,
        len(data.items),
        data.without_standard,
        data.without_gold,
        data.gold_wrong,
        query.seed,
        query.resamples,
        data.revision,
        data.alignment_version,
    )


def _row(
    query: Query,
    one: OutcomeRun,
    group: str | None,
    inside: Mask,
    averaged: Groups,
    clusters: Clusters | None,
) -> OutcomeRow:
    counts = one.counts(inside)
    literal, rewriting = (
        _interval(query, one, outcome, inside, clusters) for outcome in (Outcome.LITERAL, Outcome.CANONICAL)
    )
    parts = [one.counts(inside & mask) for mask in averaged.values()]
    return OutcomeRow(
        system=one.run.system,
        condition=one.run.condition,
        family=one.run.family,
        group=group,
        n=counts.n,
        missing=counts.missing,
        literal=counts.literal,
        canonical=counts.canonical,
        other=counts.other,
        literal_accuracy=counts.literal_accuracy,
        literal_low=literal.low,
        literal_high=literal.high,
        rewriting_rate=counts.rewriting_rate,
        rewriting_low=rewriting.low,
        rewriting_high=rewriting.high,
        other_rate=counts.other_rate,
        macro_rewriting_rate=_mean([part.rewriting_rate for part in parts]),
        macro_literal_accuracy=_mean([part.literal_accuracy for part in parts]),
        macro_groups=sum(1 for part in parts if part.n),
        why=_why(counts, averaged),
        note=rewriting.note,
    )


def _interval(query: Query, one: OutcomeRun, outcome: Outcome, inside: Mask, clusters: Clusters | None) -> Estimate:
    used = one.answered & inside
    yes = indicator(one.codes[used], outcome)
    if clusters is None or not len(yes):
        return wilson_estimate(int(yes.sum()), len(yes))
    rng = rng_for(query.seed, "outcomes", one.run.name, outcome.value)
    return bootstrap_rate(yes, np.ones(len(yes)), rng, query.resamples, clusters[used])


def _mean(rates: Sequence[float | None]) -> float | None:
    known = [rate for rate in rates if rate is not None]
    return sum(known) / len(known) if known else None


def _why(counts: OutcomeCounts, averaged: Groups) -> dict[str, str]:
    why: dict[str, str] = {}
    if not counts.n:
        why |= dict.fromkeys(("literal_accuracy", "rewriting_rate", "other_rate"), NO_ANSWERS)
    if not averaged or not counts.n:
        reason = NO_ANSWERS if averaged else NO_MACRO
        why |= dict.fromkeys(("macro_rewriting_rate", "macro_literal_accuracy"), reason)
    return why


def _pooled(data: OutcomeData, condition: str, group: str | None, inside: Mask, clusters: Clusters | None) -> PooledRow:
    runs = data.under(condition)
    total = sum((one.counts(inside) for one in runs), OutcomeCounts())
    columns = pooled_columns(runs)[inside]
    answers = columns.sum(axis=1)
    rng = rng_for(data.query.seed, "outcomes", condition, group or "")
    used = None if clusters is None else clusters[inside]
    rewriting = bootstrap_rate(columns[:, 1], answers, rng, data.query.resamples, used)
    return PooledRow(
        condition=condition,
        group=group,
        systems=len(runs),
        items=int((answers > 0).sum()),
        n=total.n,
        missing=total.missing,
        literal=total.literal,
        canonical=total.canonical,
        other=total.other,
        literal_accuracy=total.literal_accuracy,
        rewriting_rate=rewriting.value,
        rewriting_low=rewriting.low,
        rewriting_high=rewriting.high,
        other_rate=total.other_rate,
        why={} if total.n else dict.fromkeys(("literal_accuracy", "rewriting_rate", "other_rate"), NO_ANSWERS),
        note=rewriting.note,
    )
