"""`report judge`: a judge's scores beside CER and the raters' majority; where judge and CER part; a second judge.

Source: BanglaWild, Appendix F (scores 1 to 5; agreement within 1, exactly, Spearman) and section 5 (in-family inflation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, load_dataset
from annotator.analyses.judgescores import (
    HIGHEST,
    LOWEST,
    JudgeScores,
    judge_scores,
    pool_scores,
    run_name,
    study_names,
)
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_difference, bootstrap_mean, bootstrap_rate
from annotator.stats.paired import spearman
from annotator.stats.resample import Codes
from annotator.store.errorblocks import read_pairs
from annotator.store.project import Project

NO_SCORES = "no answer in scope has a score"
NO_PAIRS = "no answer in scope has both a score and a majority"


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One run, or all of them pooled (`system` ""). Undefined is `None` and `why` says why by key.

    judge: mean score over `n` answers; cer: over the same answers. exact, within_one, spearman: judge against the raters'
    majority, over `raters_n` answers that have both. other_judge, difference (judge - other, paired interval): over
    `other_n` answers that both judges scored; above 0, this judge is the kinder one.
    """

    system: str
    condition: str
    own_family: bool
    n: int
    judge: float | None
    judge_low: float | None
    judge_high: float | None
    cer: float | None
    cer_low: float | None
    cer_high: float | None
    raters_n: int
    exact: float | None
    within_one: float | None
    spearman: float | None
    spearman_low: float | None
    spearman_high: float | None
    other_n: int
    other_judge: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    verdict: str | None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer on which judge and CER part. `gap` = (judge - 1) / 4 - (1 - min(CER, 1)): above 0, the judge is kinder."""

    id: str
    system: str
    condition: str
    gold: str
    predicted: str
    judge: float
    cer: float
    gap: float


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """Rows per run, all runs pooled, and the answers on which judge and CER disagree most.

    `without_majority`: answers that raters rated without one value having more than half.
    """

    rows: tuple[JudgeRow, ...]
    pooled: JudgeRow
    disagree: tuple[Disagreement, ...]
    judge: str
    raters: str
    other: str
    without_majority: int
    profile: str
    seed: int
    resamples: int
    project_revision: int


def report_judge(
    project: Project, query: Query, judge: str, raters: str = "", other: str = "", family: str = "", limit: int = 20
) -> JudgeReport:
    """Hold a judge against the raters' majority and against a second judge.

    `judge` and `other` name a numeric column of the predictions, or a study whose model judges are meant (their mean).
    `raters` names a study (the strict majority of its people) or a numeric column. `family` is the judge's own family:
    its systems are flagged. Raises UsageError for names that are neither column nor study, and for scores outside 1 to 5.
    """
    data = load_dataset(project, query)
    studies = study_names(project)
    lost = Counter[str]()
    runs = [judge_scores(project, data, scored, (judge, raters, other), studies, lost) for scored in data.runs]
    clusters = clusters_of(project, data.items, query)
    rows = tuple(
        _row(query, run_name(scored), scores, clusters, bool(family) and scored.run.family == family)
        for scored, scores in zip(data.runs, runs, strict=True)
    )
    by_item = clusters if clusters is not None else np.arange(len(data.items))
    pooled = _row(query, ("", ""), pool_scores(runs), by_item, False)
    return JudgeReport(
        rows=rows,
        pooled=pooled,
        disagree=_disagreements(project, data, runs, limit),
        judge=judge,
        raters=raters,
        other=other,
        without_majority=lost["tie"],
        profile=query.profile,
        seed=query.seed,
        resamples=query.resamples,
        project_revision=data.revision,
    )


def _row(query: Query, name: tuple[str, str], scores: JudgeScores, clusters: Codes | None, own: bool) -> JudgeRow:
    judged, rated, twice = (
        ~np.isnan(scores.judge + part) for part in (np.zeros_like(scores.judge), scores.majority, scores.other)
    )

    def codes(used: npt.NDArray[np.bool_]) -> Codes | None:
        return None if clusters is None else clusters[scores.item[used]]

    def rng(what: str) -> np.random.Generator:
        return rng_for(query.seed, "judge", what, *name)

    mean = bootstrap_mean(scores.judge[judged], rng("mean"), query.resamples, codes(judged))
    cer = bootstrap_rate(scores.edits[judged], scores.length[judged], rng("cer"), query.resamples, codes(judged))
    gap = np.abs(scores.judge[rated] - scores.majority[rated])
    rho = spearman(scores.judge[rated], scores.majority[rated], rng("spearman"), query.resamples)
    other = bootstrap_difference(scores.judge[twice], scores.other[twice], rng("other"), query.resamples, codes(twice))
    why = {} if judged.any() else {"judge": NO_SCORES, "cer": NO_SCORES}
    if not rated.any():
        why |= dict.fromkeys(("exact", "within_one"), NO_PAIRS)
    if rho.value is None:
        why["spearman"] = rho.why if rated.any() else NO_PAIRS
    return JudgeRow(
        system=name[0],
        condition=name[1],
        own_family=own,
        n=int(judged.sum()),
        judge=mean.value,
        judge_low=mean.low,
        judge_high=mean.high,
        cer=cer.value,
        cer_low=cer.low,
        cer_high=cer.high,
        raters_n=int(rated.sum()),
        exact=float(np.mean(gap == 0)) if len(gap) else None,
        within_one=float(np.mean(gap <= 1)) if len(gap) else None,
        spearman=rho.value,
        spearman_low=rho.low,
        spearman_high=rho.high,
        other_n=int(twice.sum()),
        other_judge=other.b,
        difference=other.difference,
        difference_low=other.low,
        difference_high=other.high,
        verdict=None if other.verdict is None else other.verdict.value,
        why=why,
    )


def _disagreements(
    project: Project, data: Dataset, runs: Sequence[JudgeScores], limit: int
) -> tuple[Disagreement, ...]:
    found: list[tuple[float, int, int]] = []
    for number, scores in enumerate(runs):
        rate = np.divide(scores.edits, scores.length, out=np.ones_like(scores.edits), where=scores.length > 0)
        gap = (scores.judge - LOWEST) / (HIGHEST - LOWEST) - (1 - np.minimum(rate, 1))
        found += [(float(gap[at]), number, int(at)) for at in np.flatnonzero(~np.isnan(gap))]
    found.sort(key=lambda one: (-abs(one[0]), one[1], one[2]))
    return tuple(_disagreement(project, data, runs, one) for one in found[:limit])


def _disagreement(
    project: Project, data: Dataset, runs: Sequence[JudgeScores], found: tuple[float, int, int]
) -> Disagreement:
    gap, number, at = found
    scored, scores = data.runs[number], runs[number]
    with project.read() as connection:
        keys = frozenset({int(data.items.keys[at])})
        pairs = read_pairs(connection, scored.run.key, data.query.own_gold, keys)
    return Disagreement(
        id=data.items.ids[at],
        system=scored.run.system,
        condition=scored.run.condition,
        gold=pairs[0].gold if pairs else data.items.gold[at] or "",
        predicted=pairs[0].predicted if pairs else "",
        judge=float(scores.judge[at]),
        cer=float(scores.edits[at] / scores.length[at]) if scores.length[at] else 0.0,
        gap=gap,
    )
