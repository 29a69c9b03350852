"""`annotator report attributes AXIS [AXIS2]`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

JOINT = ("additive", "excess", "excess_low", "excess_high", "compounds")


@click.command("attributes")
@click.argument("axis")
@click.argument("axis2", default="")
@click.option(
    "--metric",
    default="cer",
    show_default=True,
    help="cer, wer, one_minus_ned, exact, str_accuracy, charitable, semcer or semcer:PROVIDER.",
)
@query_options
@common_options
def command(project: Path, as_json: bool, query: Query, axis: str, axis2: str, metric: str) -> None:
    """A metric for each value of the attribute AXIS, or for each pair of values of AXIS and AXIS2, easiest first."""
    import msgspec

    from annotator.analyses.attributes import report_attributes
    from annotator.store.project import open_project

    report = report_attributes(open_project(project), query, axis, axis2, metric)
    document = msgspec.to_builtins(report)
    for row in document["rows"]:
        for name in ("ratio",) if axis2 else JOINT:  # what one axis, or two, do not have
            del row[name]
    emit(document, as_json, lambda: _lines(document))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    more = JOINT if len(document["axes"]) == 2 else ("ratio",)
    shown = [{**row, **{f"[{axis}]": value for axis, value in row["values"].items()}} for row in document["rows"]]
    axes = tuple(f"[{axis}]" for axis in document["axes"])
    yield table(shown, ("system", "condition", "role", *axes, "n", "value", "low", "high", "sparse", *more))
    yield ""
    yield (
        f"{document['metric']}, profile {document['profile']}, {document['items']} items, {document['without_value']} without "
        f"a value, sparse under n = {document['sparse_below']}, seed {document['seed']}, {document['resamples']} resamples, "
        f"revision {document['project_revision']}"
    )
