"""Check first: a system's edits, the ones that cost most on top, worked through one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.providers import explain_line
from annotator.analyses.severity.readable import without_writing
from annotator.errors import UsageError
from annotator.metrics.severity.rubric import Rating
from annotator.records import Query
from annotator.store.checklist import (
    Damage,
    ListScope,
    WorstEdit,
    damage_before,
    mark_checked,
    marked_damage,
    prediction_severities,
    read_worst,
    total_damage,
)
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import Line, find_provider
from annotator.text.align import align_texts

STATES = ("", "done", "gold-wrong")


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A page of edits, worst first.

    `caught[k]` is the share of all damage (sum of severities) that is checked once the page's k-th edit is: edits above
    it, and, where marked edits are hidden, those too. `listed` edits are on the list, `marked` of all are marked.
    """

    edits: tuple[WorstEdit, ...]
    caught: tuple[float | None, ...]
    listed: int
    marked: int
    total_edits: int
    total_damage: float


def list_scope(project: Project, query: Query, provider: str, hide_done: bool = False) -> ListScope:
    """Which edits the list of `query` holds. A built-in provider charges what it has not charged yet."""
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    row = require_provider(project, provider, runs)
    keys = tuple(run.key for run in runs)
    return ListScope(row.key, keys, query.benchmark, query.language, query.keep_wrong_gold, hide_done)


@without_writing
def list_damage(project: Project, query: Query, provider: str) -> Damage:
    """All charged edits of the list and their damage: what a page of it is held against."""
    scope = list_scope(project, query, provider)
    with project.read() as connection:
        return total_damage(connection, scope)


@without_writing
def check_first(
    project: Project,
    query: Query,
    provider: str,
    offset: int = 0,
    limit: int = 50,
    hide_done: bool = False,
    whole: Damage | None = None,
) -> CheckPage:
    """A page of the charged edits of `query`, worst first; edits of items whose gold is marked wrong are left out.

    `whole` is `list_damage` of the same question, when the caller has it already.
    """
    scope = list_scope(project, query, provider, hide_done)
    with project.read() as connection:
        edits = read_worst(connection, scope, offset, limit)
        whole = whole or total_damage(connection, replace(scope, hide_done=False))
        marked = marked_damage(connection, scope)
        running = damage_before(connection, scope, offset) + (marked.severity if hide_done else 0.0)
    caught: list[float | None] = []
    for edit in edits:
        running += edit.severity
        caught.append(min(running / whole.severity, 1.0) if whole.severity else None)
    listed = whole.edits - marked.edits if hide_done else whole.edits
    return CheckPage(edits, tuple(caught), listed, marked.edits, whole.edits, whole.severity)


def mark_edit(project: Project, prediction_key: int, ordinal: int, state: str) -> None:
    """Mark an edit of the working list `done` or `gold-wrong`, or take the mark back with an empty state."""
    if state not in STATES:
        raise UsageError(f"state of an edit: found {state!r}; expected done, gold-wrong or nothing")
    with project.write(raises_revision=False) as connection:
        mark_checked(connection, prediction_key, ordinal, state, project.clock())


def explain_edit(edit: WorstEdit) -> Rating:
    """What the built-in rubric rules say of an edit of the list, whichever provider charged it."""
    alignment = align_texts(edit.gold, edit.predicted)
    texts = (edit.item_id, edit.system, edit.language, edit.gold, edit.predicted)
    line = Line(edit.prediction_key, *texts, alignment.gold_length, alignment)
    return explain_line(line)[edit.ordinal]


def severities_of(
    project: Project, provider: str, answers: Sequence[tuple[int, int]]
) -> dict[int, tuple[float | None, ...]]:
    """The severities of a few answers' edits in their order, by prediction key; `answers` are (key, number of edits).

    A provider that has charged nothing yet gives no severities: nothing is computed here.
    """
    with project.read() as connection:
        row = find_provider(connection, provider)
        found = prediction_severities(connection, row.key, [key for key, _ in answers]) if row else {}
    return {key: tuple(found[key].get(at) for at in range(n)) for key, n in answers if key in found}
