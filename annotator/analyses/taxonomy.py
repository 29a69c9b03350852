"""`report taxonomy`: shares of the fifteen classes per system and condition, and what is read from them (BanglaWild)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from annotator.analyses.conditions import BestCondition, best_conditions
from annotator.analyses.dataset import Dataset, load_dataset
from annotator.analyses.dual import DualRow, dual_rows
from annotator.analyses.errors import CLASSES, RunErrors, load_errors
from annotator.analyses.memo import remembered
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.metrics.taxonomy import (
    AUTO,
    COSMETIC,
    HIGH_RISK,
    ORTHOGRAPHIC,
    TAXONOMY_VERSION,
    VISUAL,
    ClassCounts,
    ErrorClass,
    tables_version,
)
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_statistic
from annotator.stats.intervals import Estimate, wilson_interval
from annotator.stats.resample import Codes, Floats
from annotator.store.project import Project

NO_EVENTS = "no error events"
NO_ORTHOGRAPHIC = "no orthographic events"
NO_ANSWERS = "no answered items with gold"


@dataclass(frozen=True, slots=True)
class TaxonomyRow:
    """One system under one condition. `shares` are fractions of `events`; undefined is `None` and `why` says why.

    n: answered items with gold. exact: share of them equal to gold after the profile, with its Wilson interval.
    The ratio's interval is an item bootstrap; resamples without orthographic events are left out of it.
    """

    system: str
    condition: str
    role: str
    n: int
    missing: int
    events: int
    counts: dict[str, int]
    shares: dict[str, float | None]
    exact: float | None
    exact_low: float | None
    exact_high: float | None
    visual_orthographic_ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    cosmetic_share: float | None
    high_risk_share: float | None
    high_risk: int
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClassChange:
    """How the share of a class changes from one condition of a system to another (`change` = second - first).

    Both shares are over the `n` items that were answered under both conditions.
    """

    system: str
    first: str
    second: str
    n: int
    error_class: str
    first_share: float | None
    second_share: float | None
    change: float | None
    first_events: int
    second_events: int


@dataclass(frozen=True, slots=True)
class TaxonomyReport:
    """The rows per run; dual annotation; the best realistic condition per system; changes between conditions."""

    rows: tuple[TaxonomyRow, ...]
    dual: tuple[DualRow, ...]
    best: tuple[BestCondition, ...]
    changes: tuple[ClassChange, ...]
    script: str
    profile: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    taxonomy_version: str
    items: int
    gold_wrong: int


def report_taxonomy(project: Project, query: Query, script: str = AUTO) -> TaxonomyReport:
    """Count and share the classes of every run of `query`; `script` names a table, or `auto`.

    Classes come from the texts as stored, whatever the profile; `exact` is under the profile. Raises UsageError for
    unknown systems, conditions, profiles and scripts.
    """
    asked = (query, script, TAXONOMY_VERSION, tables_version())
    return remembered(project, "taxonomy", asked, TaxonomyReport, lambda: _build(project, query, script))


def _build(project: Project, query: Query, script: str) -> TaxonomyReport:
    data = load_dataset(project, query)
    clusters = clusters_of(project, data.items, query)
    runs = load_errors(project, data, script)
    rows = tuple(_row(data, errors, clusters) for errors in runs)
    return TaxonomyReport(
        rows=rows,
        dual=dual_rows(project, data),
        best=best_conditions(data),
        changes=class_changes(runs),
        script=script,
        profile=query.profile,
        seed=query.seed,
        resamples=query.resamples,
        project_revision=data.revision,
        alignment_version=data.alignment_version,
        taxonomy_version=f"{TAXONOMY_VERSION}/{tables_version()}",
        items=len(data.items),
        gold_wrong=data.left_out.gold_wrong,
    )


def _row(data: Dataset, errors: RunErrors, clusters: Codes | None) -> TaxonomyRow:
    scored = errors.scored
    counts = ClassCounts(tuple(int(n) for n in errors.counts.sum(axis=0)))
    exact = int((np.asarray(scored.scores.exact) & scored.answered).sum())
    interval = wilson_interval(exact, scored.n)
    ratio = _ratio(data, errors, clusters)
    return TaxonomyRow(
        system=scored.run.system,
        condition=scored.run.condition,
        role=scored.run.role,
        n=scored.n,
        missing=scored.missing,
        events=counts.events,
        counts={name.value: counts.of_class(name) for name in ErrorClass},
        shares={name.value: counts.share(name) for name in ErrorClass},
        exact=exact / scored.n if scored.n else None,
        exact_low=interval.low,
        exact_high=interval.high,
        visual_orthographic_ratio=counts.visual_orthographic_ratio,
        ratio_low=ratio.low,
        ratio_high=ratio.high,
        cosmetic_share=counts.share(*COSMETIC),
        high_risk_share=counts.share(*HIGH_RISK),
        high_risk=counts.of_class(*HIGH_RISK),
        why=_why(scored.n, counts),
    )


def _ratio(data: Dataset, errors: RunErrors, clusters: Codes | None) -> Estimate:
    """The visual : orthographic ratio with its item-bootstrap interval."""
    used = errors.scored.answered
    columns = np.stack(
        [errors.counts[used][:, [CLASSES.index(name) for name in part]].sum(axis=1) for part in (VISUAL, ORTHOGRAPHIC)],
        axis=1,
    ).astype(np.float64)
    rng = rng_for(data.query.seed, "visual-orthographic", errors.scored.run.name)
    return bootstrap_statistic(columns, _over, rng, data.query.resamples, None if clusters is None else clusters[used])


def _over(sums: Floats) -> Floats:
    ratio = np.full(len(sums), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=ratio, where=sums[:, 1] > 0)
    return ratio


def _why(n: int, counts: ClassCounts) -> dict[str, str]:
    why = {} if n else {"exact": NO_ANSWERS}
    if not counts.events:
        why |= dict.fromkeys(("shares", "cosmetic_share", "high_risk_share"), NO_EVENTS)
    if counts.visual_orthographic_ratio is None:
        why["visual_orthographic_ratio"] = NO_ORTHOGRAPHIC
    return why


def class_changes(runs: Sequence[RunErrors]) -> tuple[ClassChange, ...]:
    """For every system, each later condition against its first one, class by class (in order of import)."""
    by_system: dict[str, list[RunErrors]] = {}
    for errors in runs:
        by_system.setdefault(errors.scored.run.system, []).append(errors)
    return tuple(change for first, *rest in by_system.values() for second in rest for change in _changes(first, second))


def _changes(first: RunErrors, second: RunErrors) -> list[ClassChange]:
    both = first.scored.answered & second.scored.answered
    one, other = (ClassCounts(tuple(int(n) for n in errors.counts[both].sum(axis=0))) for errors in (first, second))
    return [
        _change(first, second, int(both.sum()), name, (one, other))
        for name in ErrorClass
        if one.of_class(name) or other.of_class(name)
    ]


def _change(
    first: RunErrors, second: RunErrors, n: int, name: ErrorClass, counts: tuple[ClassCounts, ClassCounts]
) -> ClassChange:
    a, b = (part.share(name) for part in counts)
    return ClassChange(
        system=first.scored.run.system,
        first=first.scored.run.condition,
        second=second.scored.run.condition,
        n=n,
        error_class=name.value,
        first_share=a,
        second_share=b,
        change=None if a is None or b is None else b - a,
        first_events=counts[0].events,
        second_events=counts[1].events,
    )
