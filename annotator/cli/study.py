"""`annotator study`: create, open, close, status, invite, withdraw, restore."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, table

Command = Callable[..., None]


def pool_options(command: Command) -> Command:
    """Options of what a pool is drawn from and how raters work on it."""
    for option in reversed(
        (
            click.option("--name", required=True, help="Name of the study, unique in the project."),
            click.option("--size", type=click.IntRange(0), default=100, show_default=True, help="Tasks; 0 takes all."),
            click.option(
                "--overlap", type=click.IntRange(1), default=3, show_default=True, help="Raters per task (k)."
            ),
            click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draw."),
            click.option("--system", "systems", multiple=True, help="Only outputs of this system (repeatable)."),
            click.option("--condition", "conditions", multiple=True, help="Only this condition (repeatable)."),
            click.option("--benchmark", default="", help="Only items of this benchmark."),
            click.option("--language", default="", help="Only items of this language."),
            click.option(
                "--items", type=click.File(encoding="utf-8"), help="Only these items: a file of ids, one a line."
            ),
            click.option("--cell", "cells", multiple=True, metavar="I-J", help="Only items of this cell (repeatable)."),
            click.option("--reference", default="", help="Reference corpus of the cells."),
            click.option("--axes", type=click.Choice(["word", "character"]), default=None, help="Axes of the cells."),
            click.option("--edges", default="", metavar="FILE", help="Published quintile edges of the cells."),
            click.option("--force-edges", is_flag=True, help="Use the edges with another reference corpus."),
            click.option(
                "--provider",
                default="",
                help="Severities that give the bands (edit-severity: rubric, unless 'none') or the score of --opposite.",
            ),
            click.option("--multi-edit", is_flag=True, help="Mark edits of lines with several edits too."),
            click.option("--opposite", is_flag=True, help="Only pairs that CER and the provider order oppositely."),
            click.option("--repeats", type=click.IntRange(0), default=0, help="Tasks shown to each rater twice."),
            click.option("--attention", type=click.IntRange(0), default=0, help="Attention tasks to make."),
            click.option(
                "--attention-every", type=click.IntRange(0), default=20, help="Every how many answers one comes."
            ),
            click.option("--limit", type=click.IntRange(0), default=0, help="Most answers of one rater; 0: no limit."),
            click.option("--image/--no-image", default=True, help="Show the item's image."),
            click.option("--image-gate", is_flag=True, help="Answer only once the image is loaded."),
            click.option("--tie/--no-tie", default=True, help="Allow a tie (preference)."),
            click.option("--both-bad", is_flag=True, help="Allow 'both bad' (preference)."),
            click.option(
                "--check-questions", type=click.IntRange(0), default=5, help="Questions of the check; 0: none."
            ),
            click.option(
                "--check-pass", type=click.IntRange(0), default=None, help="Right answers needed (default: 4, or all)."
            ),
            click.option(
                "--codebook",
                default="",
                help="Codebook of labels (labels: the only one there is; transcription: none).",
            ),
            click.option("--purpose", default="", help="One sentence that raters read first."),
            click.option("--contact", default="", help="Whom raters can write to."),
        )
    ):
        command = option(command)
    return command


@click.command()
@click.argument("kind")
@pool_options
@click.option("--preview", is_flag=True, help="Draw the pool and print its method note; store nothing.")
@click.option("--open", "opened", is_flag=True, help="Open it at once and print a study link.")
@common_options
def create(kind: str, preview: bool, opened: bool, project: Path, as_json: bool, **options: Any) -> None:
    """Draw a pool and store it as a draft study of KIND."""
    from annotator.cli.study_plan import plan_from
    from annotator.store.project import open_project
    from annotator.studies.create import change_state, create_study, preview_study

    store = open_project(project)
    plan = plan_from(store, kind, options)
    made = preview_study(store, plan) if preview else create_study(store, plan)
    if opened and not preview:
        change_state(store, plan.name, "open")
    links = _links(store, plan.name, 0, False, _BASE)[0] if opened and not preview else []
    document = {"preview": preview, "tasks": made.tasks, "bands": dict(made.pool.drawn), "method": made.method}
    document |= {"left_out": dict(made.pool.left_out), "links": links}
    if not preview:
        document |= _state(store, plan.name)
    emit(document, as_json, lambda: [made.method, *(f"link: {link}" for link in links)])


@click.command("open")
@click.argument("name")
@common_options
def open_(name: str, project: Path, as_json: bool) -> None:
    """Open study NAME (or re-open a closed one): raters can work on it."""
    _change(project, name, "open", as_json)


@click.command()
@click.argument("name")
@common_options
def close(name: str, project: Path, as_json: bool) -> None:
    """Close study NAME: nothing more is stored until it is opened again."""
    _change(project, name, "closed", as_json)


@click.command()
@click.argument("name", required=False)
@common_options
def status(name: str | None, project: Path, as_json: bool) -> None:
    """Say how far study NAME is, with its raters; without NAME list all studies."""
    from annotator.store.project import open_project
    from annotator.studies.progress import list_studies, watch_study

    store = open_project(project)
    if name is None:
        rows = [
            {"name": s.name, "kind": s.kind, "state": s.state, "overlap": s.overlap, **n}
            for s, n in list_studies(store)
        ]
        columns = ("name", "kind", "state", "overlap", "tasks", "done", "partly", "untouched", "held", "above")
        emit({"studies": rows}, as_json, lambda: [table(rows, columns)])
        return
    watch = watch_study(store, name)
    raters = [_rater_row(rater) for rater in watch.raters]
    document = {**_state(store, name), "method": watch.study.method, "raters": raters}
    document["cannot_judge"] = [
        dict(zip(("task", "rater", "reason", "rationale"), row, strict=True)) for row in watch.cannot
    ]
    shown = ("rater", "stage", "answers", "cannot", "median_seconds", "fast", "attention_missed", "flags")
    emit(document, as_json, lambda: [_summary(document), "", table(raters, shown)])


@click.command()
@click.argument("name")
@click.option(
    "--count", type=click.IntRange(0, 1000), default=0, help="Make so many personal links; 0: one study link."
)
@click.option("--one-time", is_flag=True, help="The study link admits one person.")
@click.option("--revoke", is_flag=True, help="First make every earlier study link invalid.")
@click.option("--base", default="http://127.0.0.1:8501", show_default=True, help="Address of the server.")
@common_options
def invite(name: str, count: int, one_time: bool, revoke: bool, base: str, project: Path, as_json: bool) -> None:
    """Make links to study NAME. They are stored hashed: this is the only time they are shown."""
    from annotator.store.project import open_project
    from annotator.studies.links import revoke_study_links

    if not base.startswith(("http://", "https://")):
        raise click.BadParameter(
            f"{base!r} is no address; expected http://HOST:PORT or https://HOST", param_hint="--base"
        )
    store = open_project(project)
    revoked = revoke_study_links(store, name) if revoke else 0
    links, raters = _links(store, name, count, one_time, base.rstrip("/"))
    document = {**_state(store, name), "links": links, "raters": raters, "revoked": revoked}
    emit(
        document, as_json, lambda: [f"{r}\t{link}" for r, link in zip(raters, links, strict=True)] if raters else links
    )


@click.command()
@click.argument("name")
@click.option("--rater", required=True, help="Pseudonym, for example rater-03.")
@common_options
def withdraw(name: str, rater: str, project: Path, as_json: bool) -> None:
    """Leave a rater of study NAME out of every result; the answers are kept."""
    from annotator.store.project import open_project
    from annotator.studies.withdraw import withdraw as act

    rows = act(open_project(project), name, rater)
    emit({"study": name, "rater": rater, "rows": rows}, as_json, lambda: [f"{rater}: {rows} answers left out"])


@click.command()
@click.argument("name")
@click.option("--rater", required=True, help="Pseudonym, for example rater-03.")
@common_options
def restore(name: str, rater: str, project: Path, as_json: bool) -> None:
    """Count a withdrawn rater of study NAME again."""
    from annotator.store.project import open_project
    from annotator.studies.withdraw import restore as act

    rows, above = act(open_project(project), name, rater)
    document = {"study": name, "rater": rater, "rows": rows, "above_overlap": above}
    emit(document, as_json, lambda: [f"{rater}: {rows} answers count again; {above} tasks are above the overlap"])


_BASE = "http://127.0.0.1:8501"


def _change(project: Path, name: str, state: str, as_json: bool) -> None:
    from annotator.store.project import open_project
    from annotator.studies.create import change_state

    store = open_project(project)
    change_state(store, name, state)
    document = _state(store, name)
    emit(document, as_json, lambda: [_summary(document)])


def _links(store: Any, name: str, count: int, one_time: bool, base: str) -> tuple[list[str], list[str]]:
    from annotator.studies.links import invite as act

    made = act(store, name, count=count, one_time=one_time, base=base)
    if not count:
        return [made.study_link], []
    return [link for _rater, link in made.rater_links], [rater for rater, _link in made.rater_links]


def _state(store: Any, name: str) -> dict[str, Any]:
    from annotator.studies.progress import watch_study

    watch = watch_study(store, name)
    study = watch.study
    return {
        "study": study.name,
        "kind": study.kind,
        "state": study.state,
        "overlap": study.overlap,
        "seed": study.seed,
        "tasks": watch.counts["tasks"],
        "counts": dict(watch.counts),
        "settings": dict(study.settings),
        "project_revision": store.revision(),
    }


def _rater_row(rater: Any) -> dict[str, Any]:
    names = ("rater", "kind", "stage", "withdrawn", "answers", "repeats", "cannot", "surplus", "median_seconds")
    row = {name: getattr(rater, name) for name in (*names, "per_hour", "fast", "attention_seen", "attention_missed")}
    return {**row, "distribution": dict(rater.distribution), "flags": list(rater.flags)}


def _summary(document: dict[str, Any]) -> str:
    counts = document["counts"]
    return (
        f"{document['study']} ({document['kind']}, {document['state']}): {counts['done']} of {counts['tasks']} tasks have "
        f"{document['overlap']} answers; {counts['partly']} partly, {counts['untouched']} untouched, {counts['held']} held now"
    )
