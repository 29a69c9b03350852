"""The report's chapters, each from one use case."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.analyses.outcomes.report import report_outcomes
from annotator.analyses.overview import Overview
from annotator.analyses.severity.report import SeverityReport
from annotator.analyses.strata.report import StrataReport, SystemStrata
from annotator.analyses.taxonomy import TaxonomyReport, TaxonomyRow
from annotator.exports.report.page import Section, grid_table, paragraph, percent, points, table, text
from annotator.metrics.strata.grid import Grid
from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.agreement import study_agreement
from annotator.studies.progress import list_studies

_ACROSS = 6


def overview_section(overview: Overview) -> Section:
    """Every system with its rates."""
    head = ("System", "n", "Exact %", "CER %", "Normalized CER %", "semCER %", "Rewriting %", "Corner gap, points")
    rows = [
        (
            _run(row.system, row.condition),
            f"{row.n:,}" + (f" <small>({row.missing:,} missing)</small>" if row.missing else ""),
            percent(row.exact, row.exact_low, row.exact_high),
            percent(row.cer, row.cer_low, row.cer_high),
            percent(row.normalized_cer, row.normalized_cer_low, row.normalized_cer_high),
            percent(row.semcer, row.semcer_low, row.semcer_high),
            percent(row.rewriting_rate, row.rewriting_low, row.rewriting_high),
            points(row.gap, row.gap_low, row.gap_high),
        )
        for row in overview.rows
    ]
    left = f"Left out of every rate: {overview.gold_wrong:,} items with gold marked wrong, {overview.without_gold:,} without gold."
    return Section(
        "Systems side by side",
        table(head, rows, "Rates with 95 % intervals") + paragraph(left),
        "CER is edits over gold grapheme clusters (NFC, Unicode Annex 29) of a fixed unit-cost alignment, pooled over items; "
        "normalized CER the same after folding case and dropping white space, punctuation and symbols; semCER charges every "
        "edit its severity from the built-in rubric rules. Intervals are percentile bootstraps over items "
        f"({overview.resamples:,} resamples, seed {overview.seed}; documents together where items share one), those of "
        "proportions Wilson's.",
    )


def strata_section(report: StrataReport) -> Section:
    """The gap table and the grids of all systems on one colour scale."""
    head = (
        "System",
        "Aggregate %",
        "Corner q5/q5 %",
        "n",
        "Centre q3/q3 %",
        "n",
        "Gap, points",
        "Stratified by benchmark",
    )
    rows = [
        (
            _run(s.system, s.condition),
            percent(s.aggregate.value, s.aggregate.low, s.aggregate.high),
            percent(s.gap.corner),
            f"{s.gap.n_corner:,}",
            percent(s.gap.centre),
            f"{s.gap.n_centre:,}",
            points(s.gap.value, s.gap.low, s.gap.high),
            points(s.gap_stratified.value, s.gap_stratified.low, s.gap_stratified.high),
        )
        for s in report.systems
    ]
    placing = report.placing
    dropped = ", ".join(f"{n:,} {reason}" for reason, n in placing.dropped_by_reason.items()) or "none"
    kept = f"{placing.kept:,} of {placing.items:,} labels entered the grid; dropped: {dropped}."
    return Section(
        "Rarity and novelty",
        table(head, rows, "Corner against centre") + _grids(report.systems) + paragraph(kept),
        f"Word rarity and n-gram novelty are ranks against {placing.reference} ({placing.axes} axes), cut into quintiles per "
        "benchmark (StratiSTR). Cells show STR word accuracy: equal after folding case and keeping letters and digits alone. "
        "The gap resamples items within its two cells; the stratified gap weighs benchmarks by n5 n3 / (n5 + n3).",
    )


def _grids(systems: Sequence[SystemStrata]) -> str:
    values = [v for s in systems for v in _values(s.grid)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    grids = "".join(
        grid_table(s.grid, f"{_name(s.system, s.condition)}: STR word accuracy %", low, high) for s in systems
    )
    return f'<div class="grids">{grids}</div>'


def _values(grid: Grid) -> list[float]:
    return [cell.value for cell in grid.cells if cell.value is not None]


def outcomes_section(project: Project, query: Query) -> Section | None:
    """Literal, Canonical, Other; `None` when no item has a standard form."""
    report = report_outcomes(project, query)
    if not report.items:
        return None
    head = ("System", "n", "Literal", "Canonical", "Other", "Literal accuracy %", "Rewriting rate %")
    rows = [
        (
            _run(row.system, row.condition),
            f"{row.n:,}",
            f"{row.literal:,}",
            f"{row.canonical:,}",
            f"{row.other:,}",
            percent(row.literal_accuracy),
            percent(row.rewriting_rate, row.rewriting_low, row.rewriting_high),
        )
        for row in report.rows
    ]
    return Section(
        "Verbatim or rewritten",
        table(head, rows, f"Outcomes over {report.items:,} items whose gold departs from its standard form"),
        "An answer equal to gold after folding case and white space is Literal, one equal to the standard form Canonical "
        "(rewritten), any other is Other (SceneFaith). Wilson 95 % intervals.",
    )


def taxonomy_section(report: TaxonomyReport) -> Section:
    """Events per error class: a row a class, a column a run, tables of a few runs so that a printed page holds them."""
    classes = [
        name for name in (report.rows[0].counts if report.rows else ()) if any(r.counts[name] for r in report.rows)
    ]
    tables = [_classes_table(report.rows[at : at + _ACROSS], classes) for at in range(0, len(report.rows), _ACROSS)]
    return Section(
        "Error classes",
        "".join(tables),
        "Fifteen classes by ordered, deterministic rules over script tables (after BanglaWild); white-space runs are folded "
        f"first. Shares are of a system's events. Version {report.taxonomy_version}. The ratio is undefined without "
        "orthographic events.",
    )


def _classes_table(rows: Sequence[TaxonomyRow], classes: Sequence[str]) -> str:
    lines = [("Events", *(f"{row.events:,}" for row in rows))]
    for name in classes:
        cells = (f"{row.counts[name]:,} <small>{percent(row.shares[name])} %</small>" for row in rows)
        lines.append((text(name.replace("-", " ").capitalize()), *cells))
    ratios = (row.visual_orthographic_ratio for row in rows)
    lines.append(("Visual : orthographic", *("–" if ratio is None else f"{ratio:.2f}" for ratio in ratios)))
    return table(("Class", *(_name(row.system, row.condition) for row in rows)), lines, "Events by class")


def severity_section(report: SeverityReport) -> Section:
    """semCER beside CER."""
    head = ("System", "n", "Coverage %", "semCER %", "CER %", "Normalized CER %", "Edits", "Mean severity")
    rows = [
        (
            _run(row.system, row.condition),
            f"{row.n:,}",
            percent(row.coverage),
            percent(row.semcer, row.semcer_low, row.semcer_high),
            percent(row.cer),
            percent(row.normalized_cer),
            f"{row.edits:,}",
            "–" if row.mean_severity is None else f"{row.mean_severity:.3f}",
        )
        for row in report.rows
    ]
    return Section(
        "Severity",
        table(head, rows, "Severity-weighted CER"),
        f"Severities come from the provider “{report.provider}” ({report.provider_kind}, version {report.provider_version}). "
        "semCER is the sum of the severities of the edits over gold clusters (semCER, equation 2); it never exceeds CER.",
    )


def agreement_section(project: Project, query: Query) -> Section | None:
    """Agreement of every study with answers; `None` without studies."""
    rows = []
    for study, _ in list_studies(project):
        found = study_agreement(project, study.name, seed=query.seed, resamples=min(query.resamples, 2000)).agreement
        between = "" if found.alpha_low is None else f" <small>[{found.alpha_low:.3f}, {found.alpha_high:.3f}]</small>"
        alpha = (
            f"– <small>{text(found.why.get('alpha', ''))}</small>"
            if found.alpha is None
            else f"{found.alpha:.3f}{between}"
        )
        icc = (
            "–"
            if found.icc2k is None
            else f"{found.icc2k:.3f} <small>({found.icc_items} items, {found.icc_raters} raters)</small>"
        )
        rows.append(
            (
                text(study.name),
                text(study.kind),
                f"{found.items:,}",
                f"{found.raters:,}",
                f"{found.ratings:,}",
                alpha,
                icc,
            )
        )
    if not rows:
        return None
    return Section(
        "Agreement of raters",
        table(("Study", "Kind", "Items", "Raters", "Ratings", "Krippendorff's alpha", "ICC(2,k)"), rows, "Studies"),
        "Raters with at least half of the items. Alpha is ordinal for levels and nominal for choices, with an item bootstrap; "
        "ICC(2,k) over the items that all of these raters answered. What is undefined says why.",
    )


def _name(system: str, condition: str) -> str:
    return system if condition == "default" else f"{system}@{condition}"


def _run(system: str, condition: str) -> str:
    return text(_name(system, condition))
