"""`annotator demo`: build the demo project."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import emit


@click.command("demo")
@click.option("--project", "project", metavar="DIR", default="demo", show_default=True, help="Project folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def demo(project: str, as_json: bool) -> None:
    """Build a small project that shows everything: rendered images in six languages, outputs of three recognisers."""
    from annotator.ingest.demo import build_demo

    report = build_demo(Path(project))
    if report.written:
        _make_pictures(Path(project))
    names = ", ".join(report.systems)
    words = [
        f"{report.project}: {report.items} items, {report.predictions} predictions of {names}",
        f"{report.written} rows written" if report.written else "nothing to do, it was there",
        f"look at it: annotator serve --project {report.project}",
    ]
    emit(report.document(), as_json, lambda: words)


def _make_pictures(folder: Path) -> None:
    """The blurred pictures behind the predictions under `moderate` and `strong`."""
    from annotator.exports.variants import make_variants
    from annotator.images.conditions import ConditionKind
    from annotator.records import Query
    from annotator.store.project import open_project

    project = open_project(folder)
    for kind in (ConditionKind.MODERATE, ConditionKind.STRONG):
        make_variants(project, kind, Query())
