"""`annotator align GOLD PREDICTED`: the edits of one pair."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, table
from annotator.errors import UsageError
from annotator.metrics.counts import score_pair
from annotator.metrics.rates import cer
from annotator.text.align import Alignment, align_texts, alignment_version
from annotator.text.graphemes import Unit, has_lone_surrogate
from annotator.text.profiles import PROFILE_VERSION

COLUMNS = ("op", "gold_index", "predicted_index", "gold", "predicted")


@click.command("align", context_settings={"ignore_unknown_options": True})
@click.argument("gold")
@click.argument("predicted")
@click.option("--unit", default="grapheme", show_default=True, help="grapheme or codepoint.")
@click.option("--profile", default="raw", show_default=True, help="raw, ws, light, omni2025, full or str.")
@common_options
def command(gold: str, predicted: str, unit: str, profile: str, project: Path, as_json: bool) -> None:
    """Show the edits that turn GOLD into PREDICTED."""
    for name, text in (("GOLD", gold), ("PREDICTED", predicted)):
        if has_lone_surrogate(text):
            raise UsageError(f"{name}: found bytes that are not UTF-8; expected text. Give the argument in UTF-8.")
    alignment = align_texts(gold, predicted, unit, profile)
    document = _document(alignment, gold, predicted, unit, profile)
    emit(document, as_json, lambda: _lines(document))


def _document(alignment: Alignment, gold: str, predicted: str, unit: str, profile: str) -> dict[str, Any]:
    rate = cer(score_pair(gold, predicted, profile, unit).counts)
    document: dict[str, Any] = {
        "gold_length": alignment.gold_length,
        "predicted_length": alignment.predicted_length,
        "cer": rate.value,
        "edits": [{name: getattr(edit, name) for name in COLUMNS} for edit in alignment.edits],
        "matches": alignment.matches,
        "unit": str(Unit(unit)),
        "profile": profile,
        "profile_version": PROFILE_VERSION,
        "alignment_version": alignment_version(),
    }
    if rate.value is None:
        document["why"] = "gold is empty or blank after the profile"
    return document


def _lines(document: dict[str, Any]) -> Iterator[str]:
    shown = document["why"] if document["cer"] is None else f"{document['cer']:.4f}"
    yield f"gold {document['gold_length']}, predicted {document['predicted_length']}, CER {shown}"
    if document["edits"]:
        yield table(document["edits"], COLUMNS)
    else:
        yield "no edits"
