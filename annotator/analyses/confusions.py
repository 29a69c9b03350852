"""`report confusions`: what became what, how often, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from annotator.analyses.dataset import load_dataset
from annotator.analyses.memo import remembered
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.confusions import ConfusionRow, items_with_edit, read_confusions
from annotator.store.project import Project, read_revision
from annotator.store.reading import read_runs
from annotator.text.align import alignment_version
from annotator.text.scripts import SCRIPTS, dominant_script

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ConfusionLine:
    """One kind of edit: `share` of all edits asked for, `script` of its letters ("" for signs, digits and spaces)."""

    op: str
    gold: str
    predicted: str
    script: str
    count: int
    items: int
    share: float
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfusionReport:
    """The most frequent kinds of edit under profile raw. `edits` and `kinds` count all of them, shown or not."""

    rows: tuple[ConfusionLine, ...]
    edits: int
    kinds: int
    project_revision: int
    alignment_version: str
    profile: str = "raw"


def report_confusions(
    project: Project, query: Query, op: str = "", script: str = "", limit: int = 100
) -> ConfusionReport:
    """Substitutions, deletions and insertions of the runs of `query` together, most frequent first.

    `op` (sub, del, ins) and `script` (as in the rows) narrow the table. Raises `UsageError` for another op, script or profile.
    """
    if op not in ("", "sub", "del", "ins"):
        raise UsageError(f"op: found {op!r}; expected sub, del or ins")
    if script and script.casefold() not in {name.casefold() for name in SCRIPTS}:
        raise UsageError(f"script: found {script!r}; expected a Unicode script, one of {', '.join(SCRIPTS)}")
    if query.profile != "raw" or query.own_gold:
        raise UsageError(
            "confusions are counted from the stored edits: profile raw, the item's gold; leave --profile and --own-gold"
        )
    asked = (query, op, script, limit)
    return remembered(project, "confusions", asked, ConfusionReport, lambda: _build(project, query, op, script, limit))


def _build(project: Project, query: Query, op: str, script: str, limit: int) -> ConfusionReport:
    items = None
    if query.benchmark or query.language:
        items = [int(key) for key in load_dataset(project, query).items.keys]
    with project.read() as connection:
        runs = [run.key for run in read_runs(connection, query.systems, query.conditions)]
        found = [
            (row, dominant_script(row.gold + row.predicted) or "")
            for row in read_confusions(connection, runs, query.keep_wrong_gold, items)
            if not op or row.op == op
        ]
        kept = [(row, name) for row, name in found if not script or name.casefold() == script.casefold()]
        total = sum(row.count for row, _ in kept)
        rows = tuple(
            _line(row, name, total, _examples(connection, runs, row, query.keep_wrong_gold, items))
            for row, name in kept[:limit]
        )
        return ConfusionReport(rows, total, len(kept), read_revision(connection), alignment_version())


def _examples(
    connection: Connection, runs: Sequence[int], row: ConfusionRow, keep_marked: bool, items: Sequence[int] | None
) -> tuple[str, ...]:
    found = items_with_edit(connection, runs, (row.op, row.gold, row.predicted), keep_marked, items)
    return tuple(item_id for _, item_id in found[:EXAMPLES])


def _line(row: ConfusionRow, script: str, total: int, examples: tuple[str, ...]) -> ConfusionLine:
    return ConfusionLine(row.op, row.gold, row.predicted, script, row.count, row.items, row.count / total, examples)
