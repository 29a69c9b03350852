"""`annotator outcome` and `annotator perturbation`: about texts given on the line, without a project."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options, emit

# A text may begin with a dash.
_TEXTS = {"ignore_unknown_options": True}


@click.command(context_settings=_TEXTS)
@click.argument("gold")
@click.argument("standard")
@click.argument("raw")
@common_options
def outcome(gold: str, standard: str, raw: str, project: Path, as_json: bool) -> None:
    """Say whether the response RAW reads GOLD (literal), rewrites it to STANDARD (canonical) or does neither."""
    from annotator.metrics.outcomes import PARSER_VERSION, classify_outcome, parse_response

    predicted = parse_response(raw)
    found = classify_outcome(gold, standard, predicted)
    document = {"predicted": predicted, "outcome": found and found.value, "parser_version": PARSER_VERSION}
    if found is None:
        document["why"] = "the standard form is empty or equals gold after folding case and white space"
    emit(document, as_json, lambda: [f"{name}: {'-' if value is None else value}" for name, value in document.items()])


@click.command(context_settings=_TEXTS)
@click.argument("standard")
@click.argument("gold")
@common_options
def perturbation(standard: str, gold: str, project: Path, as_json: bool) -> None:
    """Name the kind of change that turned STANDARD into GOLD, and the pair of letters behind it."""
    from annotator.metrics.perturbation import classify_perturbation

    found = classify_perturbation(standard, gold)
    document = {"group": found.group.value, "from": found.from_, "to": found.to}
    emit(document, as_json, lambda: [f"{found.group.value}  {found.pair}".rstrip()])
