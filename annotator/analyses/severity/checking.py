"""Check first: a system's edits, the ones that cost most on top, worked through one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import load_items
from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.providers import explain_line
from annotator.analyses.severity.readable import without_writing
from annotator.errors import UsageError
from annotator.metrics.severity.rubric import Rating
from annotator.records import Query
from annotator.store.checklist import (
    EditTable,
    WorstEdit,
    iter_edits,
    mark_checked,
    prediction_severities,
    read_edits,
    read_marked_items,
    read_marks,
    read_order,
)
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import Line, find_provider
from annotator.text.align import align_texts

STATES = ("", "done", "gold-wrong")
_ORDINALS = 2**24
"""More than the edits of any text."""


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


@dataclass(frozen=True, slots=True)
class Order:
    """The charged edits of a provider in the order of the list, before any choice of systems or items."""

    provider_key: int
    edits: EditTable


def edit_order(project: Project, query: Query, provider: str) -> Order:
    """The order that pages of the list are cut from. A built-in provider charges what it has not charged yet.

    It depends on the provider's charges alone: a page keeps it while those of its runs stay, whatever is marked.
    """
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    key = require_provider(project, provider, runs).key
    with project.read() as connection:
        return Order(key, read_order(connection, key))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The part of an order that a question is about: places in it, worst first, and which of them are marked."""

    at: npt.NDArray[np.intp]
    marked: npt.NDArray[np.bool_]


def choose_edits(project: Project, query: Query, order: Order) -> Chosen:
    """The edits of the runs and items of `query`; items whose gold is marked wrong are left out unless it keeps them."""
    edits = order.edits
    with project.read() as connection:
        runs = [run.key for run in read_runs(connection, query.systems, query.conditions)]
        marks, wrong = read_marks(connection), read_marked_items(connection)
    inside = _among(edits.runs, runs)
    if query.benchmark or query.language:
        inside &= _among(edits.items, load_items(project, query).items.keys)
    elif len(wrong) and not query.keep_wrong_gold:
        inside &= ~_among(edits.items, wrong)
    at = np.flatnonzero(inside)
    marked = np.zeros(len(at), dtype=bool)
    if len(marks):
        marked = np.isin(_one_number(edits.predictions[at], edits.ordinals[at]), _one_number(*marks.T))
    return Chosen(at, marked)


def _among(keys: npt.NDArray[np.int64], wanted: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which of some keys (small whole numbers, as SQLite gives them out) are wanted."""
    table = np.zeros(int(max(keys.max(initial=0), max(wanted, default=0))) + 1, dtype=bool)
    table[np.asarray(wanted, dtype=np.int64)] = True
    return np.asarray(table[keys])


def _one_number(predictions: npt.NDArray[np.int64], ordinals: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A prediction and an ordinal as one number."""
    return predictions * _ORDINALS + ordinals


@without_writing
def check_first(
    project: Project,
    query: Query,
    provider: str,
    offset: int = 0,
    limit: int = 50,
    hide_done: bool = False,
    order: Order | None = None,
) -> CheckPage:
    """A page of the charged edits of `query`, worst first; edits of items whose gold is marked wrong are left out.

    `order` is `edit_order` of the same provider, when the caller has it already.
    """
    order = order or edit_order(project, query, provider)
    chosen = choose_edits(project, query, order)
    severities = order.edits.severities[chosen.at]
    total, done = float(severities.sum()), float(severities[chosen.marked].sum())
    listed = ~chosen.marked if hide_done else np.ones(len(severities), dtype=bool)
    at, shown = chosen.at[listed], severities[listed]
    running = np.cumsum(shown) + (done if hide_done else 0.0)
    page = slice(offset, offset + limit)
    caught = tuple(min(value / total, 1.0) if total else None for value in running[page].tolist())
    edits = edits_at(project, order, at[page])
    return CheckPage(edits, caught, len(at), int(chosen.marked.sum()), len(severities), total)


def edits_at(project: Project, order: Order, at: npt.NDArray[np.intp]) -> tuple[WorstEdit, ...]:
    """The edits at a few places of an order, with all that a reader needs."""
    places = list(zip(order.edits.predictions[at].tolist(), order.edits.ordinals[at].tolist(), strict=True))
    with project.read() as connection:
        return read_edits(connection, order.provider_key, places)


def walk_edits(project: Project, order: Order, at: npt.NDArray[np.intp]) -> Iterator[tuple[int, WorstEdit]]:
    """The edits at many places of an order, each with its number among `at`, as the table has them: in one pass."""
    keys = _one_number(order.edits.predictions[at], order.edits.ordinals[at])
    by_key = np.argsort(keys)
    wanted = iter(zip(keys[by_key].tolist(), by_key.tolist(), strict=True))
    key, number = next(wanted, (-1, -1))
    with project.read() as connection:
        for edit in iter_edits(connection, order.provider_key):
            if edit.prediction_key * _ORDINALS + edit.ordinal == key:
                yield number, edit
                key, number = next(wanted, (-1, -1))


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
