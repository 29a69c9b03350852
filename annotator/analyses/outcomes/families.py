"""`report families`: means over systems and over families of systems, and what leaving one family out does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from annotator.analyses.memo import remembered
from annotator.analyses.outcomes.data import OUTCOMES, OutcomeRun, load_outcomes
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_figures
from annotator.stats.intervals import Estimate
from annotator.store.project import Project
from annotator.store.systems import set_family

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One weighting of systems: the mean rates of L, C and O with item-bootstrap intervals; systems stay fixed.

    `n` is the number of items; each system's rate is over its own answered items.
    """

    weighting: str
    condition: str
    left_out: str
    families: int
    systems: int
    n: int
    literal: Estimate
    canonical: Estimate
    other: Estimate


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """The lowest and highest equal-family rewriting rate when one family is left out, and which one that is."""

    condition: str
    low: float | None
    low_without: str
    high: float | None
    high_without: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class FamilyReport:
    """Rows per condition: equal systems, equal families, and each family left out. `families` says who is in which."""

    rows: tuple[FamilyRow, ...]
    leave_one_out: tuple[LeaveOneOut, ...]
    families: dict[str, tuple[str, ...]]
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    why: dict[str, str] = field(default_factory=dict)


def assign_family(project: Project, system: str, family: str) -> None:
    """Say to which family a system belongs; an empty family makes it one of its own. Raises `UsageError`."""
    with project.write() as connection:
        if not set_family(connection, system, family.strip()):
            raise UsageError(f"unknown system: found {system!r}. See `report outcomes` for the names.")


def report_families(project: Project, query: Query) -> FamilyReport:
    """Equal-system and equal-family means of every condition. A system without a family is a family of its own."""
    return remembered(project, "families", query, FamilyReport, lambda: _build(project, query))


def _build(project: Project, query: Query) -> FamilyReport:
    data = load_outcomes(project, query)
    clusters = clusters_of(project, data.items, query)
    members: dict[str, list[str]] = {}
    for one in data.runs:
        systems = members.setdefault(_family(one), [])
        if one.run.system not in systems:
            systems.append(one.run.system)
    rows: list[FamilyRow] = []
    ranges: list[LeaveOneOut] = []
    for condition in data.conditions:
        runs = data.under(condition)
        made = _rows_of(runs, condition, query, clusters)
        rows += made
        ranges.append(_leave_one_out(made, condition))
    return FamilyReport(
        tuple(rows),
        tuple(ranges),
        {family: tuple(systems) for family, systems in members.items()},
        query.seed,
        query.resamples,
        data.revision,
        data.alignment_version,
        {} if data.runs else {"rows": "no predictions yet"},
    )


def _family(one: OutcomeRun) -> str:
    return one.run.family or one.run.system


def _rows_of(
    runs: Sequence[OutcomeRun], condition: str, query: Query, clusters: npt.NDArray[np.int64] | None
) -> list[FamilyRow]:
    families = list(dict.fromkeys(_family(one) for one in runs))
    everyone = {one.run.name: 1 / len(runs) for one in runs}
    wanted = [("equal systems", "", everyone), ("equal families", "", _equal_families(runs, ""))]
    if len(families) > 1:
        wanted += [("equal families", family, _equal_families(runs, family)) for family in families]
    columns = np.concatenate([_columns(one) for one in runs], axis=1)
    table = np.array([[weights.get(one.run.name, 0.0) for one in runs] for _, _, weights in wanted])
    rng = rng_for(query.seed, "families", condition)
    figures = bootstrap_figures(columns, lambda sums: _means(sums, table), rng, query.resamples, clusters)
    rows = []
    for at, (weighting, left_out, weights) in enumerate(wanted):
        kept = [one for one in runs if weights.get(one.run.name)]
        mine = figures[at * len(OUTCOMES) : (at + 1) * len(OUTCOMES)]
        count = len({_family(one) for one in kept})
        rows.append(FamilyRow(weighting, condition, left_out, count, len(kept), len(columns), *mine))
    return rows


def _means(sums: Floats, weights: Floats) -> Floats:
    """Weighted means of the systems' rates: resamples x (weightings x outcomes). NaN where a system has no answers."""
    counts = sums.reshape(len(sums), -1, len(OUTCOMES))
    answered = counts.sum(axis=2, keepdims=True)
    rates = np.divide(counts, answered, out=np.full_like(counts, np.nan), where=answered > 0)
    weighted = [np.nansum(rates * weight[:, None], axis=1) for weight in weights]
    silent = (answered[:, :, 0] == 0) @ (weights > 0).T.astype(np.float64) > 0
    for at, part in enumerate(weighted):
        part[silent[:, at]] = np.nan
    return np.concatenate(weighted, axis=1)


def _equal_families(runs: Sequence[OutcomeRun], without: str) -> dict[str, float]:
    members: dict[str, list[str]] = {}
    for one in runs:
        if _family(one) != without:
            members.setdefault(_family(one), []).append(one.run.name)
    return {name: 1 / len(members) / len(names) for names in members.values() for name in names}


def _columns(one: OutcomeRun) -> Floats:
    """Per item: 1 for its outcome (three columns)."""
    return np.stack([one.codes == code for code in range(len(OUTCOMES))], axis=1).astype(np.float64)


def _leave_one_out(rows: Sequence[FamilyRow], condition: str) -> LeaveOneOut:
    rates = [(row.canonical.value, row.left_out) for row in rows if row.left_out and row.canonical.value is not None]
    if not rates:
        return LeaveOneOut(condition, None, "", None, "", why="fewer than two families")
    low, high = min(rates), max(rates)
    return LeaveOneOut(condition, low[0], low[1], high[0], high[1])
