"""`report calibration`: whether a system's confidence can be believed, and its most confident errors."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from annotator.analyses.confidence.answersure import COMBINE, answer_confidence
from annotator.analyses.dataset import Dataset, Scored, load_dataset
from annotator.analyses.memo import remembered
from annotator.analyses.sampling import Codes, clusters_of, rng_for
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_mean
from annotator.stats.calibration import (
    CoveragePoint,
    FitPoint,
    Mask,
    ReliabilityBin,
    calibration_error,
    coverage_curve,
    isotonic_fit,
    isotonic_out_of_fold,
    ranking_quality,
    reliability_bins,
    why_no_fit,
)
from annotator.stats.intervals import Estimate, wilson_interval
from annotator.stats.resample import Floats
from annotator.store.project import Project
from annotator.store.reading import read_texts

ENGINE_SCORE, UNKNOWN = "engine-score", "unknown"
RIGHT = ("str_accuracy", "exact", "charitable")
NO_CONFIDENCE = "no answer carries a confidence"
SCORE = "an engine score is no probability: see the fitted calibration, and the order alone"
OUTSIDE = "values outside 0 to 1 are no probabilities: see the fitted calibration, and the order alone"
UNKNOWN_NOTE = (
    "what these confidences are is unknown: ece takes them for probabilities (system confidence NAME KIND says it)"
)


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """One run over its `n` answered items with a confidence; `without` are answered and carry none.

    `kind`: softmax, engine-score or unknown. `ece` is of the confidence itself, `None` for an engine score; `ece_fitted` of
    the isotonic fit, every answer's value from a fit that has not seen it. `auroc`: the chance that a right answer is surer
    than a wrong one. `bins` are of the confidence, `fitted_bins` of the out-of-fold fit, `fit` is the fit on all answers.
    """

    system: str
    condition: str
    kind: str
    n: int
    without: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    mean: float | None
    mean_correct: float | None
    mean_correct_low: float | None
    mean_correct_high: float | None
    n_correct: int
    mean_wrong: float | None
    mean_wrong_low: float | None
    mean_wrong_high: float | None
    n_wrong: int
    ece: float | None
    ece_low: float | None
    ece_high: float | None
    ece_fitted: float | None
    ece_fitted_low: float | None
    ece_fitted_high: float | None
    auroc: float | None
    auroc_low: float | None
    auroc_high: float | None
    bins: tuple[ReliabilityBin, ...]
    fitted_bins: tuple[ReliabilityBin, ...]
    fit: tuple[FitPoint, ...]
    coverage: tuple[CoveragePoint, ...]
    why: dict[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class ConfidentError:
    """A wrong answer; `rank` 1 is the surest wrong one of its run, `right_below` counts the right answers that are less sure."""

    system: str
    condition: str
    rank: int
    item_key: int
    item_id: str
    language: str
    gold: str
    predicted: str
    confidence: float
    right_below: int


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Rows per run, the most confident errors of each, and what they rest on."""

    rows: tuple[CalibrationRow, ...]
    errors: tuple[ConfidentError, ...]
    metric: str
    field: str
    combine: str
    bins: int
    profile: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    gold_wrong: int


def report_calibration(
    project: Project,
    query: Query,
    field: str = "",
    combine: str = "mean",
    metric: str = "str_accuracy",
    bins: int = 10,
    limit: int = 20,
) -> CalibrationReport:
    """Reliability, expected calibration error, ranking, coverage and the `limit` most confident errors of every run.

    An answer's confidence: its `char_confidence` combined (mean, min or product; nulls skipped) where given, else
    `confidence`; `field` chooses one of them or a numeric column. Right by `metric`: str_accuracy, exact or charitable.
    Raises `UsageError` for other names.
    """
    if metric not in RIGHT:
        raise UsageError(f"metric: found {metric!r}; expected one of {', '.join(RIGHT)}: an answer is right or wrong")
    if combine not in COMBINE:
        raise UsageError(f"combine: found {combine!r}; expected one of {', '.join(COMBINE)}")
    asked = (query, field, combine, metric, bins, limit)
    return remembered(project, "calibration", asked, CalibrationReport, lambda: _build(project, *asked))


def _build(
    project: Project, query: Query, field: str, combine: str, metric: str, bins: int, limit: int
) -> CalibrationReport:
    data = load_dataset(project, query)
    clusters = clusters_of(project, data.items, query)
    rows: list[CalibrationRow] = []
    errors: list[ConfidentError] = []
    for scored in data.runs:
        sure = answer_confidence(project, data, scored, field, combine)
        right = _right(scored, metric)
        rows.append(_row(query, scored, sure, right, bins, clusters))
        errors += _errors(project, data, scored, sure, right, limit)
    return CalibrationReport(
        tuple(rows),
        tuple(errors),
        metric,
        field or "char_confidence, else confidence",
        combine,
        bins,
        query.profile,
        query.seed,
        query.resamples,
        data.revision,
        data.alignment_version,
        data.left_out.gold_wrong,
    )


def _right(scored: Scored, metric: str) -> Mask:
    scores = scored.scores
    by_name = {"str_accuracy": scores.str_exact, "exact": scores.exact, "charitable": scores.charitable}
    return np.asarray(by_name[metric], dtype=bool)


