"""What every command shares: common options, the query options, and printing."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from annotator.records import MissingRule, Query
from annotator.text.profiles import require_profile
from annotator.text.visible import escape_controls

Command = Callable[..., None]


def project_path(given: str | None) -> Path:
    """`--project`, else `VERBATIM_PROJECT`, else `./project`."""
    return Path(given or os.environ.get("VERBATIM_PROJECT") or "project")


def common_options(command: Command) -> Command:
    """Add `--project DIR` (passed on as `project: Path`) and `--json` (`as_json: bool`)."""

    @click.option(
        "--project", "project", metavar="DIR", help="Project folder (default: VERBATIM_PROJECT or ./project)."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
    @functools.wraps(command)
    def wrapped(*args: Any, project: str | None, **kwargs: Any) -> None:
        command(*args, project=project_path(project), **kwargs)

    return wrapped


def query_options(command: Command) -> Command:
    """Add the options of every report and export, passed on as one `query: Query`."""
    names = ("profile", "own_gold", "keep_wrong_gold", "benchmark", "language", "seed", "resamples", "cluster")

    @click.option("--system", "systems", multiple=True, help="Only this system (repeatable).")
    @click.option("--condition", "conditions", multiple=True, help="Only this condition (repeatable).")
    @click.option("--benchmark", default="", help="Only items of this benchmark.")
    @click.option("--language", default="", help="Only items of this language.")
    @click.option("--profile", default="raw", show_default=True, help="raw, ws, light, omni2025, full or str.")
    @click.option("--own-gold", is_flag=True, help="Score each prediction against the gold of its own file.")
    @click.option("--missing", type=click.Choice([m.value for m in MissingRule]), default="exclude", show_default=True)
    @click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the bootstrap.")
    @click.option("--resamples", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True)
    @click.option("--cluster", default="", metavar="COLUMN", help="Resample items that share this column together.")
    @click.option("--keep-wrong-gold", is_flag=True, help="Keep items whose gold was marked wrong.")
    @functools.wraps(command)
    def wrapped(*args: Any, systems: Sequence[str], conditions: Sequence[str], missing: str, **kwargs: Any) -> None:
        chosen = {name: kwargs.pop(name) for name in names}
        extra = {name: kwargs.pop(name) or _EMPTY[name] for name in _EMPTY if name in kwargs}
        query = Query(
            systems=tuple(systems), conditions=tuple(conditions), missing=MissingRule(missing), **chosen, **extra
        )
        folder = project_path(kwargs.get("project"))
        click.get_current_context().meta[_QUERY] = query, folder
        check_names(folder, query)
        command(*args, query=query, **kwargs)
        say_what_is_missing(folder)

    return wrapped


def check_names(project: Path, query: Query) -> None:
    """Raise `UsageError` for a profile, or a name of the project, that is not there; nothing is read when none is given."""
    require_profile(query.profile)
    named = (query.systems, query.conditions, query.benchmark, query.language, query.cluster, query.reference)
    if any(named) or query.edges:
        from annotator.analyses.asked import check_query
        from annotator.store.project import open_project

        check_query(open_project(project), query)


def say_what_is_missing(project: Path) -> None:
    """One note on standard error when a project holds nothing to count, so that no empty table stays unexplained."""
    from annotator.analyses.names import what_is_missing
    from annotator.store.project import open_project

    if missing := what_is_missing(open_project(project)):
        click.echo(f"note: {missing}", err=True)


_QUERY = "annotator.query"
_EMPTY: dict[str, Any] = {"reference": "", "axes": "", "letters": "", "edges": "", "force_edges": False}


def cell_options(command: Command) -> Command:
    """Add the options of everything with cells. Put it *below* `query_options`: the values join its `Query`."""

    @click.option("--reference", default="", help="Reference corpus, for example wordfreq-en.")
    @click.option("--axes", type=click.Choice(["word", "character"]), default=None, help="Default: from the text.")
    @click.option("--letters", type=click.Choice(["ascii", "unicode"]), default=None, help="Which labels enter.")
    @click.option("--edges", default="", metavar="FILE", help="Published quintile edges instead of the data's own.")
    @click.option("--force-edges", is_flag=True, help="Use the edges with another reference corpus.")
    @functools.wraps(command)
    def wrapped(*args: Any, query: Query, **kwargs: Any) -> None:
        command(*args, query=query, **kwargs)

    return wrapped


def emit(document: Any, as_json: bool, lines: Callable[[], Iterable[str]]) -> None:
    """Print `document` as JSON, or the readable `lines`. Text from files is made inert for the terminal.

    The document of a command with query options says the alignment, and the profile and seed that were asked for; a report
    that resamples says when it had too few documents to resample those.
    """
    query, folder = _asked()
    note = _few_documents(document, query, folder)
    if as_json:
        if query is not None:
            from annotator.text.align import alignment_version

            asked = {"alignment_version": alignment_version(), "profile": query.profile, "seed": query.seed}
            document = {**asked, **document}
        if note:
            document = {"note": note, **document}
        click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))
        return
    shown = ["\n".join(escape_controls(part) for part in line.split("\n")) for line in lines()]
    if note and not any(note in line for line in shown):
        shown.append(f"\n{note}")
    for line in shown:
        click.echo(line)


def _asked() -> tuple[Query | None, Path]:
    context = click.get_current_context(silent=True)
    query, folder = context.meta.get(_QUERY, (None, Path())) if context else (None, Path())
    return query, folder


def _few_documents(document: Any, query: Query | None, folder: Path) -> str:
    """What a report of items says when it resampled items for want of documents; reports of studies resample tasks."""
    if query is None or "resamples" not in document or "study" in document:
        return ""
    from annotator.analyses.sampling import resampling_note
    from annotator.store.project import open_project

    return resampling_note(open_project(folder), query)


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """A plain text table. Fractions print with four decimals, a smaller p as < 0.0001, `None` as a dash; without rows it says so."""
    from tabulate import tabulate

    body = [[_shown(name, row.get(name)) for name in columns] for row in rows]
    text = str(tabulate(body, headers=list(columns), disable_numparse=True))
    return text if body else f"{text}\n(no rows)"


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        is_p = name == "p" or name.endswith("_p")
        return "< 0.0001" if is_p and value < 0.0001 else f"{value:.4f}"
    return escape_controls(str(value))
