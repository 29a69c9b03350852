"""Error events of the answers in scope: classes per item as arrays, and the events behind a choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored, find_run, load_dataset
from annotator.errors import StoreError, UsageError
from annotator.metrics.taxonomy import (
    AUTO,
    TAXONOMY_VERSION,
    ErrorClass,
    ErrorEvent,
    classify_errors,
    script_names,
    tables_version,
)
from annotator.records import Query
from annotator.store.detail import ItemFields, read_item_fields
from annotator.store.errorblocks import ErrorBlock, TextPair, load_error_block, read_pairs, save_error_block
from annotator.store.project import Project
from annotator.store.reading import RunRow

CLASSES = tuple(ErrorClass)
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Known = dict[tuple[str, str], list[int]]


@dataclass(frozen=True, slots=True)
class RunErrors:
    """One run with its events: `counts[i, c]` events of class number c (order of `ErrorClass`) in item i of the dataset.

    Items that are not in the run's rates have none. A missing answer that counts as an error is one truncation.
    """

    scored: Scored
    counts: Ints


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event with the item and answer that it is of."""

    item: ItemFields
    run: RunRow
    gold: str
    predicted: str
    event: ErrorEvent


@dataclass(frozen=True, slots=True)
class EventPage:
    """A page of events: `total` of them match, in the order of runs and items."""

    total: int
    rows: tuple[EventRow, ...]


def load_errors(project: Project, data: Dataset, script: str = AUTO) -> tuple[RunErrors, ...]:
    """The events of every run of `data`. Classified once, then read from the project until a text or table changes.

    Raises UsageError for a script without a table.
    """
    if script not in script_names():
        raise UsageError(f"script: found {script!r}; expected one of {', '.join(script_names())}")
    known: Known = {}
    return tuple(_run_errors(project, data, scored, script, known) for scored in data.runs)


def _run_errors(project: Project, data: Dataset, scored: Scored, script: str, known: Known) -> RunErrors:
    block = _block(project, scored.run, script, data.query.own_gold, known)
    counts = np.zeros((len(data.items), len(CLASSES)), dtype=np.int64)
    if len(data.items):
        at = np.minimum(np.searchsorted(data.items.keys, block.item_keys), len(data.items) - 1)
        here = data.items.keys[at] == block.item_keys
        np.add.at(counts, (at[here], block.classes[here]), 1)
    counts[~scored.answered] = 0
    counts[scored.answered & ~scored.has_row, CLASSES.index(ErrorClass.TRUNCATION)] = 1
    return RunErrors(scored, counts)


def _block(project: Project, run: RunRow, script: str, own_gold: bool, known: Known) -> ErrorBlock:
    stamp = f"{run.changed_revision}|{TAXONOMY_VERSION}|{tables_version()}"
    with project.read() as connection:
        block = load_error_block(connection, run.key, script, own_gold, stamp)
        if block is not None:
            return block
        pairs = read_pairs(connection, run.key, own_gold)
    block = _classify(pairs, script, known)
    try:
        with project.write(raises_revision=False) as connection:
            save_error_block(connection, run.key, script, own_gold, stamp, block)
    except StoreError:
        pass  # a project that cannot be written gives the same events, only later
    return block


def _classify(pairs: Sequence[TextPair], script: str, known: Known) -> ErrorBlock:
    """Classify pairs; `known` remembers the classes of pairs that several systems have in common."""
    number = {name: at for at, name in enumerate(CLASSES)}
    keys: list[int] = []
    classes: list[int] = []
    for pair in pairs:
        if pair.gold == pair.predicted:
            continue
        texts = pair.gold, pair.predicted
        if texts not in known:
            known[texts] = [number[event.error_class] for event in classify_errors(*texts, script)]
        keys += [pair.item_key] * len(known[texts])
        classes += known[texts]
    return ErrorBlock(np.array(keys, dtype=np.int64), np.array(classes, dtype=np.int64))


def items_with_class(project: Project, data: Dataset, error_class: str, run: str = "", script: str = AUTO) -> Mask:
    """Which items of `data` have an event of `error_class`, in the run called `run` (in any run when empty).

    Raises UsageError for an unknown class or run.
    """
    at = CLASSES.index(parse_class(error_class))
    errors = load_errors(project, data, script)
    if run:
        wanted = find_run(data.runs, run).run.key
        errors = tuple(one for one in errors if one.scored.run.key == wanted)
    masks = [one.counts[:, at] > 0 for one in errors]
    return np.logical_or.reduce(masks) if masks else np.zeros(len(data.items), dtype=bool)


def parse_class(name: str) -> ErrorClass:
    """The class called `name` (`vowel-sign`). Raises UsageError with the fifteen names."""
    try:
        return ErrorClass(name)
    except ValueError:
        raise UsageError(f"error class: found {name!r}; expected one of {', '.join(CLASSES)}") from None


def list_events(
    project: Project,
    query: Query,
    error_class: str = "",
    run: str = "",
    script: str = AUTO,
    offset: int = 0,
    limit: int = 50,
) -> EventPage:
    """The events of a class (of any class when empty) in a run (in every run when empty), a page of them.

    Raises UsageError for unknown classes, runs and scripts.
    """
    data = load_dataset(project, query)
    wanted = CLASSES.index(parse_class(error_class)) if error_class else slice(None)
    chosen = find_run(data.runs, run).run.key if run else None
    total = 0
    rows: list[EventRow] = []
    for errors in load_errors(project, data, script):
        if chosen in (None, errors.scored.run.key):
            per_item = errors.counts[:, wanted].reshape(len(data.items), -1).sum(axis=1)
            skipped = max(0, offset - total)
            total += int(per_item.sum())
            rows += _page_of(project, data, errors.scored, per_item, skipped, limit - len(rows), (error_class, script))
    return EventPage(total, tuple(rows))


def _page_of(
    project: Project, data: Dataset, scored: Scored, per_item: Ints, skip: int, room: int, asked: tuple[str, str]
) -> list[EventRow]:
    """Up to `room` events of one run after the first `skip`; texts are read for the items on the page alone."""
    through = np.cumsum(per_item)
    first, last = np.searchsorted(through, [skip, skip + room - 1], side="right")
    places = [int(at) for at in np.flatnonzero(per_item) if first <= at <= last] if room > 0 else []
    if not places:
        return []
    skip -= int(through[places[0]] - per_item[places[0]])
    events = _events_at(project, data, scored, places, asked)
    return events[max(skip, 0) : max(skip, 0) + room]


def _events_at(
    project: Project, data: Dataset, scored: Scored, places: Sequence[int], asked: tuple[str, str]
) -> list[EventRow]:
    keys = [int(data.items.keys[at]) for at in places]
    with project.read() as connection:
        items = read_item_fields(connection, keys)
        pairs = {
            pair.item_key: pair for pair in read_pairs(connection, scored.run.key, data.query.own_gold, frozenset(keys))
        }
    error_class, script = asked
    rows = []
    for item in items:
        pair = pairs.get(item.key) or TextPair(item.key, item.gold or "", "")
        for event in classify_errors(pair.gold, pair.predicted, script):
            if error_class in ("", event.error_class):
                rows.append(EventRow(item, scored.run, pair.gold, pair.predicted, event))
    return rows
