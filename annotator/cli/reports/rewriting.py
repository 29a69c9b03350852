"""`annotator report lexical | traces`, and `annotator system family`: what goes along with rewriting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query


@click.command("lexical")
@click.option(
    "--prior",
    required=True,
    metavar="NAME",
    help="ngram (built in), model:DIR, a column with D, or the stem of NAME_standard, NAME_gold.",
)
@click.option("--strength", default="", metavar="COLUMN", help="A column with A, the score of the standard form.")
@click.option("--domain", default="", metavar="COLUMN", help="A column for the regressions to control for.")
@click.option("--regress", is_flag=True, help="Fit the logistic regressions too.")
@query_options
@common_options
def lexical(project: Path, as_json: bool, query: Query, prior: str, strength: str, domain: str, regress: bool) -> None:
    """Whether rewriting follows the language prior: rank correlation, quintiles and odds ratios."""
    import msgspec

    from annotator.analyses.outcomes.lexical import report_lexical
    from annotator.store.project import open_project

    report = report_lexical(open_project(project), query, prior, strength, domain, regress)
    document: dict[str, Any] = msgspec.to_builtins(report)
    del document["quintile_keys"]
    emit(document, as_json, lambda: _lexical_lines(document))


def _lexical_lines(document: dict[str, Any]) -> list[str]:
    quintiles = [
        {
            "quintile": at + 1,
            "items": rate["n"],
            "rewriting_rate": rate["value"],
            "low": rate["low"],
            "high": rate["high"],
        }
        for at, rate in enumerate(document["quintile_rates"])
    ]
    summary = {name: document[name] for name in ("prior", "n", "without_score", "spearman", "low", "high")}
    odds = [{"fit": fit["name"], "rows": fit["rows"], **one} for fit in document["regressions"] for one in fit["odds"]]
    failed = [f"{fit['name']}: {fit['why']}" for fit in document["regressions"] if fit["why"]]
    return [
        table([summary], tuple(summary)),
        *document["why"].values(),
        "",
        table(quintiles, ("quintile", "items", "rewriting_rate", "low", "high")),
        *(["", table(odds, ("fit", "rows", "term", "per", "ratio", "low", "high", "p"))] if odds else []),
        *failed,
        "",
        f"seed {document['seed']}, {document['resamples']} resamples, revision {document['project_revision']}",
    ]


@click.command("traces")
@query_options
@common_options
def traces(project: Path, as_json: bool, query: Query) -> None:
    """Whether the reasoning before an answer names gold, the standard form, or both, by outcome."""
    import msgspec

    from annotator.analyses.outcomes.traces import report_traces
    from annotator.store.project import open_project

    document: dict[str, Any] = msgspec.to_builtins(report_traces(open_project(project), query))
    columns = ("system", "condition", "outcome", "n", "without", "both", "gold", "standard", "neither", "both_share",
               "low", "high")  # fmt: skip
    emit(document, as_json, lambda: [table(document["rows"], columns), *document["why"].values()])


@click.command("family")
@click.argument("system")
@click.argument("family")
@common_options
def family(project: Path, as_json: bool, system: str, family: str) -> None:
    """Say that SYSTEM belongs to FAMILY (an empty text takes it out again)."""
    from annotator.analyses.outcomes.families import assign_family
    from annotator.store.project import open_project

    assign_family(open_project(project), system, family)
    document = {"system": system, "family": family.strip()}
    emit(document, as_json, lambda: [f"{system}: family {family.strip() or 'of its own'}"])
