"""A control pair: one network with and without its lexicon. What does the lexicon gain, and what does it lose?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotator.analyses.references import open_reference
from annotator.analyses.strata.basis import Basis, load_stage
from annotator.analyses.strata.grids import Mask, RunCells, Stage, run_on
from annotator.analyses.strata.mitigation import correct, pair_on
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.metrics.strata.labels import fold_label
from annotator.records import Query
from annotator.store.project import Project


@dataclass(frozen=True, slots=True)
class ControlRow:
    """One scope: accuracy `a` with and `b` without the lexicon over `n` items both answered; `delta` = a - b.

    `gained` items only a reads right, `lost` only b; their ids are there to look at.
    """

    scope: str
    n: int
    a: float | None
    b: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: str | None
    mcnemar_p: float | None
    gained: int
    lost: int
    gained_items: tuple[str, ...]
    lost_items: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class ControlReport:
    """Rows for all items, the centre, the corner, and labels absent from and present in the reference corpus."""

    first: str
    second: str
    rows: tuple[ControlRow, ...]
    basis: Basis


def report_control(project: Project, query: Query, first: str, second: str) -> ControlReport:
    """Compare a run with its lexicon (`first`) and the same network without (`second`), paired, by STR word accuracy."""
    staged = load_stage(project, query)
    stage = staged.stage
    a, b = run_on(project, stage, first), run_on(project, stage, second)
    words = open_reference(project, staged.summary.reference).words
    known = np.array([fold_label(gold or "") in words for gold in stage.data.items.gold], dtype=bool)
    on_grid = stage.inside & (stage.places >= 0)
    scopes: dict[str, Mask] = {
        "all": stage.inside,
        "centre": stage.within([CENTRE]),
        "corner": stage.within([CORNER]),
        "absent": on_grid & ~known,
        "present": on_grid & known,
    }
    rows = tuple(_row(query, stage, a, b, scope, inside) for scope, inside in scopes.items())
    return ControlReport(a.name, b.name, rows, staged.basis)


def _row(query: Query, stage: Stage, a: RunCells, b: RunCells, scope: str, inside: Mask) -> ControlRow:
    both = inside & a.used & b.used
    right, too = correct(a) == 1, correct(b) == 1
    gained, lost = (_ids(stage, both & mask) for mask in (right & ~too, ~right & too))
    paired = pair_on(query, a, b, inside, scope)
    return ControlRow(
        scope,
        paired.n,
        paired.a,
        paired.b,
        paired.delta,
        paired.low,
        paired.high,
        paired.p,
        paired.verdict,
        paired.mcnemar_p,
        len(gained),
        len(lost),
        gained,
        lost,
        paired.why,
    )


def _ids(stage: Stage, mask: Mask) -> tuple[str, ...]:
    return tuple(stage.data.items.ids[at] for at in np.flatnonzero(mask).tolist())
