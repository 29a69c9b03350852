"""`annotator report judge COLUMN_OR_STUDY`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

SCORES = ("system", "condition", "own_family", "n", "judge", "judge_low", "judge_high", "cer")
RATERS = ("system", "condition", "raters_n", "exact", "within_one", "spearman", "spearman_low", "spearman_high")
OTHER = ("system", "condition", "other_n", "judge", "other_judge", "difference", "difference_low", "difference_high",
         "verdict")  # fmt: skip
DISAGREE = ("id", "system", "condition", "gold", "predicted", "judge", "cer", "gap")


@click.command("judge")
@click.argument("judge")
@click.option("--raters", default="", metavar="STUDY_OR_COLUMN", help="Whose majority the judge is held against.")
@click.option("--other", default="", metavar="COLUMN_OR_STUDY", help="A second judge of the same answers.")
@click.option("--family", default="", help="The judge's own family: its systems are flagged.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(0, 1000), help="Disagreements to list.")
@query_options
@common_options
def command(project: Path, as_json: bool, query: Query, judge: str, **options: Any) -> None:
    """A judge's scores (1 to 5) beside CER, against the raters' majority and against a second judge."""
    import msgspec

    from annotator.analyses.judge import report_judge
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_judge(open_project(project), query, judge, **options))
    emit(document, as_json, lambda: _lines(document))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    rows = [*document["rows"], document["pooled"] | {"system": "all", "condition": ""}]
    yield table(rows, SCORES)
    if document["raters"]:
        yield f"\nagainst the majority of {document['raters']} ({document['without_majority']} rated answers without one)"
        yield table(rows, RATERS)
    if document["other"]:
        yield f"\nagainst {document['other']}"
        yield table(rows, OTHER)
    if document["disagree"]:
        yield "\nwhere judge and CER disagree most"
        yield table(document["disagree"], DISAGREE)
