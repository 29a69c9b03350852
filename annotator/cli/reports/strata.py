"""`annotator report strata`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from annotator.cli.frame import cell_options, common_options, emit, query_options, table
from annotator.records import Cell, Query

if TYPE_CHECKING:
    from annotator.analyses.strata import StrataReport, SystemStrata
    from annotator.analyses.strata.gaps import GapEstimate
    from annotator.metrics.strata.grid import BenchmarkGap, CellCount, Effect

GAP_COLUMNS = ("system", "condition", "n", "aggregate", "corner", "n_corner", "centre", "n_centre", "gap", "gap_low",
               "gap_high", "gap_p", "gap_stratified")  # fmt: skip
EFFECTS = ("marginal_ngram", "marginal_word", "conditional_ngram", "joint")


@click.command("strata")
@click.option(
    "--metric", default="", help="What a cell shows (default str_accuracy); confidence or a numeric column too."
)
@query_options
@cell_options
@common_options
def strata(project: Path, as_json: bool, query: Query, metric: str) -> None:
    """Accuracy by word rarity and n-gram novelty: the grid, the gap and its parts for every system."""
    from annotator.analyses.strata import report_strata
    from annotator.store.project import open_project

    report = report_strata(open_project(project), query, metric)
    document = document_of(report)
    emit(document, as_json, lambda: _lines(document))


def document_of(report: StrataReport) -> dict[str, Any]:
    """The `--json` document."""
    placing = report.placing
    return {
        "reference": placing.reference,
        "axes": placing.axes,
        "letters": placing.letters,
        "language": placing.language,
        "languages_left_out": dict(placing.languages_left_out),
        "metric": report.metric,
        "items": placing.items,
        "kept": placing.kept,
        "dropped": {
            "total": placing.dropped,
            "by_benchmark": dict(placing.dropped_by_benchmark),
            "by_reason": dict(placing.dropped_by_reason),
        },
        "short_labels": placing.short_labels,
        "edges": {name: {"word": list(pair.word), "ngram": list(pair.ngram)} for name, pair in placing.edges.items()},
        "edges_source": placing.edges_source or "data",
        "empty_quintiles": [
            {"benchmark": name, "axis": axis, "quintile": quintile} for name, axis, quintile in placing.empty
        ],
        "systems": [_system(system) for system in report.systems],
        "gold_wrong": report.gold_wrong,
        "without_gold": report.without_gold,
        "notes": list(report.notes),
        "profile": report.profile,
        "seed": report.seed,
        "resamples": report.resamples,
        "project_revision": report.project_revision,
        "alignment_version": report.alignment_version,
    }


def _system(system: SystemStrata) -> dict[str, Any]:
    grid = [[_cell(system.grid.cells[i * 5 + j]) for j in range(5)] for i in range(5)]
    document: dict[str, Any] = {
        "system": system.system,
        "condition": system.condition,
        "n": system.n,
        "missing": system.missing,
        "grid": grid,
        **_gap("gap", system.gap),
        "corner": system.gap.corner,
        "centre": system.gap.centre,
        "n_corner": system.gap.n_corner,
        "n_centre": system.gap.n_centre,
        **_gap("gap_stratified", system.gap_stratified),
        "benchmarks": [_benchmark(part) for part in system.benchmarks],
        "aggregate": system.aggregate.value,
        "aggregate_low": system.aggregate.low,
        "aggregate_high": system.aggregate.high,
        "aggregate_kept": system.aggregate_kept.value,
        "interaction": _interaction(system),
    }
    if system.gap_before is not None:
        document |= _gap("gap_with_wrong_gold", system.gap_before)
    why = _why(system)
    return {**document, "why": why} if why else document


def _cell(count: CellCount) -> dict[str, Any]:
    document: dict[str, Any] = {"n": count.n, "correct": count.correct, "value": count.value}
    return document if count.value is not None else {**document, "why": "nothing measured in this cell"}


def _gap(name: str, gap: GapEstimate) -> dict[str, Any]:
    return {
        name: gap.value,
        f"{name}_low": gap.low,
        f"{name}_high": gap.high,
        f"{name}_p": gap.p,
        f"{name}_verdict": gap.verdict,
    }


def _benchmark(part: BenchmarkGap) -> dict[str, Any]:
    values = {"corner": part.corner, "centre": part.centre}
    document: dict[str, Any] = {"benchmark": part.benchmark}
    for name, count in values.items():
        document |= {name: count.value, f"n_{name}": count.n}
    why = {name: f"nothing measured in the {name}" for name, count in values.items() if count.value is None}
    return {**document, "why": why} if why else document


def _interaction(system: SystemStrata) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name in EFFECTS:
        found = system.effects[name]
        effect: Effect = getattr(system.interaction, name)
        document |= {name: effect.value, f"{name}_low": found.low, f"{name}_high": found.high, f"{name}_p": found.p}
    document["adds_up"] = system.interaction.adds_up
    document["n"] = {cell: system.grid[Cell(*map(int, cell.split("-")))].n for cell in ("1-1", "1-5", "5-1", "5-5")}
    why = {name: getattr(system.interaction, name).why for name in EFFECTS}
    found_why = {name: reason for name, reason in why.items() if reason}
    return {**document, "why": found_why} if found_why else document


def _why(system: SystemStrata) -> dict[str, str]:
    reasons = {"gap": system.gap.why, "gap_stratified": system.gap_stratified.why, "aggregate": system.aggregate.why}
    reasons["aggregate_kept"] = system.aggregate_kept.why
    return {name: why for name, why in reasons.items() if why}


def _lines(document: dict[str, Any]) -> Iterator[str]:
    dropped = document["dropped"]
    reasons = ", ".join(f"{reason} {count}" for reason, count in dropped["by_reason"].items()) or "none"
    yield f"{document['axes']} axes, reference {document['reference']}, language {document['language'] or '(none)'}"
    yield f"kept {document['kept']}, dropped {dropped['total']} ({reasons}), short labels {document['short_labels']}"
    yield ""
    yield table(document["systems"], GAP_COLUMNS)
    for system in document["systems"]:
        yield ""
        yield f"{system['system']}, {system['condition']}: {document['metric']} (n), rare words right, novel n-grams on top"
        yield table(_grid_rows(system["grid"]), ("ngram", "word q1", "word q2", "word q3", "word q4", "word q5"))
        yield "effects: " + ", ".join(_effect(system["interaction"], name) for name in EFFECTS)
    yield ""
    yield from (f"note: {note}" for note in document["notes"])
    yield f"seed {document['seed']}, {document['resamples']} resamples, revision {document['project_revision']}"


def _grid_rows(grid: list[list[dict[str, Any]]]) -> list[dict[str, str]]:
    return [
        {"ngram": f"q{j + 1}", **{f"word q{i + 1}": _shown(grid[i][j]) for i in range(5)}} for j in range(4, -1, -1)
    ]


def _shown(cell: dict[str, Any]) -> str:
    return f"{cell['value']:.3f} ({cell['n']})" if cell["value"] is not None else f"- ({cell['n']})"


def _effect(interaction: dict[str, Any], name: str) -> str:
    value = interaction[name]
    if value is None:
        return f"{name} - ({interaction['why'][name]})"
    return f"{name} {value:+.4f} [{interaction[f'{name}_low']:+.4f}, {interaction[f'{name}_high']:+.4f}]"
