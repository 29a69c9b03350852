"""`annotator export aggregates` and `annotator export ratings`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.frame import common_options, emit, query_options
from annotator.records import Query

if TYPE_CHECKING:
    from annotator.exports.writing import Table
    from annotator.store.project import Project

Command = Callable[..., None]


def out_options(command: Command) -> Command:
    """`--study`, `--out`, `--format`, `--excel`."""
    for option in reversed(
        (
            click.option("--study", required=True, help="Name of the study."),
            click.option("--out", type=click.Path(path_type=Path), help="File to write (default: STUDY-WHAT.FORMAT)."),
            click.option("--format", type=click.Choice(["csv", "jsonl", "parquet"]), default="csv", show_default=True),
            click.option("--excel", is_flag=True, help="Add a byte-order mark and disarm formula cells."),
        )
    ):
        command = option(command)
    return command


@click.command()
@out_options
@click.option("--with-systems", is_flag=True, help="Add the systems behind each task (owner only).")
@query_options
@common_options
def aggregates(
    query: Query,
    study: str,
    out: Path | None,
    format: str,
    excel: bool,
    with_systems: bool,
    project: Path,
    as_json: bool,
) -> None:
    """Write one row per task of a study: counts, mean, shares. No rater is in it.

    Options on systems and items keep some of the tasks; those on how texts are scored change nothing.
    """
    from annotator.exports.aggregates import aggregates_table
    from annotator.store.project import open_project

    store = open_project(project)
    _write(
        store,
        aggregates_table(store, study, with_systems=with_systems, query=query),
        study,
        out,
        format,
        excel,
        as_json,
    )


@click.command()
@out_options
@query_options
@common_options
def ratings(query: Query, study: str, out: Path | None, format: str, excel: bool, project: Path, as_json: bool) -> None:
    """Write every single answer of a study under pseudonyms (for its owner).

    Options on systems and items keep some of the tasks; those on how texts are scored change nothing.
    """
    from annotator.exports.ratings import ratings_table
    from annotator.store.project import open_project

    store = open_project(project)
    _write(store, ratings_table(store, study, query), study, out, format, excel, as_json)


def _write(store: Project, table: Table, study: str, out: Path | None, format: str, excel: bool, as_json: bool) -> None:
    from annotator.exports.writing import Format, left_out_words, write_table

    path = out or Path(f"{study}-{table.name}.{format}".replace("/", "-"))
    written = write_table(store, table, path, Format(format), excel=excel)
    document = {"file": str(written.path), "rows": written.rows, "left_out": dict(table.left_out)}
    emit(document, as_json, lambda: [f"{written.path}: {written.rows} rows", *left_out_words(table.left_out)])
