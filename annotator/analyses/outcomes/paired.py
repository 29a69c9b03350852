"""Two runs by outcome: the rewriting rate and literal accuracy, paired, with the 3 x 3 transitions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from annotator.analyses.compare import OUTCOME, Comparison, Paired, pair_values
from annotator.analyses.outcomes.data import OUTCOMES, OutcomeRun, indicator, load_outcomes
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.metrics.outcomes import Outcome
from annotator.records import Query
from annotator.stats.paired import transition_matrix
from annotator.store.project import Project

Mask = npt.NDArray[np.bool_]


def compare_rewriting(
    project: Project, query: Query, first: str, second: str, cell: str, keys: npt.NDArray[np.int64], reference: str
) -> Comparison:
    """Compare two runs by rewriting rate on the items (by key) that have an outcome under both.

    Source: SceneFaith, paired conditions; design of the tests as in StratiSTR appendix F.
    """
    data = load_outcomes(project, query)
    a, b = data.run(first), data.run(second)
    inside = np.isin(data.items.keys, keys)
    both = inside & a.answered & b.answered
    clusters = clusters_of(project, data.items, query)
    codes = None if clusters is None else clusters[both]

    def paired(outcome: Outcome) -> Paired:
        rng = rng_for(query.seed, "compare", outcome.value, a.run.name, b.run.name, cell)
        one, other = (indicator(run.codes[both], outcome) for run in (a, b))
        return pair_values(one, other, rng, query.resamples, codes)

    return Comparison(
        first=a.run.name,
        second=b.run.name,
        metric=OUTCOME,
        cell=cell,
        paired=paired(Outcome.CANONICAL),
        transitions=transition_matrix(a.codes[both].tolist(), b.codes[both].tolist(), range(len(OUTCOMES))),
        only_first=_alone(inside, a, b),
        only_second=_alone(inside, b, a),
        literal=paired(Outcome.LITERAL),
        profile=query.profile,
        seed=query.seed,
        resamples=query.resamples,
        project_revision=data.revision,
        alignment_version=data.alignment_version,
        reference=reference,
    )


def outcome_items(
    project: Project, query: Query, first: str, second: str, row: int, column: int, keys: npt.NDArray[np.int64]
) -> tuple[str, ...]:
    """The ids of the items (among `keys`) with outcome `row` under the first run and `column` under the second."""
    data = load_outcomes(project, query)
    found = np.isin(data.items.keys, keys) & (data.run(first).codes == row) & (data.run(second).codes == column)
    return tuple(data.items.ids[at] for at in np.flatnonzero(found).tolist())


def _alone(inside: Mask, one: OutcomeRun, other: OutcomeRun) -> int:
    return int((inside & one.answered & ~other.answered).sum())
