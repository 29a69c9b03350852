"""`annotator export items|predictions|edits|cell|bundle`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.frame import cell_options, common_options, emit, query_options
from annotator.errors import UsageError
from annotator.records import Query

if TYPE_CHECKING:
    from annotator.exports.writing import Table
    from annotator.store.project import Project

Command = Callable[..., None]
_FORMATS = ["csv", "jsonl", "parquet"]


def out_options(*more_formats: str) -> Callable[[Command], Command]:
    """`--out`, `--format`, `--excel`."""

    def add(command: Command) -> Command:
        formats = click.Choice([*_FORMATS, *more_formats])
        command = click.option("--excel", is_flag=True, help="Add a byte-order mark and disarm formula cells.")(command)
        command = click.option("--format", type=formats, default="csv", show_default=True)(command)
        return click.option("--out", type=click.Path(path_type=Path), help="File to write (default: WHAT.FORMAT).")(
            command
        )

    return add


@click.command("items")
@out_options()
@query_options
@common_options
def items(query: Query, out: Path | None, format: str, excel: bool, project: Path, as_json: bool) -> None:
    """Write the items with their gold, standard form and attributes."""
    from annotator.exports.tables import items_table

    write(project, lambda store: items_table(store, query), out, format, excel, as_json)


@click.command("predictions")
@out_options("semcer")
@click.option("--classes", is_flag=True, help="Add a last column with the error classes of every answer.")
@query_options
@common_options
def predictions(
    query: Query, out: Path | None, format: str, excel: bool, classes: bool, project: Path, as_json: bool
) -> None:
    """Write what the systems returned, with everything that came with it."""
    from annotator.exports.tables import predictions_table, semcer_table

    if format == "semcer":
        write(project, lambda store: _semcer(semcer_table(store, query)), out, "jsonl", excel, as_json)
    else:
        write(project, lambda store: predictions_table(store, query, classes), out, format, excel, as_json)


def _semcer(table: Table) -> Table:
    systems = sorted({str(row[table.columns.index("system")]) for row in table.rows})
    if len(systems) > 1:
        click.echo(
            f"note: the semcer package scores one system at a time, and this file holds {len(systems)}: "
            f"give --system to write one of {', '.join(systems)}",
            err=True,
        )
    return table


@click.command("edits")
@out_options()
@click.option(
    "--provider", default="", help="Whose severities (default: the only provider of the project, else rubric)."
)
@query_options
@common_options
def edits(
    query: Query, provider: str, out: Path | None, format: str, excel: bool, project: Path, as_json: bool
) -> None:
    """Write every edit with its severity and error class."""
    from annotator.exports.tables import edits_table

    write(project, lambda store: edits_table(store, query, provider), out, format, excel, as_json)


@click.command("check-first")
@out_options()
@click.option("--provider", default="rubric", show_default=True, help="Whose severities sort the list.")
@click.option("--hide-done", is_flag=True, help="Leave out what is marked done or gold wrong.")
@query_options
@common_options
def check_first(
    query: Query,
    provider: str,
    hide_done: bool,
    out: Path | None,
    format: str,
    excel: bool,
    project: Path,
    as_json: bool,
) -> None:
    """Write the edits to check first, worst on top, with the share of the damage caught down to each."""
    from annotator.exports.checklist import checklist_table

    write(project, lambda store: checklist_table(store, query, provider, hide_done), out, format, excel, as_json)


@click.command("list")
@out_options()
@query_options
@common_options
def list_(query: Query, out: Path | None, format: str, excel: bool, project: Path, as_json: bool) -> None:
    """Write the items with one column per system."""
    from annotator.exports.cells import list_table

    write(project, lambda store: list_table(store, query), out, format, excel, as_json)


@click.command("cell")
@click.argument("cells", nargs=-1, metavar="[I-J]...")
@click.option(
    "--cell", "more", multiple=True, metavar="I-J", help="A cell: word quintile, n-gram quintile (repeatable)."
)
@out_options()
@query_options
@cell_options
@common_options
def cell(
    query: Query,
    cells: Sequence[str],
    more: Sequence[str],
    out: Path | None,
    format: str,
    excel: bool,
    project: Path,
    as_json: bool,
) -> None:
    """Write the items of one or several cells, with one column per system."""
    from annotator.analyses.names import require_cell
    from annotator.exports.cells import cell_table

    chosen = [require_cell(text) for text in (*cells, *more)]
    if not chosen:
        raise UsageError("export cell: no cell given; expected I-J with both in 1-5, for example 5-5")
    write(project, lambda store: cell_table(store, query, chosen), out, format, excel, as_json)


@click.command("bundle")
@out_options()
@query_options
@common_options
def bundle(query: Query, out: Path | None, format: str, excel: bool, project: Path, as_json: bool) -> None:
    """Write items, predictions, edits and study aggregates as one zip with a data dictionary."""
    from annotator.exports.bundle import write_bundle
    from annotator.exports.writing import Format
    from annotator.store.project import open_project

    written = write_bundle(open_project(project), query, out or Path("bundle.zip"), Format(format), excel=excel)
    document = {"file": str(written.path), "rows": written.rows}
    emit(document, as_json, lambda: [f"{written.path}: {written.rows} rows"])


def write(
    folder: Path, make: Callable[[Project], Table], out: Path | None, format: str, excel: bool, as_json: bool
) -> None:
    """Make a table of the project in `folder`, write it, print where it is."""
    from annotator.exports.writing import Format, left_out_words, write_table
    from annotator.store.project import open_project

    store = open_project(folder)
    table = make(store)
    path = out or Path(f"{table.name.replace(' ', '-')}.{format}")
    written = write_table(store, table, path, Format(format), excel=excel)
    document = {"file": str(written.path), "rows": written.rows, "left_out": dict(table.left_out)}
    emit(document, as_json, lambda: [f"{written.path}: {written.rows} rows", *left_out_words(table.left_out)])
