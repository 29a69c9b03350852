"""Gold suspects: items where systems agree with each other against gold, and what they do to the gap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.memo import remembered
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.gaps import estimate_gap
from annotator.analyses.strata.grids import RunCells, Stage, runs_on
from annotator.errors import UsageError
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.records import Cell, Query
from annotator.store.project import Project
from annotator.store.reading import read_texts
from annotator.store.suspects import SuspectReview, read_reviews, reviews_state
from annotator.text.profiles import Profile, apply_profile_to_all

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GivenVerdict:
    """What one reviewer found on an item's gold, and when (seconds since 1970). `binding`: it set the item's mark."""

    reviewer: str
    verdict: str
    binding: bool
    at: float


@dataclass(frozen=True, slots=True)
class SuspectRow:
    """An item whose gold `agree` systems contradict with one and the same text (equal under the `str` profile).

    `answer` is that text as the first of `systems` gave it; `cell` is empty outside the grid. `verdicts` are the
    reviews so far, oldest first, `mark` the item's mark.
    """

    item_id: str
    gold: str
    answer: str
    agree: int
    of: int
    systems: tuple[str, ...]
    cell: str
    benchmark: str
    mark: str
    verdicts: tuple[GivenVerdict, ...]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One run's gap as it stands, and without every suspect that no review has found right or acceptable."""

    system: str
    condition: str
    gap: float | None
    low: float | None
    high: float | None
    gap_without: float | None
    without_low: float | None
    without_high: float | None
    n_corner: int
    n_corner_without: int
    n_centre: int
    n_centre_without: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class SuspectReport:
    """Suspects, those with most agreement first, and what leaving them out would do to the gaps.

    `in_corner` and `in_centre` count the suspects of the two cells: bad golds gather in the corner.
    """

    agree: int
    rows: tuple[SuspectRow, ...]
    n: int
    reviewed: int
    in_corner: int
    in_centre: int
    sensitivity: tuple[Sensitivity, ...]
    basis: Basis


def report_suspects(project: Project, query: Query, agree: int = 0) -> SuspectReport:
    """Items where at least `agree` systems give one text that is not gold (default: more than half, at least two).

    Items whose gold was marked already are listed too, with their mark. Raises `UsageError` when fewer systems than
    that are there.
    """
    with project.read() as connection:
        state = reviews_state(connection)
    asked = (query, agree, edges_mark(query), state)
    return remembered(project, "suspects", asked, SuspectReport, lambda: _build(project, query, agree))


def _build(project: Project, query: Query, agree: int) -> SuspectReport:
    staged = load_stage(project, replace(query, keep_wrong_gold=True))
    stage = staged.stage
    runs = runs_on(project, stage)
    systems = len({run.scored.run.system for run in runs})
    needed = agree or max(2, systems // 2 + 1)
    if systems < 2:
        raise UsageError(f"suspects: found {systems} systems with answers; expected two or more, to agree on a text")
    if not 2 <= needed <= systems:
        raise UsageError(
            f"--agree {needed}: found {systems} systems with answers; expected a number from 2 to {systems}"
        )
    with project.read() as connection:
        reviews = read_reviews(connection)
    said = _wrong_answers(project, runs)
    rows = [
        _row(stage, at, systems, voices, reviews.get(int(stage.data.items.keys[at]), ()))
        for at, texts in said.items()
        for voices in texts.values()
        if len(voices) >= needed
    ]
    rows.sort(key=lambda row: (-row.agree, row.cell != str(CORNER), row.item_id))
    without = _left_out(stage, rows)
    return SuspectReport(
        agree=needed,
        rows=tuple(rows),
        n=len(rows),
        reviewed=sum(1 for row in rows if row.verdicts),
        in_corner=sum(1 for row in rows if row.cell == str(CORNER)),
        in_centre=sum(1 for row in rows if row.cell == str(CENTRE)),
        sensitivity=tuple(_sensitivity(query, run, without) for run in runs),
        basis=staged.basis,
    )


Voices = list[tuple[str, str]]


def _wrong_answers(project: Project, runs: Sequence[RunCells]) -> dict[int, dict[str, Voices]]:
    """By place of the item and folded text: the systems that gave it, and their texts. A system speaks once, through its
    first run."""
    said: dict[int, dict[str, Voices]] = defaultdict(lambda: defaultdict(list))
    spoken: set[str] = set()
    for run in runs:
        if run.scored.run.system in spoken:
            continue
        spoken.add(run.scored.run.system)
        wrong = run.used & ~np.asarray(run.scored.scores.str_exact, dtype=bool)
        place = {int(run.stage.data.items.keys[at]): at for at in np.flatnonzero(wrong).tolist()}
        with project.read() as connection:
            texts = read_texts(connection, run.scored.run.key)
        rows = zip(texts.keys.tolist(), texts.predicted, strict=True)
        against = [(place[key], text) for key, text in rows if key in place]
        folded = apply_profile_to_all([text for _, text in against], Profile.STR)
        for (at, text), plain in zip(against, folded, strict=True):
            if plain:
                said[at][plain].append((run.scored.run.system, text))
    return said


def _row(stage: Stage, at: int, of: int, voices: Voices, reviews: Sequence[SuspectReview]) -> SuspectRow:
    items, place = stage.data.items, int(stage.places[at])
    return SuspectRow(
        item_id=items.ids[at],
        gold=items.gold[at] or "",
        answer=voices[0][1],
        agree=len(voices),
        of=of,
        systems=tuple(system for system, _ in voices),
        cell=str(Cell(place // 5 + 1, place % 5 + 1)) if place >= 0 else "",
        benchmark=items.benchmark[at],
        mark=items.mark[at],
        verdicts=tuple(GivenVerdict(r.reviewer, r.verdict, r.binding, r.at) for r in reviews),
    )


def _left_out(stage: Stage, rows: Sequence[SuspectRow]) -> Mask:
    """Suspects that no review has found right or acceptable."""
    cleared = {"gold-right", "both-acceptable"}
    ids = {row.item_id for row in rows if not cleared & {given.verdict for given in row.verdicts}}
    return np.array([item_id in ids for item_id in stage.data.items.ids], dtype=bool)


def _sensitivity(query: Query, run: RunCells, without: Mask) -> Sensitivity:
    marked = np.array([bool(mark) for mark in run.stage.data.items.mark], dtype=bool) & (not query.keep_wrong_gold)
    now = estimate_gap(query, _less(run, marked))
    then = estimate_gap(query, _less(run, marked | without))
    return Sensitivity(
        run.scored.run.system,
        run.scored.run.condition,
        now.value,
        now.low,
        now.high,
        then.value,
        then.low,
        then.high,
        now.n_corner,
        then.n_corner,
        now.n_centre,
        then.n_centre,
        now.why or then.why,
    )


def _less(run: RunCells, mask: Mask) -> RunCells:
    """The run without the items of a mask. Cells stay as they are, so that only the items change."""
    return replace(run, stage=replace(run.stage, inside=run.stage.inside & ~mask))
