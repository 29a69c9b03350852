"""The compositional gap with its interval: pooled, and within benchmarks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.grids import RunCells
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.records import Cell, Query
from annotator.stats.bootstrap import (
    Difference,
    bootstrap_stratified_difference,
    bootstrap_unpaired_difference,
    bootstrap_unpaired_rate_difference,
)


@dataclass(frozen=True, slots=True)
class GapEstimate:
    """Corner q5/q5 minus centre q3/q3 over `n_corner` and `n_centre` measured items, with its 95 % interval and p.

    Items are resampled within each of the two cells. `None` where a cell is empty; `why` says so.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: str | None
    corner: float | None
    centre: float | None
    n_corner: int
    n_centre: int
    why: str = ""
    note: str = ""


def estimate_gap(
    query: Query, run: RunCells, corner: Cell = CORNER, centre: Cell = CENTRE, name: str = "gap"
) -> GapEstimate:
    """The pooled gap of one run, or the difference of any two cells, drawn under `name`. Source: StratiSTR Table 2 and
    appendix F."""
    high, low = run.sample(corner), run.sample(centre)
    rng = rng_for(query.seed, name, run.name)
    if not _is_plain(high, low):
        found = bootstrap_unpaired_rate_difference([((high[0], high[1]), (low[0], low[1]))], rng, query.resamples)
    else:
        codes = run.stage.clusters
        clusters = None if codes is None else (codes[run.measured(corner)], codes[run.measured(centre)])
        found = bootstrap_unpaired_difference(high[0], low[0], rng, query.resamples, clusters)
    return _gap(found, len(high[0]), len(low[0]), corner, centre)


def estimate_stratified_gap(query: Query, run: RunCells) -> GapEstimate:
    """The gap within benchmarks, sum of w_b (corner_b - centre_b) / sum of w_b with w_b = n5 n3 / (n5 + n3).

    Benchmarks with both cells only. Items are resampled within benchmark and cell.
    """
    strata = [(run.sample(CORNER, code), run.sample(CENTRE, code)) for code in range(len(run.stage.names))]
    both = [(high, low) for high, low in strata if len(high[0]) and len(low[0])]
    rng = rng_for(query.seed, "gap within benchmarks", run.name)
    if all(_is_plain(high, low) for high, low in both):
        found = bootstrap_stratified_difference([(high[0], low[0]) for high, low in both], rng, query.resamples)
    else:
        pairs = [((high[0], high[1]), (low[0], low[1])) for high, low in both]
        found = bootstrap_unpaired_rate_difference(pairs, rng, query.resamples)
    n_corner, n_centre = (sum(len(pair[side][0]) for pair in both) for side in (0, 1))
    gap = _gap(found, n_corner, n_centre, CORNER, CENTRE)
    return gap if both else _undefined("no benchmark has both a corner and a centre")


def _is_plain(*samples: tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], ...]) -> bool:
    """Whether every item weighs 1, so that the rate is a mean."""
    return all(bool((sample[1] == 1).all()) for sample in samples)


def _gap(found: Difference, n_corner: int, n_centre: int, corner: Cell, centre: Cell) -> GapEstimate:
    why = "" if n_corner and n_centre else f"nothing measured in cell {centre if n_corner else corner}"
    if not n_corner and not n_centre:
        why = f"nothing measured in cells {corner} and {centre}"
    return GapEstimate(
        found.difference,
        found.low,
        found.high,
        found.p,
        found.verdict.value if found.verdict else None,
        found.a,
        found.b,
        n_corner,
        n_centre,
        why or found.why,
        found.note,
    )


def _undefined(why: str) -> GapEstimate:
    return GapEstimate(None, None, None, None, None, None, None, 0, 0, why)
