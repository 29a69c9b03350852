"""`annotator condition NAME --role`: say of a condition that it is deployment-realistic or oracle."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options, emit


@click.command("condition")
@click.argument("name")
@click.option("--role", required=True, help="realistic, oracle or none.")
@common_options
def command(project: Path, as_json: bool, name: str, role: str) -> None:
    """Mark the condition NAME: the best condition of a system is chosen among the realistic ones."""
    from annotator.ingest.roles import mark_condition
    from annotator.store.project import open_project

    runs = mark_condition(open_project(project), name, role)
    document = {"condition": name, "role": role, "runs": runs}
    emit(document, as_json, lambda: [f"{name}: {role}, {runs} systems"])
