"""`annotator report severity` and `annotator severity`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.cli.imports import import_options, show_report
from annotator.records import Query

ROWS = ("system", "condition", "n", "coverage", "imputed", "semcer", "cer", "normalized_cer", "edits", "mean_severity")
EDITS = ("item_id", "system", "condition", "op", "gold_edit", "predicted_edit", "severity", "gold", "predicted")


@click.command("severity")
@click.option("--provider", default="rubric", show_default=True, help="Where the severities come from.")
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="How many edits, worst first.")
@click.option("--impute", type=click.Choice(["1"]), default=None, help="Charge edits without a severity 1.")
@query_options
@common_options
def report_severity(project: Path, as_json: bool, query: Query, provider: str, limit: int, impute: str | None) -> None:
    """semCER beside CER and normalized CER, and the edits to check first."""
    import msgspec

    from annotator.analyses.severity import checking, report
    from annotator.store.project import open_project

    opened = open_project(project)
    document = msgspec.to_builtins(report.report_severity(opened, query, provider, impute is not None))
    page = checking.check_first(opened, query, provider, limit=limit)
    document["edits"] = msgspec.to_builtins(page.edits)
    document["total_edits"], document["total_damage"] = page.total_edits, page.total_damage
    emit(document, as_json, lambda: [table(document["rows"], ROWS), "", table(document["edits"], EDITS)])


@click.command("severities")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--provider", required=True, help="The name under which the severities are kept.")
@import_options
@common_options
def import_severities(file: Path, options: Any, project: Path, as_json: bool, provider: str) -> None:
    """Import severities of edits from FILE: a table, or what the semcer package's score command writes."""
    from annotator.ingest.severities import import_severities as run
    from annotator.store.project import open_project

    show_report("severities", file, as_json, lambda: run(open_project(project), file, provider, options))


@click.command("severity")
@click.option("--provider", default="", help="Charge with this provider (rubric, unit, mode:rubric ...).")
@click.option(
    "--with", "student", type=click.Path(path_type=Path), help="Charge with the student saved in this folder."
)
@click.option("--name", default="student", show_default=True, help="The provider name for --with (or give --provider).")
@query_options
@common_options
def severity(project: Path, as_json: bool, query: Query, provider: str, student: Path | None, name: str) -> None:
    """Charge the edits of a project, and say how many answers are fully charged."""
    from annotator.analyses.severity.distill import charge_with_student
    from annotator.analyses.severity.report import report_severity as report
    from annotator.errors import UsageError
    from annotator.store.project import open_project
    from annotator.store.reading import read_runs

    if not provider and student is None:
        raise UsageError("say what charges: --provider NAME, or --with DIR for a student")
    opened = open_project(project)
    charged: dict[str, int] = {}
    if student is not None:
        with opened.read() as connection:
            runs = read_runs(connection, query.systems, query.conditions)
        provider = provider or name
        charged = charge_with_student(opened, student, provider, runs)
    rows = [
        {
            "system": row.system,
            "condition": row.condition,
            "edits": row.edits,
            "coverage": row.coverage,
            "imputed": row.imputed,
        }
        for row in report(opened, query, provider).rows
    ]
    document = {"provider": provider, "charged": charged, "rows": rows}
    emit(document, as_json, lambda: [table(rows, ("system", "condition", "edits", "coverage", "imputed"))])


@click.command("distill")
@click.option("--provider", required=True, help="The teacher: whose severities are learned.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the student and its card.")
@click.option("--seed", type=int, default=0, show_default=True)
@common_options
def distill(project: Path, as_json: bool, provider: str, out: Path, seed: int) -> None:
    """Train a small model on a provider's severities; prints its card: data, and agreement on held-out texts."""
    import json

    from annotator.analyses.severity.distill import distill as run
    from annotator.store.project import open_project

    card = run(open_project(project), provider, out, seed, say=lambda text: click.echo(text, err=True))
    emit(card, as_json, lambda: [json.dumps(card, ensure_ascii=False, indent=2)])
