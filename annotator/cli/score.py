"""`annotator score`: score files without a project."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit
from annotator.cli.imports import progress_line

FILE = click.Path(path_type=Path)


@click.command("score")
@click.option("--items", type=FILE, required=True, metavar="FILE", help="Items with their gold.")
@click.option("--predictions", type=FILE, required=True, metavar="FILE", help="What systems returned.")
@click.option("--out", type=FILE, required=True, metavar="FILE", help="Where to write: .jsonl or .parquet.")
@click.option("--workers", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processes to score in.")
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True)
@click.option("--scheduler", default="", metavar="ADDR", help="Address of a Dask scheduler, with --engine dask.")
@click.option("--profile", default="raw", show_default=True, help="raw, ws, light, omni2025, full or str.")
@click.option("--unit", default="grapheme", show_default=True, help="grapheme or codepoint.")
@click.option("--own-gold", is_flag=True, help="Score against the gold of the predictions file where it has one.")
@click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Take a column of the predictions.")
@click.option("--system", default="", help="System of a file without a system column (default: its name).")
@click.option("--condition", default="", help="Condition of a file without a condition column.")
@click.option("--wide", is_flag=True, help="One column per system.")
@click.option("--encoding", default=None, help="Encoding of files that are not UTF-8.")
@click.option("--quoted", is_flag=True, help="TSV cells may be quoted, as spreadsheets write them.")
@common_options
def command(
    items: Path,
    predictions: Path,
    out: Path,
    engine: str,
    mapping: Sequence[str],
    project: Path,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Score predictions against golds, from files to a file, without a project.

    Exit status 0 when every row was scored, 1 when rows with unknown ids were left out, 2 when nothing was written.
    A run that was stopped goes on when it is started again.
    """
    gc.disable()  # a short process that makes millions of small rows and no cycles
    from annotator.exports.batch_engines import BatchEngine
    from annotator.exports.batch_score import BatchOptions, BatchReport, score_files
    from annotator.ingest.columns import parse_mapping
    from annotator.ingest.options import ImportOptions

    if not chosen["wide"]:  # a system column of the file stands above this
        chosen["system"] = chosen["system"] or predictions.name.split(".", 1)[0]
    names = ("system", "condition", "wide", "encoding", "quoted")
    reading = ImportOptions(mapping=parse_mapping(mapping), **{name: chosen.pop(name) for name in names})
    options = BatchOptions(reading=reading, engine=BatchEngine(engine), **chosen)
    report: BatchReport = score_files(items, predictions, out, options, progress_line())
    document = report.document()
    emit(document, as_json, lambda: _lines(document))
    if report.extra:
        sys.exit(1)


def _lines(document: dict[str, Any]) -> Iterator[str]:
    yield f"{document['out']}: {document['written']:,} rows of {document['read']:,} read, {document['resumed']:,} resumed"
    counts = ("n", "missing", "absent", "without_gold", "extra", "duplicates")
    yield ", ".join(f"{name} {document[name]:,}" for name in counts)
    rates = ("cer", "wer", "exact", "str_accuracy", "charitable")
    shown = {name: "-" if document[name] is None else f"{document[name]:.4f}" for name in rates}
    yield f"pooled, profile {document['profile']}: " + ", ".join(f"{name} {value}" for name, value in shown.items())
    for problem in document["problems"]:
        yield f"line {problem['line']}, column {problem['column']}: found {problem['found']}; expected {problem['expected']}"
