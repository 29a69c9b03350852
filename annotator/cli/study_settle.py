"""`annotator study adjudicate` and `annotator study adopt`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from annotator.cli.frame import common_options, emit, table


@click.command()
@click.argument("name")
@click.option("--task", type=int, help="Task to settle; without it, what is in dispute is listed.")
@click.option("--pick", metavar="RATER", help="Take this rater's version.")
@click.option("--verbatim", help="The text, exactly as it is written.")
@click.option("--standard", help="The standard form, where it differs.")
@click.option("--label", "labels", multiple=True, metavar="NAME=VALUE", help="A label's value (repeatable).")
@common_options
def adjudicate(
    name: str,
    task: int | None,
    pick: str | None,
    verbatim: str | None,
    standard: str | None,
    labels: tuple[str, ...],
    project: Path,
    as_json: bool,
) -> None:
    """Settle a task of a transcription or labels study: pick a version, or write another."""
    from annotator.errors import UsageError
    from annotator.store.project import open_project
    from annotator.studies.adjudicate import adjudicate as settle
    from annotator.studies.adjudicate import cases
    from annotator.studies.written import Written

    store = open_project(project)
    found = cases(store, name)
    if task is None:
        rows = [
            {
                "task": c.task.number,
                "item_id": c.task.item_id,
                "rater": rater,
                "verbatim": w.verbatim,
                "standard": w.standard,
            }
            | {"labels": "; ".join(f"{k}={v}" for k, v in sorted(w.labels.items()))}
            for c in found
            if c.disagreed and c.settled is None
            for rater, w in c.versions
        ]
        emit({"study": name, "disputed": rows}, as_json, lambda: [table(rows, list(rows[0]) if rows else ["task"])])
        return
    case = next((c for c in found if c.task.number == task), None)
    if case is None:
        raise UsageError(f"task {task} has no answers in {name}; expected one of those that have")
    written = dict(case.versions).get(pick or "", case.settled or Written())
    if pick and pick not in dict(case.versions):
        raise UsageError(f"found the rater {pick!r}; expected one of: {', '.join(dict(case.versions))}")
    final = replace(
        written,
        verbatim=written.verbatim if verbatim is None else verbatim,
        standard=written.standard if standard is None else standard,
        labels={**written.labels, **dict(label.partition("=")[::2] for label in labels)},
    )
    settle(store, name, task, final)
    emit({"study": name, "task": task, "rows": 1}, as_json, lambda: [f"task {task} is settled"])


@click.command()
@click.argument("name")
@click.option("--undo", "undone", is_flag=True, help="Put the earlier texts back.")
@common_options
def adopt(name: str, undone: bool, project: Path, as_json: bool) -> None:
    """Write the settled texts of transcription study NAME as gold and standard form of their items."""
    from annotator.ingest.adoption import SettledText, adopt_texts, undo_adoption
    from annotator.store.project import open_project
    from annotator.studies.adjudicate import settled_texts

    store = open_project(project)
    texts = [SettledText(s.item_id, s.written.verbatim, s.written.standard) for s in settled_texts(store, name)]
    done = undo_adoption(store, f"study:{name}") if undone else adopt_texts(store, texts, f"study:{name}")
    document = {"study": name, "rows": done.rows, "realigned": done.realigned, "missing": list(done.missing)}
    document["project_revision"] = done.project_revision
    emit(document, as_json, lambda: [f"{done.rows} items changed, {done.realigned} predictions aligned anew"])
