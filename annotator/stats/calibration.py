"""Is a confidence a probability, and does it put right answers before wrong ones?

Reliability bins and the expected calibration error (Guo et al. 2017, equations 2-3) are for probabilities. Area under the
ROC curve and accuracy at a coverage (Geifman and El-Yaniv 2017) read only the order, so they hold for any score. An isotonic
fit turns a score into a probability; its out-of-fold values are judged like one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.stats.bootstrap import bootstrap_statistic
from annotator.stats.intervals import Estimate, percentile_interval, wilson_interval
from annotator.stats.resample import Codes, Floats, use_clusters

Mask = NDArray[np.bool_]
FOLDS = 5
MOST_DRAWS = 2_000
COVERAGES = tuple(step / 20 for step in range(1, 21))


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers with a confidence in [low, high) (the last bin holds 1): `right` of `n`, their mean confidence.

    `confidence` and `accuracy` are `None` in an empty bin; the interval of the accuracy is Wilson's.
    """

    low: float
    high: float
    n: int
    right: int
    confidence: float | None
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """The `n` surest answers, those with a confidence of at least `threshold`: `coverage` = n / all, `right` of them.

    Answers of equal confidence are kept or left together. The interval of the accuracy is Wilson's.
    """

    coverage: float
    threshold: float
    n: int
    right: int
    accuracy: float
    accuracy_low: float | None
    accuracy_high: float | None


@dataclass(frozen=True, slots=True)
class FitPoint:
    """A knot of an isotonic fit: at `score` the fitted chance of being right; straight lines between knots."""

    score: float
    probability: float


def reliability_bins(confidence: Floats, right: Mask, bins: int = 10) -> tuple[ReliabilityBin, ...]:
    """Accuracy and mean confidence in `bins` bins of equal width over [0, 1]. Shapes (answers,)."""
    codes = _bins_of(confidence, bins)
    found = []
    for code in range(bins):
        here = codes == code
        n, hits = int(here.sum()), int((here & right).sum())
        interval = wilson_interval(hits, n)
        mean = float(confidence[here].mean()) if n else None
        share = hits / n if n else None
        found.append(ReliabilityBin(code / bins, (code + 1) / bins, n, hits, mean, share, interval.low, interval.high))
    return tuple(found)


def calibration_error(
    confidence: Floats,
    right: Mask,
    rng: np.random.Generator,
    bins: int = 10,
    resamples: int = 10_000,
    clusters: Codes | None = None,
) -> Estimate:
    """Expected calibration error: sum over bins of n_b / n |accuracy_b - confidence_b|, with the item bootstrap.

    0 is perfect, 1 the worst. Chance differences in the bins add up, so that resamples (and small samples) lie above the truth:
    the interval says how far the figure may move, and may lie wholly above it. Undefined without answers.
    """
    codes = _bins_of(confidence, bins)
    columns = np.zeros((len(confidence), bins + 1))
    columns[np.arange(len(confidence)), codes] = right - confidence
    columns[:, bins] = 1.0
    return bootstrap_statistic(columns, _error_of_sums, rng, resamples, clusters)


def _error_of_sums(sums: Floats) -> Floats:
    gaps, n = np.abs(sums[:, :-1]).sum(axis=1), sums[:, -1]
    errors: Floats = np.divide(gaps, n, out=np.full_like(gaps, np.nan), where=n > 0)
    return errors


def _bins_of(confidence: Floats, bins: int) -> NDArray[np.int64]:
    return np.minimum((confidence * bins).astype(np.int64), bins - 1)


