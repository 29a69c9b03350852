"""`annotator report taxonomy`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

RUN = ("system", "condition", "role", "n", "missing", "events")
READ_OUTS = ("exact", "visual_orthographic_ratio", "ratio_low", "ratio_high", "cosmetic_share", "high_risk_share")
DUAL = ("system", "condition", "role", "n", "missing", "verbatim", "standard", "neither", "verbatim_equal",
        "standard_equal")  # fmt: skip
BEST = ("system", "metric", "condition", "value", "n", "oracle_condition", "oracle_value")


@click.command("taxonomy")
@click.option("--script", default="auto", show_default=True, help="auto, bengali, devanagari, latin, arabic, cjk ...")
@query_options
@common_options
def command(project: Path, as_json: bool, query: Query, script: str) -> None:
    """Shares of the fifteen error classes, dual annotation and the best condition, per system."""
    import msgspec

    from annotator.analyses.taxonomy import report_taxonomy
    from annotator.store.project import open_project

    report = report_taxonomy(open_project(project), query, script)
    document = msgspec.to_builtins(report)
    emit(document, as_json, lambda: _lines(document))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    rows = document["rows"]
    yield table(rows, (*RUN, *READ_OUTS))
    names = [f"{row['system']}@{row['condition']}" for row in rows]
    shares = [
        {"class": name, **{run: row["shares"][name] for run, row in zip(names, rows, strict=True)}}
        for name in (rows[0]["shares"] if rows else ())
        if any(row["counts"][name] for row in rows)
    ]
    if shares:
        yield "\nshare of events"
        yield table(shares, ("class", *names))
    for title, part, columns in (
        ("verbatim, standard or neither, of the items with a standard form", document["dual"], DUAL),
        ("best condition that is not oracle", document["best"], BEST),
    ):
        if part:
            yield f"\n{title}"
            yield table(part, columns)
    yield ""
    yield (
        f"script {document['script']}, profile {document['profile']}, {document['items']} items, {document['gold_wrong']} "
        f"left out (gold wrong), taxonomy {document['taxonomy_version']}, revision {document['project_revision']}"
    )
