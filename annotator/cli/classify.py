"""`annotator classify GOLD PREDICTED`: the error events of one pair, without a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, table
from annotator.errors import UsageError
from annotator.text.graphemes import has_lone_surrogate

COLUMNS = ("class", "stage", "gold", "predicted", "rule")
EDIT = ("op", "gold_index", "predicted_index", "gold", "predicted")


@click.command("classify", context_settings={"ignore_unknown_options": True})
@click.argument("gold")
@click.argument("predicted")
@click.option("--script", default="auto", show_default=True, help="auto, bengali, devanagari, latin, arabic, cjk ...")
@common_options
def command(gold: str, predicted: str, script: str, project: Path, as_json: bool) -> None:
    """Name the errors of PREDICTED against GOLD: their class, where they are, and the rule that fired."""
    from annotator.metrics.taxonomy import TAXONOMY_VERSION, classify_errors

    for name, text in (("GOLD", gold), ("PREDICTED", predicted)):
        if has_lone_surrogate(text):
            raise UsageError(f"{name}: found bytes that are not UTF-8; expected text. Give the argument in UTF-8.")
    events = [
        {
            "class": event.error_class.value,
            "stage": event.stage,
            "gold": event.gold,
            "predicted": event.predicted,
            "rule": event.rule,
            "edits": [{name: getattr(edit, name) for name in EDIT} for edit in event.edits],
        }
        for event in classify_errors(gold, predicted, script)
    ]
    document = {"events": events, "script": script, "taxonomy_version": TAXONOMY_VERSION}
    emit(document, as_json, lambda: _lines(events))


def _lines(events: list[dict[str, Any]]) -> Iterator[str]:
    yield table(events, COLUMNS) if events else "no events"
