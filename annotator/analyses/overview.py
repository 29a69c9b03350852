"""The overview: every system and condition side by side, gathered from the reports that go into each figure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from annotator.analyses.outcomes.report import OutcomeRow, report_outcomes
from annotator.analyses.scores import ScoreRow, report_scores
from annotator.analyses.severity.providers import DEFAULT_PROVIDER
from annotator.analyses.strata.report import SystemStrata, report_strata
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.text.profiles import Profile


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """One system under one condition. Rates are fractions, `None` where undefined, `why` says why by key.

    n: answered items with gold. missing: items with gold and no prediction. edge_space: of n, those with white space at the
    ends, which counts under profile raw. cer and semcer are under profile raw,
    normalized_cer under full; rewriting_rate is over the answered items with a standard form; gap is corner q5/q5 minus centre q3/q3 in STR word accuracy, over the items of one language.
    """

    system: str
    condition: str
    n: int
    missing: int
    edge_space: int
    exact: float | None
    exact_low: float | None
    exact_high: float | None
    cer: float | None
    cer_low: float | None
    cer_high: float | None
    normalized_cer: float | None
    normalized_cer_low: float | None
    normalized_cer_high: float | None
    semcer: float | None
    semcer_low: float | None
    semcer_high: float | None
    rewriting_rate: float | None
    rewriting_low: float | None
    rewriting_high: float | None
    gap: float | None
    gap_low: float | None
    gap_high: float | None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Overview:
    """The rows and what they rest on. `reference` is "" when there is no grid; `grid_why` then says why."""

    rows: tuple[OverviewRow, ...]
    gold_wrong: int
    without_gold: int
    reference: str
    language: str
    grid_why: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str


def report_overview(project: Project, query: Query, provider: str = DEFAULT_PROVIDER) -> Overview:
    """Gather the figures of every run of `query` (its profile is not used: each figure has its own).

    semCER is with the severities of `provider`; "" leaves it undefined, for a first draw before any edit is charged.
    Raises `UsageError` for unknown systems and conditions. A grid that cannot be made leaves the gaps undefined.
    """
    raw = report_scores(project, replace(query, profile=Profile.RAW.value), provider=provider)
    full = report_scores(project, replace(query, profile=Profile.FULL.value), provider="")
    outcomes = {
        (row.system, row.condition): row
        for row in report_outcomes(project, replace(query, profile=Profile.RAW.value)).rows
    }
    grids, reference, language, grid_why = _grids(project, query)
    rows = tuple(
        _row(
            plain,
            normalized,
            outcomes.get((plain.system, plain.condition)),
            grids.get((plain.system, plain.condition)),
            grid_why,
        )
        for plain, normalized in zip(raw.rows, full.rows, strict=True)
    )
    return Overview(
        rows=rows,
        gold_wrong=raw.gold_wrong,
        without_gold=max((row.without_gold for row in raw.rows), default=0),
        reference=reference,
        language=language,
        grid_why=grid_why,
        seed=raw.seed,
        resamples=raw.resamples,
        project_revision=raw.project_revision,
        alignment_version=raw.alignment_version,
    )


def _grids(project: Project, query: Query) -> tuple[dict[tuple[str, str], SystemStrata], str, str, str]:
    try:
        report = report_strata(project, replace(query, profile=Profile.RAW.value))
    except UsageError as error:
        return {}, "", "", str(error)
    systems = {(row.system, row.condition): row for row in report.systems}
    return systems, report.placing.reference, report.placing.language, ""


def _row(
    raw: ScoreRow, full: ScoreRow, outcome: OutcomeRow | None, grid: SystemStrata | None, grid_why: str
) -> OverviewRow:
    gap = grid.gap if grid is not None else None
    why = dict(raw.why)
    if "cer" in full.why:
        why["normalized_cer"] = full.why["cer"]
    if outcome is None or outcome.rewriting_rate is None:
        why["rewriting_rate"] = (outcome.why.get("rewriting_rate") if outcome else "") or "no item has a standard form"
    if gap is None or gap.value is None:
        why["gap"] = gap.why if gap is not None else grid_why
    return OverviewRow(
        system=raw.system,
        condition=raw.condition,
        n=raw.n,
        missing=raw.missing,
        edge_space=raw.edge_space,
        exact=raw.exact,
        exact_low=raw.exact_low,
        exact_high=raw.exact_high,
        cer=raw.cer,
        cer_low=raw.cer_low,
        cer_high=raw.cer_high,
        normalized_cer=full.cer,
        normalized_cer_low=full.cer_low,
        normalized_cer_high=full.cer_high,
        semcer=raw.semcer,
        semcer_low=raw.semcer_low,
        semcer_high=raw.semcer_high,
        rewriting_rate=outcome.rewriting_rate if outcome else None,
        rewriting_low=outcome.rewriting_low if outcome else None,
        rewriting_high=outcome.rewriting_high if outcome else None,
        gap=gap.value if gap else None,
        gap_low=gap.low if gap else None,
        gap_high=gap.high if gap else None,
        why=why,
    )
