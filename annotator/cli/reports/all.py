"""`annotator report all`."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import cell_options, common_options, emit, query_options
from annotator.records import Query


@click.command("all")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The HTML file to write.")
@click.option("--pdf", is_flag=True, help="Also print it as PDF beside the HTML (needs Chromium).")
@click.option("--title", default="", help="Title of the report (default: the project's name).")
@query_options
@cell_options
@common_options
def report_all(project: Path, as_json: bool, query: Query, out: Path, pdf: bool, title: str) -> None:
    """Write one self-contained report: overview, grids, outcomes, classes, severity, examples, agreement."""
    from annotator.exports.report.whole import write_report
    from annotator.store.project import open_project

    made = write_report(open_project(project), query, out, pdf, title)
    document = {
        "html": str(made.html),
        "pdf": None if made.pdf is None else str(made.pdf),
        "chapters": list(made.chapters),
        "project_revision": made.project_revision,
    }
    emit(document, as_json, lambda: [f"wrote {made.html}" + (f" and {made.pdf}" if made.pdf else "")])
