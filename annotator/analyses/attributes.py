"""`report attributes`: a metric by the values of one or two attributes, and whether two difficulties compound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored, load_dataset
from annotator.analyses.memo import remembered
from annotator.analyses.quantities import SEMCER, Quantity, measure, quantity_state
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.errors import UsageError
from annotator.metrics.rates import Metric
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.stats.intervals import percentile_interval, wilson_estimate
from annotator.stats.resample import Codes, Floats, resample_sums_by_group, use_clusters
from annotator.store.project import Project
from annotator.store.reading import require_attribute

FALLING = frozenset({Metric.CER, Metric.WER, SEMCER})
PROPORTIONS = frozenset({Metric.EXACT, Metric.STR_ACCURACY, Metric.CHARITABLE})
SPARSE_BELOW = 10
EXCESS_RESAMPLES = 1_000
NO_ITEMS = "no answered items with these values"
ZERO_EASIEST = "the easiest value is 0"

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """One run over the items with these values. Rates are fractions; `None` is undefined and `why` says why by key.

    ratio: `value` over that of the easiest value that is not sparse (with one axis). additive: marginal of the first value + marginal of
    the second - mean of the run. excess: `value` - additive, with its item-bootstrap interval; `compounds` is whether
    the two values are harder together than that (the whole interval on the hard side of 0). sparse: `n` under 10.
    """

    system: str
    condition: str
    role: str
    values: dict[str, str]
    n: int
    value: float | None
    low: float | None
    high: float | None
    sparse: bool
    ratio: float | None = None
    additive: float | None = None
    excess: float | None = None
    excess_low: float | None = None
    excess_high: float | None = None
    compounds: bool | None = None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttributeReport:
    """The rows of every run, easiest first. `without_value` items have no value on an axis and are left out."""

    rows: tuple[AttributeRow, ...]
    axes: tuple[str, ...]
    metric: str
    falling: bool
    items: int
    without_value: int
    gold_wrong: int
    sparse_below: int
    profile: str
    seed: int
    resamples: int
    excess_resamples: int
    project_revision: int
    alignment_version: str


def report_attributes(
    project: Project, query: Query, axis: str, axis2: str = "", metric: str = Metric.CER
) -> AttributeReport:
    """The metric of every run of `query` for each value of `axis`, or for each pair of values of `axis` and `axis2`.

    Pooled over the items with these values; a proportion has a Wilson interval, any other metric an item bootstrap.
    `semcer`, or `semcer:PROVIDER`, is over the answers whose edits are all charged. Raises UsageError for unknown attributes, metrics, systems and conditions, and for one axis given twice.
    """
    if axis == axis2:
        raise UsageError(f"axes: found {axis!r} twice; expected two different attributes")
    if metric not in tuple(Metric) and _plain(metric) != SEMCER:
        names = ", ".join((*Metric, SEMCER))
        raise UsageError(f"metric: found {metric!r}; expected one of {names}. Choose one with --metric.")
    chosen = (axis, axis2, str(metric))
    asked = (query, *chosen, quantity_state(project, query, metric))
    return remembered(project, "attributes", asked, AttributeReport, lambda: _build(project, query, chosen))


def _plain(metric: str) -> str:
    """`semcer` of `semcer:PROVIDER`."""
    return metric.partition(":")[0]


def _build(project: Project, query: Query, asked: tuple[str, str, str]) -> AttributeReport:
    axes, metric = tuple(filter(None, asked[:2])), asked[2]
    data = load_dataset(project, query)
    groups, known = _groups(project, data, axes)
    clusters = clusters_of(project, data.items, query)
    runs = [_Run(data, scored, metric, measure(project, data, scored, metric), clusters) for scored in data.runs]
    rows = [row for run in runs for row in _rows(run, groups)]
    return AttributeReport(
        rows=tuple(rows),
        axes=axes,
        metric=metric,
        falling=_plain(metric) in FALLING,
        items=len(data.items),
        without_value=int((~known).sum()),
        gold_wrong=data.left_out.gold_wrong,
        sparse_below=SPARSE_BELOW,
        profile=query.profile,
        seed=query.seed,
        resamples=query.resamples,
        excess_resamples=min(query.resamples, EXCESS_RESAMPLES),
        project_revision=data.revision,
        alignment_version=data.alignment_version,
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """The items with some values: `values` by axis, and where each value stands in its axis."""

    values: dict[str, str]
    place: tuple[int, ...]
    inside: Mask


def _groups(project: Project, data: Dataset, axes: Sequence[str]) -> tuple[list[_Group], Mask]:
    """Every combination of values that some item has, and which items have a value on every axis."""
    columns: list[npt.NDArray[np.object_]] = []
    with project.read() as connection:
        for axis in axes:
            values = require_attribute(connection, axis)
            columns.append(np.array([values.get(int(key), "") for key in data.items.keys], dtype=object))
    known = np.logical_and.reduce([column != "" for column in columns])
    names = [sorted(set(column[known].tolist())) for column in columns]
    groups = []
    for place in product(*(range(len(axis)) for axis in names)):
        chosen = [axis[at] for axis, at in zip(names, place, strict=True)]
        inside = known & np.logical_and.reduce([c == value for c, value in zip(columns, chosen, strict=True)])
        if inside.any():
            groups.append(_Group(dict(zip(axes, chosen, strict=True)), place, inside))
    return groups, known


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of the dataset with the metric per item."""

    data: Dataset
    scored: Scored
    metric: str
    parts: Quantity
    clusters: Codes | None

    @property
    def used(self) -> Mask:
        """The answers that count: those given, and for semCER those whose edits are all charged."""
        return self.scored.answered & (self.parts.measured if _plain(self.metric) == SEMCER else True)

    def clusters_in(self, used: Mask) -> Codes | None:
        return None if self.clusters is None else self.clusters[used]


