"""`annotator variant KIND`: image conditions of a project's items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit
from annotator.records import Query


@click.command()
@click.argument("kind", type=click.Choice(["gray", "mild", "moderate", "strong", "crop", "patch"]))
@click.option("--background", default="", metavar="ITEM", help="The item whose picture a patch is laid on.")
@click.option("--name", default="", help="The condition's name in the project (default: its kind).")
@click.option("--item", "items", multiple=True, metavar="ID", help="Only this item (repeatable).")
@click.option("--benchmark", default="", help="Only items of this benchmark.")
@click.option("--language", default="", help="Only items of this language.")
@common_options
def variant(
    project: Path,
    as_json: bool,
    kind: str,
    background: str,
    name: str,
    items: tuple[str, ...],
    benchmark: str,
    language: str,
) -> None:
    """Make a condition of every item with a target box: PNG files under conditions/NAME/, a manifest, and the proof
    that no pixel changed that must not. Exit status 1 when an item could not be made."""
    import sys

    import msgspec

    from annotator.exports.variants import make_variants
    from annotator.images.conditions import ConditionKind
    from annotator.store.project import open_project

    query = Query(benchmark=benchmark, language=language)
    report = make_variants(
        open_project(project),
        ConditionKind(kind),
        query,
        name,
        background,
        items,
        _progress if sys.stderr.isatty() else None,
    )
    document: dict[str, Any] = msgspec.to_builtins(report)
    document["images"] = document.pop("entries")
    emit(document, as_json, lambda: _lines(document))
    if report.faults:
        sys.exit(1)


def _progress(done: int, total: int) -> None:
    click.echo(f"\r{done:,} of {total:,} pictures", nl=done == total, err=True)


def _lines(document: dict[str, Any]) -> list[str]:
    return [
        f"{document['condition']}: {document['written']:,} pictures written, {document['unchanged']:,} unchanged, "
        f"{document['without_box']:,} items without a box, {document['without_image']:,} without an image",
        f"manifest: {document['manifest']}",
        *(f"problem: {fault['why']}" for fault in document["faults"]),
    ]
