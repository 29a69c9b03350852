"""`annotator report rescoring`: candidates chosen again with a language model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import cell_options, common_options, emit, query_options, table
from annotator.cli.readouts import document_of, footer
from annotator.records import Query

COLUMNS = (
    "system", "condition", "scope", "weight", "n", "accuracy", "delta", "low", "high", "p", "verdict", "changed", "fixed",
    "broken", "oracle",
)  # fmt: skip
WARMED = ("system", "condition", "temperature", "n", "accuracy", "mean", "ece", "low", "high")


@click.command("rescoring")
@click.option("--prior", default="ngram", show_default=True, help="ngram (built in), or model:DIR, a causal language model.")  # fmt: skip
@click.option("--weight", "weights", multiple=True, type=click.FloatRange(0), help="Weight (lambda) of the language model (repeatable). Default: 0 to 2 in eight steps.")  # fmt: skip
@click.option("--temperature", "temperatures", multiple=True, type=click.FloatRange(0, min_open=True), help="Temperature of the beam (repeatable). Default: 1, 1.5, 2, 3, 5.")  # fmt: skip
@query_options
@cell_options
@common_options
def rescoring(
    project: Path,
    as_json: bool,
    query: Query,
    prior: str,
    weights: tuple[float, ...],
    temperatures: tuple[float, ...],
) -> None:
    """What choosing among the candidates with a language model would gain and lose, overall, in corner and centre."""
    from annotator.analyses.confidence.rescoring import TEMPERATURES, WEIGHTS, report_rescoring
    from annotator.store.project import open_project

    report = report_rescoring(open_project(project), query, prior, weights or WEIGHTS, temperatures or TEMPERATURES)
    document = document_of(report)
    emit(document, as_json, lambda: _lines(document))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    yield table(document["rows"], COLUMNS)
    yield ""
    yield table(document["temperatures"], WARMED)
    both = {True: "yes", False: "no", None: "not known: no beam in the corner"}[document["improves_both"]]
    yield f"some weight lifts corner and aggregate both: {both}"
    yield from footer(document)