def _rows(run: _Run, groups: Sequence[_Group]) -> list[AttributeRow]:
    rows = [_row(run, group) for group in groups]
    two_axes = bool(groups) and len(groups[0].place) == 2
    rows = _with_excess(run, groups, rows) if two_axes else _with_ratio(rows, run.metric)
    sign = 1 if _plain(run.metric) in FALLING else -1
    return sorted(rows, key=lambda row: (row.value is None, sign * (row.value or 0)))


def _row(run: _Run, group: _Group) -> AttributeRow:
    scored, used = run.scored, run.used & group.inside
    top, bottom = run.parts.total[used], run.parts.weight[used]
    n = int(used.sum())
    if run.metric in PROPORTIONS:
        estimate = wilson_estimate(int(top.sum()), n)
    else:
        query = run.data.query
        rng = rng_for(query.seed, run.metric, scored.run.name, *group.values.values())
        estimate = bootstrap_rate(top, bottom, rng, query.resamples, run.clusters_in(used))
    return AttributeRow(
        system=scored.run.system,
        condition=scored.run.condition,
        role=scored.run.role,
        values=group.values,
        n=n,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        sparse=n < SPARSE_BELOW,
        why={} if estimate.value is not None else {"value": NO_ITEMS if not n else estimate.why},
    )


def _with_ratio(rows: list[AttributeRow], metric: str) -> list[AttributeRow]:
    known = [row for row in rows if row.value is not None]
    values = [row.value or 0.0 for row in known if not row.sparse] or [row.value or 0.0 for row in known]
    easiest = (min(values) if _plain(metric) in FALLING else max(values)) if values else None
    if not easiest:
        return [replace(row, why=row.why | {"ratio": ZERO_EASIEST if values else NO_ITEMS}) for row in rows]
    return [replace(row, ratio=None if row.value is None else row.value / easiest) for row in rows]


def _with_excess(run: _Run, groups: Sequence[_Group], rows: list[AttributeRow]) -> list[AttributeRow]:
    """Compare each cell with the sum of its marginals minus the mean; one bootstrap of all cells together."""
    cell = np.full(len(run.scored.answered), -1)
    for number, group in enumerate(groups):
        cell[group.inside & run.used] = number
    used = cell >= 0
    if not used.any():
        return rows
    columns = np.stack([run.parts.total[used], run.parts.weight[used]], axis=1)
    places = [group.place for group in groups]
    here = np.stack([np.bincount(cell[used], column, len(groups)) for column in columns.T], axis=1)[None].astype(float)
    query = run.data.query
    codes, _ = use_clusters(run.clusters_in(used))
    rng = rng_for(query.seed, "excess", run.metric, run.scored.run.name)
    resamples = min(query.resamples, EXCESS_RESAMPLES)
    draws = resample_sums_by_group(columns, cell[used], len(groups), rng, resamples, codes)
    points, spread = _excess(here, places), _excess(draws, places)
    return [_compared(row, float(points[0, at]), spread[:, at], run.metric) for at, row in enumerate(rows)]


def _excess(sums: Floats, places: Sequence[tuple[int, ...]]) -> Floats:
    """Cell - (marginal + marginal - mean) from sums (resamples x cells x numerator, denominator); NaN undefined."""
    top, bottom = sums[..., 0], sums[..., 1]
    total = _over(top.sum(axis=1, keepdims=True), bottom.sum(axis=1, keepdims=True))
    expected = -np.repeat(total, len(places), axis=1)
    for axis in range(2):
        same = np.array([[a[axis] == b[axis] for a in places] for b in places], dtype=np.float64)
        expected += _over(top @ same, bottom @ same)
    return np.asarray(_over(top, bottom) - expected)


def _over(top: Floats, bottom: Floats) -> Floats:
    rates = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=rates, where=bottom > 0)
    return rates


def _compared(row: AttributeRow, excess: float, draws: Floats, metric: str) -> AttributeRow:
    if row.value is None or np.isnan(excess):
        return row
    interval = percentile_interval(draws)
    hard = interval.low if _plain(metric) in FALLING else interval.high
    sign = 1 if _plain(metric) in FALLING else -1
    return replace(
        row,
        additive=row.value - excess,
        excess=excess,
        excess_low=interval.low,
        excess_high=interval.high,
        compounds=None if hard is None else sign * hard > 0,
    )
