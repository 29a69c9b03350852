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

    from annotator.analyses.severity import report
    from annotator.store.project import open_project

    opened = open_project(project)
    document = msgspec.to_builtins(report.report_severity(opened, query, provider, impute is not None))
    page = report.check_first(opened, query, provider, limit=limit)
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
