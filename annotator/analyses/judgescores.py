"""Where a judge's scores, the raters' majority and a second judge's scores come from: columns or studies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored
from annotator.analyses.quantities import numbers, spread
from annotator.errors import UsageError
from annotator.metrics.rates import Metric, item_parts
from annotator.store.project import Project
from annotator.store.quantities import extra_names
from annotator.store.studies import all_studies, find_study, task_makers
from annotator.store.study_read import study_ratings
from annotator.store.study_records import RatingRow

LOWEST, HIGHEST = 1, 5
SCORE_STUDY = "text-score"
PEOPLE, MODELS = ("person", "import"), ("model",)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """Per item of one run: judge, majority, second judge (NaN where there is none), edits and gold length, cluster."""

    judge: Floats
    majority: Floats
    other: Floats
    edits: Floats
    length: Floats
    item: npt.NDArray[np.int64]


def study_names(project: Project) -> frozenset[str]:
    """The names of all studies."""
    with project.read() as connection:
        return frozenset(study.name for study in all_studies(connection))


def judge_sources(project: Project) -> tuple[str, ...]:
    """What can be named as judge or raters: further columns of the predictions, then studies of output scores."""
    with project.read() as connection:
        studies = [study.name for study in all_studies(connection) if study.kind == SCORE_STUDY]
        return tuple(dict.fromkeys((*extra_names(connection), *studies)))


def judge_scores(
    project: Project,
    data: Dataset,
    scored: Scored,
    sources: tuple[str, str, str],
    studies: frozenset[str],
    lost: Counter[str],
) -> JudgeScores:
    """The scores of one run from its `sources` (judge, raters, second judge). `lost["tie"]` counts answers without majority.

    Raises UsageError for a name that is neither a numeric column nor one of `studies`, and for scores outside 1 to 5.
    """
    judge, raters, other = sources
    parts = item_parts(scored.scores, Metric.CER)
    nothing = np.full(len(data.items), math.nan)

    def source(name: str, kinds: Sequence[str]) -> Floats:
        if not name:
            return nothing
        if name in studies:
            return _from_study(project, data, scored, name, kinds, lost)
        values = numbers(project, data, scored, name)
        given = values[~np.isnan(values)]
        if len(given) and (given.min() < LOWEST or given.max() > HIGHEST):
            raise UsageError(f"{name}: found scores from {given.min():g} to {given.max():g}; expected 1 to 5")
        return values

    hidden = np.where(scored.answered, 0.0, math.nan)
    return JudgeScores(
        judge=source(judge, MODELS) + hidden,
        majority=source(raters, PEOPLE) + hidden,
        other=source(other, MODELS) + hidden,
        edits=parts.numerator,
        length=parts.denominator,
        item=np.arange(len(data.items)),
    )


def _from_study(
    project: Project, data: Dataset, scored: Scored, name: str, kinds: Sequence[str], lost: Counter[str]
) -> Floats:
    """Scores of one run's answers in a study: the strict majority of people, or the mean of model judges."""
    with project.read() as connection:
        study = find_study(connection, name)
        makers, ratings = task_makers(connection, study.key), study_ratings(connection, study)
    mine = {task for task, who in makers.items() if run_name(scored) in {(m.system, m.condition) for m in who}}
    groups: dict[str, list[RatingRow]] = {}
    for row in ratings:
        counts = row.value is not None and not (row.repeat or row.attention or row.withdrawn or row.surplus)
        if counts and row.task_key in mine and row.rater_kind in kinds:
            groups.setdefault(row.item_id, []).append(row)
    key_of = dict(zip(data.items.ids, data.items.keys.tolist(), strict=True))
    values: dict[int, float] = {}
    for item_id, rows in groups.items():
        value = _mean(rows) if kinds == MODELS else _majority(rows)
        if value is None:
            lost["tie"] += 1
        elif item_id in key_of:
            values[key_of[item_id]] = value
    return spread(data, values)


def _mean(rows: Sequence[RatingRow]) -> float:
    return sum(float(row.value or 0) for row in rows) / len(rows)


def _majority(rows: Sequence[RatingRow]) -> float | None:
    value, n = Counter(row.value for row in rows).most_common(1)[0]
    return float(value or 0) if 2 * n > len(rows) else None


def pool_scores(runs: Sequence[JudgeScores]) -> JudgeScores:
    """The answers of several runs as one list; `item` still says which item each is of."""

    def stacked(name: str) -> Floats:
        return np.concatenate([getattr(scores, name) for scores in runs]) if runs else np.zeros(0)

    return JudgeScores(
        judge=stacked("judge"),
        majority=stacked("majority"),
        other=stacked("other"),
        edits=stacked("edits"),
        length=stacked("length"),
        item=stacked("item").astype(np.int64),
    )


def run_name(scored: Scored) -> tuple[str, str]:
    """System and condition."""
    return scored.run.system, scored.run.condition
