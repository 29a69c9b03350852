"""The one table that reports are made of: items in scope, and per run the scores of every item as arrays."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.scope import choose_language
from annotator.analyses.scoreblocks import Block, Everything, find_block, save_new, score_fields
from annotator.errors import UsageError
from annotator.metrics.counts import PairScores, score_pairs
from annotator.records import MissingRule, Query
from annotator.store.project import Project, read_revision
from annotator.store.reading import ItemTable, RunRow, read_attribute, read_items, read_runs
from annotator.text.align import alignment_version
from annotator.text.profiles import apply_profile_to_all

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Items in no rate: gold marked wrong or unreadable, no gold (none, empty, or blank under the profile)."""

    gold_wrong: int
    without_gold: int


@dataclass(frozen=True, slots=True)
class Scored:
    """One run against the items of a dataset; every array has one entry per item.

    `has_row`: there is a prediction. `with_gold`: there is a gold to hold it against (under `own_gold` the prediction's).
    `answered`: the item is in this run's rates: with gold, and with a prediction unless a missing one counts as an empty
    answer. Scores are 0 where there is neither a prediction nor a rule that stands in for it.
    """

    run: RunRow
    has_row: Mask
    with_gold: Mask
    answered: Mask
    scores: PairScores

    @property
    def n(self) -> int:
        """The number of items in this run's rates."""
        return int(self.answered.sum())

    @property
    def missing(self) -> int:
        """The number of items with gold and no prediction."""
        return int((self.with_gold & ~self.has_row).sum())

    @property
    def edits(self) -> npt.NDArray[np.int64]:
        """Substitutions + deletions + insertions per item."""
        scores = self.scores
        return np.asarray(scores.substitutions).astype(np.int64) + scores.deletions + scores.insertions


@dataclass(frozen=True, slots=True)
class Dataset:
    """Items in scope and the runs asked for."""

    revision: int
    alignment_version: str
    query: Query
    items: ItemTable
    runs: tuple[Scored, ...]
    left_out: LeftOut

    def run(self, name: str) -> Scored:
        """The run called `system` or `system@condition`; a lone condition other than default needs no name."""
        return find_run(self.runs, name)


def find_run(runs: Sequence[Scored], name: str) -> Scored:
    """Find a run by `system@condition`, or by `system` when it is its default or only condition."""
    for scored in runs:
        if name in (scored.run.name, f"{scored.run.system}@{scored.run.condition}"):
            return scored
    alone = [scored for scored in runs if scored.run.system == name]
    if len(alone) == 1:
        return alone[0]
    names = ", ".join(scored.run.name for scored in runs) or "none yet"
    raise UsageError(f"unknown system: found {name!r}; expected one of: {names}")


def load_dataset(project: Project, query: Query) -> Dataset:
    """Read the items and runs of `query`, scoring under its profile; score blocks are computed once and stored."""
    with project.read() as connection:
        everything = Everything(connection)
        items, gold_wrong = items_in_scope(connection, query, None if query.benchmark else everything.items)
        runs = read_runs(connection, query.systems, query.conditions)
        gold = _Gold.of(items, query)
        blocks = [find_block(everything, run, query) for run in runs]
        revision = read_revision(connection)
    save_new(project, blocks, query)
    scored = tuple(_spread(block, items, gold, query) for block in blocks)
    return Dataset(revision, alignment_version(), query, items, scored, LeftOut(gold_wrong, int((~gold.present).sum())))


@dataclass(frozen=True, slots=True)
class ItemsInScope:
    """The items that a query is about, at one revision, without any run."""

    revision: int
    items: ItemTable


def load_items(project: Project, query: Query) -> ItemsInScope:
    """Read the items of `query` alone: what a page needs that does not look at answers."""
    with project.read() as connection:
        return ItemsInScope(read_revision(connection), items_in_scope(connection, query)[0])


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of a run's answers in order of item key, whether or not their items are in scope."""

    keys: npt.NDArray[np.int64]
    scores: PairScores


def load_run_scores(project: Project, query: Query, run: RunRow) -> RunScores:
    """The scores of one run under the query's profile, from the store where they are; reads no item then."""
    with project.read() as connection:
        block = find_block(Everything(connection), run, query)
    save_new(project, [block], query)
    return RunScores(block.keys, block.scores)


def items_in_scope(
    connection: sqlite3.Connection, query: Query, everything: ItemTable | None = None
) -> tuple[ItemTable, int]:
    """The items of `query`, and how many more were left out because their gold is marked wrong or unreadable.

    `everything` is all items of the project, where they have been read before.
    """
    _refuse_unknown_benchmark(connection, query.benchmark)
    items = read_items(connection, query.benchmark) if everything is None else everything
    no_choice = not query.language or not len(items)
    in_language = [True] * len(items) if no_choice else choose_language(items, query.language).inside.tolist()
    wrong = [bool(mark) and not query.keep_wrong_gold for mark in items.mark]
    kept = [i for i in range(len(items)) if in_language[i] and not wrong[i]]
    dropped = sum(1 for i in range(len(items)) if in_language[i] and wrong[i])
    return (items if len(kept) == len(items) else items.take(kept)), dropped


def _refuse_unknown_benchmark(connection: sqlite3.Connection, asked: str) -> None:
    """An empty project knows no benchmarks, and refuses none."""
    known = list(dict.fromkeys(read_attribute(connection, "benchmark").values())) if asked else []
    if known and asked.casefold() not in {name.casefold() for name in known}:
        raise UsageError(f"unknown benchmark: found {asked!r}; expected one of: {', '.join(sorted(known))}")


@dataclass(frozen=True, slots=True)
class _Gold:
    """Which items have gold under the profile. `empty` holds the golds scored against an empty answer, what a missing
    prediction costs; `None` when it costs nothing."""

    present: Mask
    empty: PairScores | None

    @classmethod
    def of(cls, items: ItemTable, query: Query) -> _Gold:
        texts = [gold or "" for gold in items.gold]
        empty = score_pairs(texts, [""] * len(texts), query.profile) if query.missing is MissingRule.ERROR else None
        shown = apply_profile_to_all(texts, query.profile)
        return cls(
            np.fromiter((bool(text and not text.isspace()) for text in shown), dtype=bool, count=len(texts)), empty
        )


def _spread(block: Block, items: ItemTable, gold: _Gold, query: Query) -> Scored:
    """Put a run's rows at the places of their items; items out of scope fall away."""
    n = len(items)
    at = np.searchsorted(items.keys, block.keys)
    inside = at < n
    inside[inside] = items.keys[at[inside]] == block.keys[inside]
    place, source = at[inside], np.flatnonzero(inside)
    has_row = np.zeros(n, dtype=bool)
    has_row[place] = True
    has_gold = gold.present.copy()
    has_gold[place] = ~np.asarray(block.scores.blank_gold, dtype=bool)[source]
    columns = {}
    for name in score_fields():
        column = np.asarray(getattr(block.scores, name))
        spread = np.zeros(n, dtype=column.dtype)
        if gold.empty is not None:
            spread[:] = getattr(gold.empty, name)
        spread[place] = column[source]
        columns[name] = spread
    answered = has_gold & (has_row | (query.missing is MissingRule.ERROR))
    return Scored(block.run, has_row, has_gold, answered, PairScores(**columns))
