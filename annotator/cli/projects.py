"""`annotator project copy|merge|undo|imports` and `annotator system delete`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.frame import common_options, emit, table

if TYPE_CHECKING:
    from annotator.ingest.history import Changed


@click.command("copy")
@click.argument("folder", type=click.Path(path_type=Path))
@common_options
def copy(folder: Path, project: Path, as_json: bool) -> None:
    """Copy the project, with the images that lie in it, to FOLDER; also while it is in use."""
    from annotator.analyses.names import project_names
    from annotator.ingest.upkeep import copy_project
    from annotator.store.project import open_project

    target = copy_project(open_project(project), folder)
    names = project_names(open_project(target))
    document = {"project": str(target), "rows": names.items + names.predictions}
    emit(document, as_json, lambda: [f"{target}: {names.items:,} items, {names.predictions:,} predictions"])


@click.command("merge")
@click.argument("other", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Let changed predictions replace those in the project.")
@click.option("--dry-run", is_flag=True, help="Report, write nothing.")
@common_options
def merge(other: Path, replace: bool, dry_run: bool, project: Path, as_json: bool) -> None:
    """Bring the predictions of the project OTHER into this one, by item id."""
    from annotator.cli.imports import show_report
    from annotator.ingest.merge import merge_predictions
    from annotator.ingest.options import ImportOptions
    from annotator.store.project import open_project

    options = ImportOptions(replace=replace, dry_run=dry_run)
    show_report(
        "merge",
        other,
        as_json,
        lambda: merge_predictions(open_project(project), open_project(other), options),
        changed="rows",
    )


@click.command("undo")
@click.argument("revision", type=int, required=False)
@common_options
def undo(revision: int | None, project: Path, as_json: bool) -> None:
    """Take back the imports of REVISION (default: the last): rows added go, rows replaced return."""
    from annotator.ingest.history import undo_imports
    from annotator.store.project import open_project

    _print(undo_imports(open_project(project), revision), as_json)


@click.command("imports")
@common_options
def imports(project: Path, as_json: bool) -> None:
    """List the imports, newest first."""
    from annotator.ingest.history import list_imports
    from annotator.store.project import open_project

    rows = [
        {
            "revision": row.revision,
            "kind": row.kind,
            "file": row.file,
            "written": row.report.get("written"),
            "at": datetime.fromtimestamp(row.at, UTC).isoformat(timespec="seconds"),
            "undone": row.undone_at is not None,
        }
        for row in list_imports(open_project(project))
    ]
    emit({"rows": rows}, as_json, lambda: [table(rows, ("revision", "kind", "file", "written", "at", "undone"))])


@click.command("delete")
@click.argument("name")
@click.option("--condition", default="", help="Only under this condition.")
@common_options
def delete(name: str, condition: str, project: Path, as_json: bool) -> None:
    """Delete what the system NAME returned. Ratings in studies stay."""
    from annotator.ingest.history import delete_system
    from annotator.store.project import open_project

    _print(delete_system(open_project(project), name, condition), as_json)


def _print(changed: Changed, as_json: bool) -> None:
    document = {"rows": changed.rows, "what": list(changed.what), "project_revision": changed.project_revision}
    emit(document, as_json, lambda: changed.what)
