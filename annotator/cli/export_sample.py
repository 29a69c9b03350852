"""`annotator export sample`: wrong answers for review."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.exports import out_options, write
from annotator.cli.frame import cell_options, common_options, query_options
from annotator.records import Query


@click.command("sample")
@click.option("--cell", default="", metavar="I-J", help="Only this cell (default: the whole grid).")
@click.option("--size", default=50, show_default=True, type=click.IntRange(1), help="How many wrong answers.")
@out_options()
@query_options
@cell_options
@common_options
def sample(
    query: Query, cell: str, size: int, out: Path | None, format: str, excel: bool, project: Path, as_json: bool
) -> None:
    """Write a random sample of wrong answers for review, each with its error mode and the rule that decided it.

    `--seed` draws another one. The last columns, reviewer, reviewed_mode and note, are left empty for the reviewer.
    """
    from annotator.analyses.names import require_cell
    from annotator.exports.samples import sample_table

    where = require_cell(cell) if cell else None
    write(project, lambda store: sample_table(store, query, where, size), out, format, excel, as_json)