@dataclass(frozen=True, slots=True)
class _Judged:
    """One run's answers that carry a confidence."""

    query: Query
    name: str
    sure: Floats
    right: Mask
    clusters: Codes | None
    bins: int

    def error(self, what: str, values: Floats) -> Estimate:
        rng = rng_for(self.query.seed, what, self.name)
        return calibration_error(values, self.right, rng, self.bins, self.query.resamples, self.clusters)

    def mean(self, what: str, chosen: Mask) -> Estimate:
        clusters = None if self.clusters is None else self.clusters[chosen]
        rng = rng_for(self.query.seed, what, self.name)
        return bootstrap_mean(self.sure[chosen], rng, self.query.resamples, clusters)


def _row(query: Query, scored: Scored, sure: Floats, right: Mask, bins: int, clusters: Codes | None) -> CalibrationRow:
    given = scored.answered & ~np.isnan(sure)
    name, kind = scored.run.name, scored.run.confidence_kind
    judged = _Judged(query, name, sure[given], right[given], None if clusters is None else clusters[given], bins)
    n, hits = int(given.sum()), int(judged.right.sum())
    interval = wilson_interval(hits, n)
    refused = NO_CONFIDENCE if not n else _no_probability(kind, judged.sure)
    nothing = Estimate(None, None, None, n, why=refused)
    raw = nothing if refused else judged.error("ece", judged.sure)
    unfit = NO_CONFIDENCE if not n else why_no_fit(judged.right)
    fitted = None if unfit else isotonic_out_of_fold(judged.sure, judged.right, query.seed, judged.clusters)
    fitted_error = Estimate(None, None, None, n, why=unfit) if fitted is None else judged.error("ece fitted", fitted)
    rng = rng_for(query.seed, "auroc", name)
    order = (
        ranking_quality(judged.sure, judged.right, rng, query.resamples, judged.clusters)
        if n
        else Estimate(None, None, None, 0, why=NO_CONFIDENCE)
    )
    correct, wrong = judged.mean("correct", judged.right), judged.mean("wrong", ~judged.right)
    return CalibrationRow(
        system=scored.run.system,
        condition=scored.run.condition,
        kind=kind,
        n=n,
        without=scored.n - n,
        accuracy=hits / n if n else None,
        accuracy_low=interval.low,
        accuracy_high=interval.high,
        mean=float(judged.sure.mean()) if n else None,
        mean_correct=correct.value,
        mean_correct_low=correct.low,
        mean_correct_high=correct.high,
        n_correct=hits,
        mean_wrong=wrong.value,
        mean_wrong_low=wrong.low,
        mean_wrong_high=wrong.high,
        n_wrong=n - hits,
        ece=raw.value,
        ece_low=raw.low,
        ece_high=raw.high,
        ece_fitted=fitted_error.value,
        ece_fitted_low=fitted_error.low,
        ece_fitted_high=fitted_error.high,
        auroc=order.value,
        auroc_low=order.low,
        auroc_high=order.high,
        bins=() if refused else reliability_bins(judged.sure, judged.right, bins),
        fitted_bins=() if fitted is None else reliability_bins(fitted, judged.right, bins),
        fit=() if fitted is None else isotonic_fit(judged.sure, judged.right),
        coverage=coverage_curve(judged.sure, judged.right),
        why=_why(n, hits, {"ece": raw, "ece_fitted": fitted_error, "auroc": order}),
        note=" ".join(filter(None, [UNKNOWN_NOTE if kind == UNKNOWN and not refused else "", order.note])),
    )


def _no_probability(kind: str, sure: Floats) -> str:
    if kind == ENGINE_SCORE:
        return SCORE
    return OUTSIDE if (sure < 0).any() or (sure > 1).any() else ""


def _why(n: int, hits: int, figures: dict[str, Estimate]) -> dict[str, str]:
    why = {name: figure.why for name, figure in figures.items() if figure.value is None}
    if not n:
        why |= dict.fromkeys(("accuracy", "mean", "mean_correct", "mean_wrong"), NO_CONFIDENCE)
    elif not hits:
        why["mean_correct"] = "no right answer carries a confidence"
    elif hits == n:
        why["mean_wrong"] = "no wrong answer carries a confidence"
    return why


def _errors(
    project: Project, data: Dataset, scored: Scored, sure: Floats, right: Mask, limit: int
) -> list[ConfidentError]:
    given = scored.answered & ~np.isnan(sure)
    wrong = np.flatnonzero(given & ~right)
    first = wrong[np.argsort(-sure[wrong], kind="stable")][:limit].tolist()
    if not first:
        return []
    with project.read() as connection:
        texts = read_texts(connection, scored.run.key)
    answers = dict(zip(texts.keys.tolist(), zip(texts.predicted, texts.own_gold, strict=True), strict=True))
    hits = np.sort(sure[given & right])
    found = []
    for rank, at in enumerate(first, start=1):
        predicted, own = answers.get(int(data.items.keys[at]), ("", None))
        gold = own if data.query.own_gold and own is not None else data.items.gold[at] or ""
        found.append(
            ConfidentError(
                system=scored.run.system,
                condition=scored.run.condition,
                rank=rank,
                item_key=int(data.items.keys[at]),
                item_id=data.items.ids[at],
                language=data.items.language[at],
                gold=gold,
                predicted=predicted,
                confidence=float(sure[at]),
                right_below=int(np.searchsorted(hits, sure[at], "left")),
            )
        )
    return found
