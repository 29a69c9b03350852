"""`report severity`: semCER beside CER and normalized CER."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

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
from annotator.analyses.severity.readable import without_writing
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.stats.intervals import Estimate
from annotator.store.project import Project

Numbers = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


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
    cer_low: float | None
    cer_high: float | None
    normalized_cer: float | None
    normalized_cer_low: float | None
    normalized_cer_high: float | None
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


@without_writing
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
    used, normal = charged.scored, charged.scored & folded.answered
    answered, edits = int(scored.answered.sum()), int(charged.edits[used].sum())

    def rate(name: str, top: Numbers, below: Numbers, mask: Mask) -> Estimate:
        rng = rng_for(data.query.seed, name, scored.run.name)
        codes = None if clusters is None else clusters[mask]
        return bootstrap_rate(top[mask].astype(float), below[mask].astype(float), rng, data.query.resamples, codes)

    gold, full_gold = np.asarray(scored.scores.gold_length), np.asarray(folded.scores.gold_length)
    semcer = rate("semcer", charged.total, gold, used)
    cer = rate("cer", charged.edits, gold, used)
    normalized = rate("cer", folded.edits, full_gold, normal)
    return SeverityRow(
        system=scored.run.system,
        condition=scored.run.condition,
        n=int(used.sum()),
        coverage=_ratio(int(used.sum()), answered),
        imputed=int(charged.imputed[used].sum()),
        semcer=semcer.value,
        semcer_low=semcer.low,
        semcer_high=semcer.high,
        cer=cer.value,
        cer_low=cer.low,
        cer_high=cer.high,
        normalized_cer=normalized.value,
        normalized_cer_low=normalized.low,
        normalized_cer_high=normalized.high,
        edits=edits,
        mean_severity=_ratio(charged.total[used].sum(), edits),
        why=_why(int(used.sum()), answered, edits),
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
