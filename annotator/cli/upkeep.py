"""`annotator check`, `realign` and `backup`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.frame import common_options, emit

if TYPE_CHECKING:
    from annotator.ingest.upkeep import Health


@click.command("check")
@common_options
def check(project: Path, as_json: bool) -> None:
    """Look for damage, stale alignments and lost images. Exit status 1 when there are any."""
    from annotator.ingest.upkeep import check_project
    from annotator.store.project import open_project

    health = check_project(open_project(project))
    emit(health.document(), as_json, lambda: _lines(health))
    if health.faults:
        sys.exit(1)


def _lines(health: Health) -> Iterator[str]:
    for fault in health.faults:
        yield f"{fault.words}" + (f": {fault.repair}" if fault.repair else "")
    if not health.faults:
        yield "no problems found"
    if health.known_image_problems:
        yield f"note: {health.known_image_problems:,} images could not be shown at import already"


@click.command("realign")
@common_options
def realign(project: Path, as_json: bool) -> None:
    """Align anew what is stale or broken."""
    from annotator.ingest.upkeep import realign_project
    from annotator.store.project import open_project

    done = realign_project(open_project(project))
    document = {"rows": done.realigned + done.images, **asdict(done)}
    emit(document, as_json, lambda: [f"{done.realigned:,} predictions realigned, {done.images:,} images noted anew"])


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@common_options
def backup(file: Path, project: Path, as_json: bool) -> None:
    """Write a consistent copy of the database to FILE, also while the project is in use."""
    from annotator.ingest.upkeep import backup_project
    from annotator.store.project import open_project

    size = backup_project(open_project(project), file)
    emit({"file": str(file), "bytes": size}, as_json, lambda: [f"{file}: {size:,} bytes"])
