"""`report severity`: semCER beside CER and normalized CER, and the edits to check first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from annotator.analyses.dataset import Dataset, Scored, load_dataset
from annotator.analyses.memo import remembered
from annotator.analyses.sampling import Codes, clusters_of, rng_for
from annotator.analyses.severity.loading import (
    RunCharges,
    belongs_to_raw,
    load_charges,
    provider_state,
    require_provider,
)
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.store.checklist import WorstEdit, damage_before, mark_checked, read_worst, total_damage
from annotator.store.project import Project
from annotator.store.reading import read_runs


@dataclass(frozen=True, slots=True)
class SeverityRow:
    """One system under one condition. n: answered items whose edits are all charged; coverage: their share of the
    answered. CER and normalized CER (profile full) are over the same items as semCER. `imputed` edits were charged 1.
    """

    system: str
    condition: str
    n: int
    coverage: float | None
    imputed: int
    semcer: float | None
    semcer_low: float | None
    semcer_high: float | None
    cer: float | None
    normalized_cer: float | None
    edits: int
    mean_severity: float | None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeverityReport:
    """The rows and what they rest on. semCER is always under profile raw: severities belong to its edits."""

    rows: tuple[SeverityRow, ...]
    provider: str
    provider_kind: str
    provider_version: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    profile: str = "raw"


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A page of edits, worst first. `caught[k]`: the share of all damage in the list up to and with its k-th edit."""

    edits: tuple[WorstEdit, ...]
    caught: tuple[float | None, ...]
    total_edits: int
    total_damage: float


def report_severity(project: Project, query: Query, provider: str, impute: bool = False) -> SeverityReport:
    """semCER per run (semCER, eq. 2): the sum of the severities of the edits / gold clusters; never above CER.

    Raises `UsageError` for an unknown provider, and for a profile other than raw or scoring against own gold.
    """
    if not belongs_to_raw(query):
        raise UsageError(
            "severities belong to the edits under profile raw against the item's gold; leave --profile and --own-gold"
        )
    asked = (query, provider, impute, provider_state(project, query, provider))
    return remembered(project, "severity", asked, SeverityReport, lambda: _build(project, query, provider, impute))


def _build(project: Project, query: Query, provider: str, impute: bool) -> SeverityReport:
    data = load_dataset(project, query)
    full = load_dataset(project, replace(query, profile="full"))
    charges = load_charges(project, data, provider, impute)
    clusters = clusters_of(project, data.items, query)
    row = require_provider(project, provider, [scored.run for scored in data.runs])
    rows = tuple(
        severity_row(data, scored, folded, charged, clusters)
        for scored, folded, charged in zip(data.runs, full.runs, charges, strict=True)
    )
    version = (data.revision, data.alignment_version)
    return SeverityReport(rows, row.name, row.kind, row.version, query.seed, query.resamples, *version)


def severity_row(
    data: Dataset, scored: Scored, folded: Scored, charged: RunCharges, clusters: Codes | None = None
) -> SeverityRow:
    """The row of one run; `folded` is the same run under profile full."""
    used = charged.scored
    n, answered = int(used.sum()), int(scored.answered.sum())
    gold = np.asarray(scored.scores.gold_length)[used].astype(np.float64)
    rng = rng_for(data.query.seed, "semcer", scored.run.name)
    estimate = bootstrap_rate(
        charged.total[used], gold, rng, data.query.resamples, None if clusters is None else clusters[used]
    )
    edits = int(charged.edits[used].sum())
    normal = used & folded.answered
    return SeverityRow(
        system=scored.run.system,
        condition=scored.run.condition,
        n=n,
        coverage=_ratio(n, answered),
        imputed=int(charged.imputed[used].sum()),
        semcer=estimate.value,
        semcer_low=estimate.low,
        semcer_high=estimate.high,
        cer=_ratio(edits, gold.sum()),
        normalized_cer=_ratio(folded.edits[normal].sum(), np.asarray(folded.scores.gold_length)[normal].sum()),
        edits=edits,
        mean_severity=_ratio(charged.total[used].sum(), edits),
        why=_why(n, answered, edits),
    )


def _ratio(part: float, whole: float) -> float | None:
    return float(part) / float(whole) if whole else None


def _why(n: int, answered: int, edits: int) -> dict[str, str]:
    if not answered:
        return dict.fromkeys(
            ("coverage", "semcer", "cer", "normalized_cer", "mean_severity"), "no answered items with gold"
        )
    if not n:
        return dict.fromkeys(
            ("semcer", "cer", "normalized_cer", "mean_severity"), "no answer has all its edits charged"
        )
    return {} if edits else {"mean_severity": "no edits"}


def check_first(
    project: Project, query: Query, provider: str, offset: int = 0, limit: int = 50, hide_done: bool = False
) -> CheckPage:
    """The charged edits of the runs of `query`, worst first. Items whose gold is marked wrong are left out."""
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    row = require_provider(project, provider, runs)
    keys = [run.key for run in runs]
    with project.read() as connection:
        edits = read_worst(connection, row.key, keys or [0], offset, limit, hide_done)
        running = damage_before(connection, row.key, keys or [0], offset, hide_done)
        count, damage = total_damage(connection, row.key, keys or [0])
    caught: list[float | None] = []
    for edit in edits:
        running += edit.severity
        caught.append(running / damage if damage else None)
    return CheckPage(edits, tuple(caught), count, damage)


def mark_edit(project: Project, prediction_key: int, ordinal: int, state: str) -> None:
    """Mark an edit of the working list `done` or `gold-wrong`, or take the mark back with an empty state."""
    if state not in ("", "done", "gold-wrong"):
        raise UsageError(f"state of an edit: found {state!r}; expected done, gold-wrong or nothing")
    with project.write(raises_revision=False) as connection:
        mark_checked(connection, prediction_key, ordinal, state, project.clock())
