"""`annotator import reference`."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options
from annotator.cli.imports import show_report


@click.command("reference")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="The name by which --reference finds it.")
@click.option(
    "--kind",
    type=click.Choice(["counts", "text", "words"]),
    default=None,
    help="Word and count by tab, running text, or a word a line in order of rank. Default: from the file.",
)
@click.option("--encoding", default=None, help="Encoding of a file that is not UTF-8.")
@click.option("--replace", is_flag=True, help="Take the place of another corpus of this name.")
@click.option("--dry-run", is_flag=True, help="Check and report, write nothing.")
@common_options
def reference(
    file: Path,
    name: str,
    kind: str | None,
    encoding: str | None,
    replace: bool,
    dry_run: bool,
    project: Path,
    as_json: bool,
) -> None:
    """Bring a reference corpus into the project: FILE holds words with counts, a text, or a word list."""
    from annotator.ingest.reference import prepare_corpus, write_corpus
    from annotator.ingest.report import ImportReport
    from annotator.store.project import open_project

    def work() -> ImportReport:
        read = prepare_corpus(file, name, kind or "", encoding)
        return write_corpus(open_project(project, create=True), read, replace, dry_run)

    show_report("reference", file, as_json, work)