def ranking_quality(
    confidence: Floats,
    right: Mask,
    rng: np.random.Generator,
    resamples: int = MOST_DRAWS,
    clusters: Codes | None = None,
) -> Estimate:
    """Area under the ROC curve: the chance that a right answer is surer than a wrong one, ties counting one half.

    0.5 says nothing about errors, 1 separates them. Items (or documents, with `clusters`) are resampled, 2,000 draws at most.
    Undefined when no answer is right or none is wrong.
    """
    n = len(confidence)
    if not n or right.all() or not right.any():
        return Estimate(None, None, None, n, why="no answer is wrong" if n and right.all() else "no answer is right")
    levels = np.unique(confidence, return_inverse=True)[1]
    codes, note = use_clusters(clusters)
    units = np.arange(n) if codes is None else np.unique(codes, return_inverse=True)[1]
    size = int(units.max()) + 1
    draws = np.empty(min(resamples, MOST_DRAWS))
    for at in range(len(draws)):
        times = np.bincount(rng.integers(0, size, size), minlength=size)[units]
        draws[at] = _area(levels, right, times)
    interval = percentile_interval(draws)
    return Estimate(float(_area(levels, right, np.ones(n))), interval.low, interval.high, n, note=note)


def _area(levels: NDArray[np.int64], right: Mask, times: NDArray[np.generic]) -> float:
    """The area of answers at `levels` of confidence, each taken `times`; NaN without a right or a wrong one."""
    hits, misses = np.bincount(levels, times * right), np.bincount(levels, times * ~right)
    pairs = hits.sum() * misses.sum()
    below = np.cumsum(misses) - misses
    return float((hits * (below + misses / 2)).sum() / pairs) if pairs else float("nan")


def coverage_curve(confidence: Floats, right: Mask) -> tuple[CoveragePoint, ...]:
    """Accuracy of the surest 5, 10 ... 100 % of the answers, with the threshold that keeps them; equal points once."""
    n = len(confidence)
    if not n:
        return ()
    order = np.argsort(-confidence, kind="stable")
    sure, hits = confidence[order], np.cumsum(right[order])
    ends = np.flatnonzero(np.append(sure[1:] != sure[:-1], True)) + 1
    chosen = sorted({int(ends[np.searchsorted(ends, target * n - 1e-9)]) for target in COVERAGES})
    return tuple(_point(kept, n, int(hits[kept - 1]), float(sure[kept - 1])) for kept in chosen)


def _point(kept: int, n: int, right: int, threshold: float) -> CoveragePoint:
    interval = wilson_interval(right, kept)
    return CoveragePoint(kept / n, threshold, kept, right, right / kept, interval.low, interval.high)


def why_no_fit(right: Mask) -> str:
    """Why a cross-validated fit cannot be made, or ""."""
    hits = int(right.sum())
    if min(hits, len(right) - hits) < FOLDS:
        return f"a fit in {FOLDS} folds needs {FOLDS} right and {FOLDS} wrong answers: found {hits} and {len(right) - hits}"
    return ""


def isotonic_out_of_fold(confidence: Floats, right: Mask, seed: int, clusters: Codes | None = None) -> Floats:
    """The chance of being right that an isotonic regression gives each answer, fitted on the other four folds.

    Folds are stratified by right and wrong and keep the answers of one document together. Needs what `why_no_fit` asks for.
    """
    from sklearn.isotonic import IsotonicRegression
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    codes, _ = use_clusters(clusters)
    kind = StratifiedKFold if codes is None else StratifiedGroupKFold
    fitted = np.empty(len(confidence))
    for train, test in kind(FOLDS, shuffle=True, random_state=seed).split(confidence[:, None], right, codes):
        model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        model.fit(confidence[train], right[train].astype(np.float64))
        fitted[test] = model.predict(confidence[test])
    return np.clip(fitted, 0.0, 1.0)


def isotonic_fit(confidence: Floats, right: Mask) -> tuple[FitPoint, ...]:
    """The isotonic regression on all answers as its knots: what a score has meant here."""
    from sklearn.isotonic import IsotonicRegression

    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    model.fit(confidence, right.astype(np.float64))
    pairs = zip(model.X_thresholds_.tolist(), model.y_thresholds_.tolist(), strict=True)
    return tuple(FitPoint(score, chance) for score, chance in pairs)
