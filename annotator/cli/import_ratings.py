"""`annotator import ratings`."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options, emit


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--study", default="", help="Study to write into (default: the file's name); made when there is none.")
@click.option("--kind", default="", help="What the ratings are, for a new study: edit-severity, text-score ...")
@click.option("--question", default="", help="Which question of a Label Studio or Potato file.")
@click.option("--map", "pairs", multiple=True, metavar="FIELD=COLUMN", help="For item, rater or value (repeatable).")
@click.option("--encoding", default=None, help="Of the file, when it is not UTF-8.")
@click.option("--quoted", is_flag=True, help="TSV cells are quoted as a spreadsheet does.")
@click.option("--dry-run", is_flag=True, help="Check and report, write nothing.")
@common_options
def ratings(
    file: Path,
    study: str,
    kind: str,
    question: str,
    pairs: tuple[str, ...],
    encoding: str | None,
    quoted: bool,
    dry_run: bool,
    project: Path,
    as_json: bool,
) -> None:
    """Bring ratings made elsewhere into a study: a table of item, rater and value, Label Studio JSON, or Potato.

    Items are found by their id, or by the task numbers of `export ratings`.
    """
    from annotator.ingest.columns import parse_mapping
    from annotator.ingest.ratingfile import read_given_ratings
    from annotator.store.project import open_project
    from annotator.studies.importing import guess_kind, import_ratings
    from annotator.studies.kinds import study_kind

    store = open_project(project)
    rows = read_given_ratings(file, question, parse_mapping(pairs), encoding, quoted)
    guess = None if kind else guess_kind(rows)
    done = import_ratings(store, rows, study or file.stem, study_kind(kind) if kind else guess, dry_run=dry_run)
    document = done.document() | {"notes": [], "dry_run": dry_run, "project_revision": store.revision()}
    if guess and done.made:
        document["notes"] = [f"taken for {guess} by their values; --kind says otherwise"]
    emit(document, as_json, lambda: [f"{name}: {value}" for name, value in document.items() if name != "problems"])
