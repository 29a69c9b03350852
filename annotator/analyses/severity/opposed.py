"""Where semCER and CER rank two systems in opposite order, and the pairs of outputs behind it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, load_dataset
from annotator.analyses.severity.loading import RunCharges, load_charges
from annotator.analyses.severity.readable import without_writing
from annotator.records import Query
from annotator.store.detail import read_predicted
from annotator.store.project import Project

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OpposedOutputs:
    """One item that two systems answered, where CER and semCER order the two outputs oppositely."""

    item_id: str
    language: str
    gold: str
    predicted_a: str
    predicted_b: str
    cer_a: float
    cer_b: float
    semcer_a: float
    semcer_b: float


@dataclass(frozen=True, slots=True)
class OpposedSystems:
    """Two runs over the `n` items that both answered and a provider charged in full; the figures are pooled over them.

    `opposite`: CER and semCER rank the two runs oppositely (a tie of either is no opposite order). `outputs_opposite` of
    the items have it for their two outputs.
    """

    a: str
    b: str
    n: int
    cer_a: float
    cer_b: float
    semcer_a: float
    semcer_b: float
    opposite: bool
    outputs_opposite: int


@dataclass(frozen=True, slots=True)
class _Run:
    name: str
    key: int
    used: npt.NDArray[np.bool_]
    edits: Floats
    total: Floats
    length: Floats


@without_writing
def opposed_systems(project: Project, query: Query, provider: str) -> tuple[OpposedSystems, ...]:
    """Every two runs of `query`, those ranked oppositely first, then by how many of their outputs are."""
    runs = _runs(load_dataset(project, query), project, provider)
    found = [row for a, b in combinations(runs, 2) if (row := _compare(a, b)) is not None]
    return tuple(sorted(found, key=lambda row: (not row.opposite, -row.outputs_opposite)))


@without_writing
def opposed_outputs(
    project: Project, query: Query, provider: str, a: str, b: str, offset: int = 0, limit: int = 20
) -> tuple[OpposedOutputs, ...]:
    """A page of the items on which CER and semCER order the outputs of runs `a` and `b` oppositely.

    The order is by the product of the two differences, the largest first. Raises `UsageError` for an unknown run.
    """
    data = load_dataset(project, query)
    runs = {run.name: run for run in _runs(data, project, provider)}
    one, two = runs[data.run(a).run.name], runs[data.run(b).run.name]
    cer, semcer = _differences(one, two)
    product = np.nan_to_num(cer * semcer)
    order = np.argsort(product, kind="stable")
    chosen = [int(at) for at in order if product[at] < 0][offset : offset + limit]
    with project.read() as connection:
        texts = read_predicted(connection, (one.key, two.key), [int(data.items.keys[at]) for at in chosen])
    return tuple(_outputs(data, one, two, at, texts) for at in chosen)


def _outputs(data: Dataset, a: _Run, b: _Run, at: int, texts: dict[tuple[int, int], str]) -> OpposedOutputs:
    key = int(data.items.keys[at])
    return OpposedOutputs(
        data.items.ids[at],
        data.items.language[at],
        data.items.gold[at] or "",
        texts.get((a.key, key), ""),
        texts.get((b.key, key), ""),
        *(float(run.edits[at] / run.length[at]) for run in (a, b)),
        *(float(run.total[at] / run.length[at]) for run in (a, b)),
    )


def _runs(data: Dataset, project: Project, provider: str) -> list[_Run]:
    charges: tuple[RunCharges, ...] = load_charges(project, data, provider)
    return [
        _Run(
            scored.run.name,
            scored.run.key,
            charged.scored,
            charged.edits.astype(np.float64),
            charged.total,
            np.asarray(scored.scores.gold_length).astype(np.float64),
        )
        for scored, charged in zip(data.runs, charges, strict=True)
    ]


def _differences(a: _Run, b: _Run) -> tuple[Floats, Floats]:
    """CER and semCER of a minus b per item; NaN where one of the two is not scored."""
    both = a.used & b.used & (a.length > 0)
    length = np.where(both, a.length, np.nan)
    return (a.edits - b.edits) / length, (a.total - b.total) / length


def _compare(a: _Run, b: _Run) -> OpposedSystems | None:
    both = a.used & b.used
    length = float(a.length[both].sum())
    if not length:
        return None
    cer, semcer = _differences(a, b)
    cer_a, cer_b, semcer_a, semcer_b = (
        float(values[both].sum()) / length for values in (a.edits, b.edits, a.total, b.total)
    )
    opposite = (cer_a - cer_b) * (semcer_a - semcer_b) < 0
    outputs = int((np.nan_to_num(cer * semcer) < 0).sum())
    return OpposedSystems(a.name, b.name, int(both.sum()), cer_a, cer_b, semcer_a, semcer_b, opposite, outputs)
