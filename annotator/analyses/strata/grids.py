"""Runs on the grid: what each measures in each cell, over the items of one language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored
from annotator.analyses.quantities import Quantity, measure
from annotator.analyses.sampling import Codes, clusters_of, rng_for
from annotator.analyses.scope import choose_language
from annotator.analyses.strata.placing import Placing
from annotator.metrics.strata.grid import Grid, count_grid
from annotator.records import Cell, Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.stats.intervals import Estimate
from annotator.store.project import Project

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

NOT_MEASURED = "nothing measured"


def place_of(cell: Cell) -> int:
    """A cell's number from 0 to 24: (word - 1) * 5 + ngram - 1."""
    return (cell.word - 1) * 5 + cell.ngram - 1


@dataclass(frozen=True, slots=True)
class Stage:
    """The items that runs are measured on: `inside` the language, at `places` (-1 outside the grid), in `benchmarks`.

    Arrays have one entry per item of the dataset; `names` are the benchmarks behind the codes.
    """

    data: Dataset
    inside: Mask
    places: Ints
    benchmarks: Ints
    names: tuple[str, ...]
    clusters: Codes | None

    def within(self, cells: Iterable[Cell] = ()) -> Mask:
        """The items in any of `cells`; all items of the language without one."""
        chosen = [place_of(cell) for cell in cells]
        return self.inside & np.isin(self.places, chosen) if chosen else self.inside


@dataclass(frozen=True, slots=True)
class RunCells:
    """One run on the stage, with its quantity per item."""

    stage: Stage
    scored: Scored
    quantity: Quantity

    @property
    def name(self) -> str:
        """`system`, or `system@condition`."""
        return self.scored.run.name

    @property
    def used(self) -> Mask:
        """Answered items of the language with gold (shape (items,))."""
        return self.scored.answered & self.stage.inside

    @property
    def missing(self) -> int:
        """Items of the language with gold and no prediction."""
        return int((self.stage.inside & self.scored.with_gold & ~self.scored.has_row).sum())

    def by_benchmark(self) -> dict[str, Grid]:
        """The run's grid in each benchmark."""
        kept = self.used & (self.stage.places >= 0)
        correct = np.asarray(self.scored.scores.str_exact, dtype=bool)
        grids = {}
        for code, name in enumerate(self.stage.names):
            here = kept & (self.stage.benchmarks == code)
            place = self.stage.places[here]
            totals = self.quantity.total[here], self.quantity.weight[here]
            grids[name] = count_grid(place // 5 + 1, place % 5 + 1, correct[here], *totals)
        return grids

    def sample(self, cell: Cell, benchmark: int | None = None) -> tuple[npt.NDArray[np.float64], ...]:
        """Numerators and denominators of the measured items of a cell, in one benchmark or all."""
        here = self.measured(cell)
        if benchmark is not None:
            here = here & (self.stage.benchmarks == benchmark)
        return self.quantity.total[here], self.quantity.weight[here]

    def measured(self, cell: Cell) -> Mask:
        """The measured items of a cell."""
        here: Mask = self.used & self.quantity.measured & (self.stage.places == place_of(cell))
        return here

    def aggregate(self, query: Query, kept_only: bool = False) -> Estimate:
        """The quantity over all items of the language, or over those in the grid, with its item bootstrap."""
        here = self.used & self.quantity.measured
        if kept_only:
            here = here & (self.stage.places >= 0)
        if not here.any():
            return Estimate(None, None, None, 0, why=NOT_MEASURED)
        rng = rng_for(query.seed, "aggregate", self.name, "kept" if kept_only else "all")
        clusters = None if self.stage.clusters is None else self.stage.clusters[here]
        return bootstrap_rate(self.quantity.total[here], self.quantity.weight[here], rng, query.resamples, clusters)


def set_stage(project: Project, query: Query, data: Dataset, placing: Placing) -> Stage:
    """The stage of a placing. `data` holds items of every language."""
    inside = choose_language(data.items, query.language).inside
    names, codes = np.unique(np.asarray(data.items.benchmark, dtype=str), return_inverse=True)
    clusters = clusters_of(project, data.items, query)
    return Stage(data, inside, placing.spread(data.items), codes.astype(np.int64), tuple(names.tolist()), clusters)


def run_on(project: Project, stage: Stage, name: str, metric: str = "") -> RunCells:
    """The run called `system` or `system@condition` on the stage. Raises `UsageError` for an unknown one."""
    scored = stage.data.run(name)
    return RunCells(stage, scored, measure(project, stage.data, scored, metric))


def runs_on(project: Project, stage: Stage, metric: str = "") -> tuple[RunCells, ...]:
    """Every run of the dataset on the stage, measured by `metric` (STR word accuracy by default)."""
    return tuple(RunCells(stage, scored, measure(project, stage.data, scored, metric)) for scored in stage.data.runs)
