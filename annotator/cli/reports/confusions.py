"""`annotator report confusions`."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

COLUMNS = ("op", "gold", "predicted", "script", "count", "items", "share", "examples")


@click.command("confusions")
@click.option("--op", type=click.Choice(["sub", "del", "ins"]), default=None, help="Only this kind of edit.")
@click.option("--script", default="", help="Only edits of letters of this script, for example Bengali.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@query_options
@common_options
def confusions(project: Path, as_json: bool, query: Query, op: str | None, script: str, limit: int) -> None:
    """What became what: substitutions, deletions and insertions with counts and example items."""
    import msgspec

    from annotator.analyses.confusions import report_confusions
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_confusions(open_project(project), query, op or "", script, limit))
    rows = [{**row, "examples": ", ".join(row["examples"])} for row in document["rows"]]
    emit(document, as_json, lambda: [table(rows, COLUMNS)])
