"""`annotator report scores`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

COLUMNS = ("system", "condition", "n", "missing", "without_gold", "cer", "cer_low", "cer_high", "cer_macro", "wer",
           "one_minus_ned", "exact", "str_accuracy", "charitable", "semcer")  # fmt: skip


@click.command("scores")
@click.option("--by", default="", metavar="ATTRIBUTE", help="A row for each value of this attribute.")
@query_options
@common_options
def scores(project: Path, as_json: bool, query: Query, by: str) -> None:
    """Error rates and accuracies per system and condition, with their intervals."""
    import msgspec

    from annotator.analyses.scores import report_scores
    from annotator.store.project import open_project

    report = report_scores(open_project(project), query, by)
    document = msgspec.to_builtins(report)
    if not by:
        for row in document["rows"]:
            del row["group"]
    columns = COLUMNS if not by else (*COLUMNS[:2], "group", *COLUMNS[2:])
    emit(document, as_json, lambda: [table(document["rows"], columns), *_footer(document)])


def _footer(document: dict[str, Any]) -> list[str]:
    edges = [f"{row['edge_space']} of {row['n']} ({_run(row)})" for row in document["rows"] if row["edge_space"]]
    notes = dict.fromkeys(row["note"] for row in document["rows"] if row["note"])
    return [
        *(f"\n{note}" for note in notes),
        *([f"\nwhite space at the ends, which profile raw counts: {', '.join(edges)}"] if edges else []),
        "",
        f"profile {document['profile']}, {document['items']} items, {document['gold_wrong']} left out (gold wrong), "
        f"seed {document['seed']}, {document['resamples']} resamples, revision {document['project_revision']}, "
        f"alignment {document['alignment_version']}",
    ]


def _run(row: dict[str, Any]) -> str:
    name = row["system"] if row["condition"] == "default" else f"{row['system']}@{row['condition']}"
    return f"{name}, {row['group']}" if "group" in row else str(name)
