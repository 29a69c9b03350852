"""`annotator export dataset`."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.export_study import out_options
from annotator.cli.frame import common_options, emit, query_options
from annotator.records import Query


@click.command()
@out_options
@click.option("--split", default="50,10,40", show_default=True, help="Shares of train, validation and test.")
@query_options
@common_options
def dataset(
    query: Query, study: str, out: Path | None, format: str, excel: bool, split: str, project: Path, as_json: bool
) -> None:
    """Write a transcription study as a dataset: settled texts, labels, splits, and the draft of a datasheet.

    --seed is the seed of the split. Options on items keep some of them; those on how texts are scored change nothing.
    """
    from annotator.exports.dataset import export_dataset, split_shares
    from annotator.exports.writing import Format
    from annotator.store.project import open_project

    ratios = split_shares(split)
    path = out or Path(f"{study}-dataset.{format}".replace("/", "-"))
    store = open_project(project)
    done = export_dataset(store, study, path, ratios, query.seed, Format(format), excel=excel, query=query)
    document = {"file": str(done.table.path), "rows": done.table.rows, "datasheet": str(done.datasheet)}
    document |= {"splits": dict(done.splits), "left_out": dict(done.left_out), "seed": query.seed}
    emit(document, as_json, lambda: [f"{name}: {value}" for name, value in document.items()])
