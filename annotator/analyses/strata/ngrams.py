"""Which n-grams of a cell fail, for two systems side by side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from annotator.analyses.strata.basis import Basis, load_stage
from annotator.analyses.strata.grids import run_on
from annotator.metrics.strata.labels import Axes, counted_clusters, fold_label
from annotator.metrics.strata.ngrams import distinct_ngrams
from annotator.records import Cell, Query
from annotator.stats.intervals import wilson_interval
from annotator.store.project import Project
from annotator.text.graphemes import split_graphemes


@dataclass(frozen=True, slots=True)
class NgramRow:
    """Failures of both systems on the `n` items of the cell whose label holds the n-gram and that both answered.

    Failure is 1 - STR word accuracy, with its Wilson interval; `reduction` = a_failure - b_failure.
    """

    ngram: str
    n: int
    a_failure: float
    a_low: float | None
    a_high: float | None
    b_failure: float
    b_low: float | None
    b_high: float | None
    reduction: float
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NgramReport:
    """The n-grams with at least `min_count` items, worst first for system a; `left_out` n-grams have fewer."""

    first: str
    second: str
    cell: str
    min_count: int
    n: int
    rows: tuple[NgramRow, ...]
    left_out: int
    basis: Basis


def report_ngrams(
    project: Project, query: Query, first: str, second: str, cell: Cell, min_count: int = 5
) -> NgramReport:
    """Failure rate of two runs per n-gram inside `cell`. Source: StratiSTR appendix C, Table 8.

    An n-gram counts once for an item, however often the label holds it. Trigrams on the word axes (a shorter label is
    its own), pairs of clusters on the character axes.
    """
    staged = load_stage(project, query)
    stage = staged.stage
    a, b = run_on(project, stage, first), run_on(project, stage, second)
    both = np.flatnonzero(stage.within([cell]) & a.used & b.used)
    wrong_a, wrong_b = (~np.asarray(run.scored.scores.str_exact, dtype=bool) for run in (a, b))
    holders: dict[str, list[int]] = defaultdict(list)
    for at in both.tolist():
        for ngram in label_ngrams(stage.data.items.gold[at] or "", Axes(staged.summary.axes)):
            holders[ngram].append(at)
    ids = stage.data.items.ids
    rows = [
        _row(ngram, len(at), int(wrong_a[at].sum()), int(wrong_b[at].sum()), tuple(ids[i] for i in at))
        for ngram, at in holders.items()
        if len(at) >= min_count
    ]
    rows.sort(key=lambda row: (-row.a_failure, -row.n, row.ngram))
    return NgramReport(
        a.name, b.name, str(cell), min_count, len(both), tuple(rows), len(holders) - len(rows), staged.basis
    )


def label_ngrams(gold: str, axes: Axes) -> tuple[str, ...]:
    """The distinct n-grams of a label, case-folded: trigrams (or the whole of a shorter label), or pairs of clusters."""
    folded = fold_label(gold)
    if axes is Axes.CHARACTER:
        return tuple(distinct_ngrams(counted_clusters(folded), 2))
    clusters = split_graphemes(folded)
    return tuple(distinct_ngrams(clusters, 3)) if len(clusters) >= 3 else (folded,)


def _row(ngram: str, n: int, wrong_a: int, wrong_b: int, items: tuple[str, ...]) -> NgramRow:
    one, other = wilson_interval(wrong_a, n), wilson_interval(wrong_b, n)
    return NgramRow(
        ngram, n, wrong_a / n, one.low, one.high, wrong_b / n, other.low, other.high, (wrong_a - wrong_b) / n, items
    )
