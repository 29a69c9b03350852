"""`annotator report compare|ngrams|mitigation|router|control`: two systems and more, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import cell_options, common_options, emit, query_options, table
from annotator.cli.readouts import document_of, footer
from annotator.records import Query

PAIRED = ("n", "a", "b", "delta", "low", "high", "p", "verdict", "mcnemar_p")


@click.command("compare")
@click.argument("a")
@click.argument("b")
@click.option("--cell", default="", metavar="I-J", help="Only this cell (word quintile, n-gram quintile).")
@click.option("--metric", default="", help="Default str_accuracy; outcome for the rewriting rate.")
@query_options
@cell_options
@common_options
def compare(project: Path, as_json: bool, query: Query, a: str, b: str, cell: str, metric: str) -> None:
    """Compare A with B (SYSTEM or SYSTEM@CONDITION) on the items that both answered."""
    import msgspec

    from annotator.analyses.compare import compare_runs
    from annotator.analyses.names import require_cell
    from annotator.store.project import open_project

    report = compare_runs(open_project(project), query, a, b, require_cell(cell) if cell else None, metric)
    document = msgspec.to_builtins(report)
    document |= _with_reason(document.pop("paired"))
    literal = document.pop("literal")
    if literal is not None:
        document["literal"] = _with_reason(literal)
    if document["mcnemar_p"] is None:
        document.setdefault("why", "McNemar's test and transitions are for metrics that are yes or no for each item")
    emit(document, as_json, lambda: _compared(document))


def _with_reason(paired: dict[str, Any]) -> dict[str, Any]:
    """Undefined figures are null; the reason stands beside them only then."""
    return {name: value for name, value in paired.items() if value or name in PAIRED}


def _compared(document: dict[str, Any]) -> Iterator[str]:
    where = f" in cell {document['cell']}" if document["cell"] else ""
    yield f"{document['first']} (a) against {document['second']} (b), {document['metric']}{where}"
    rows = [document] if "literal" not in document else [document, document["literal"]]
    yield table(rows, PAIRED)
    if document["transitions"] is not None:
        yield "transitions (rows a, columns b): " + "; ".join(str(row) for row in document["transitions"])
    if document.get("why"):
        yield f"note: {document['why']}"
    yield f"seed {document['seed']}, {document['resamples']} resamples, revision {document['project_revision']}"


@click.command("ngrams")
@click.argument("a")
@click.argument("b")
@click.option("--cell", required=True, metavar="I-J", help="The cell (word quintile, n-gram quintile).")
@click.option("--min-count", default=5, show_default=True, type=click.IntRange(1), help="Least items of an n-gram.")
@query_options
@cell_options
@common_options
def ngrams(project: Path, as_json: bool, query: Query, a: str, b: str, cell: str, min_count: int) -> None:
    """Failure rate of A and B for each n-gram inside a cell."""
    from annotator.analyses.names import require_cell
    from annotator.analyses.strata.ngrams import report_ngrams
    from annotator.store.project import open_project

    report = report_ngrams(open_project(project), query, a, b, require_cell(cell), min_count)
    document = document_of(report)
    emit(document, as_json, lambda: _rows(document, ("ngram", "n", "a_failure", "b_failure", "reduction")))


@click.command("mitigation")
@click.argument("baseline")
@click.argument("variants", nargs=-1)
@query_options
@cell_options
@common_options
def mitigation(project: Path, as_json: bool, query: Query, baseline: str, variants: Sequence[str]) -> None:
    """Change of VARIANTS (default: all others) over BASELINE in corner, centre and aggregate."""
    from annotator.analyses.strata.mitigation import report_mitigation
    from annotator.store.project import open_project

    document = document_of(report_mitigation(open_project(project), query, baseline, variants))
    shown = [_flat(row) for row in document["rows"]]
    columns = ("system", "condition", "corner", "corner_delta", "corner_p", "corner_verdict", "centre", "centre_delta",
               "aggregate", "aggregate_delta", "improves_both")  # fmt: skip
    emit(document, as_json, lambda: [table(shown, columns), *footer(document)])


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    parts = {f"{scope}_{name}": row[scope][name] for scope in ("corner", "centre", "aggregate") for name in row[scope]}
    values = {scope: row[scope]["value"] for scope in ("corner", "centre", "aggregate")}
    return {**parts, **{name: row[name] for name in ("system", "condition", "improves_both")}, **values}


@click.command("router")
@click.argument("runs", nargs=-1, required=True, metavar="A B [C]")
@query_options
@cell_options
@common_options
def router(project: Path, as_json: bool, query: Query, runs: Sequence[str]) -> None:
    """Oracle and confidence router of two or three systems."""
    from annotator.analyses.strata.router import report_router
    from annotator.store.project import open_project

    document = document_of(report_router(open_project(project), query, runs))
    emit(document, as_json, lambda: _routed(document))


def _routed(document: dict[str, Any]) -> Iterator[str]:
    yield "systems: " + ", ".join(document["systems"])
    yield table(document["rows"], ("scope", "n", "best", "oracle", "routed", "gain", "low", "high", "p", "verdict"))
    yield f"{document['disagreements']} disagreements, trained on {document['trained_on']}, {document['folds']} folds"
    yield table(document["coefficients"], ("system", "feature", "weight"))
    yield from footer(document)


@click.command("control")
@click.argument("a")
@click.argument("b")
@query_options
@cell_options
@common_options
def control(project: Path, as_json: bool, query: Query, a: str, b: str) -> None:
    """One network with its lexicon (A) and without it (B): what the lexicon gains and loses."""
    from annotator.analyses.strata.control import report_control
    from annotator.store.project import open_project

    document = document_of(report_control(open_project(project), query, a, b))
    columns = ("scope", "n", "a", "b", "delta", "low", "high", "p", "verdict", "gained", "lost")
    emit(document, as_json, lambda: _rows(document, columns))


def _rows(document: dict[str, Any], columns: Sequence[str]) -> Iterator[str]:
    yield table(document["rows"], columns)
    yield from footer(document)
