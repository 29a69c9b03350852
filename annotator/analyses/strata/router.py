"""The oracle of two or three systems, and a router that chooses by their confidences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.analyses.compare import Paired, pair_values
from annotator.analyses.memo import remembered
from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.grids import Mask, RunCells, Stage, run_on
from annotator.analyses.strata.mitigation import correct
from annotator.errors import UsageError
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.metrics.strata.router import AnswerSigns, pair_features
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.quantities import read_char_confidences, read_confidences, read_extra
from annotator.store.reading import read_texts
from annotator.text.profiles import Profile, apply_profile

Floats = npt.NDArray[np.float64]
FOLDS = 5
STRONGEST = 12


@dataclass(frozen=True, slots=True)
class RouterRow:
    """One scope: STR word accuracy of each system, of the oracle (right if any is) and of the router, over `n` items.

    `gain` = routed - the best single system's accuracy overall, paired, with its interval; `best` names that system.
    """

    scope: str
    n: int
    single: tuple[float | None, ...]
    best: str
    oracle: float | None
    routed: float | None
    gain: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A weight of the logistic regression on standardised features; above 0 it speaks for `system`."""

    system: str
    feature: str
    weight: float


@dataclass(frozen=True, slots=True)
class RouterReport:
    """Rows for all items, corner and centre; shares of items sent to each system; the strongest coefficients.

    `trained_on` items: with two systems those on which exactly one is right, with three all items answered by all.
    """

    systems: tuple[str, ...]
    rows: tuple[RouterRow, ...]
    disagreements: int
    trained_on: int
    folds: int
    shares: tuple[float, ...]
    coefficients: tuple[Coefficient, ...]
    basis: Basis
    why: str = ""


def report_router(project: Project, query: Query, systems: Sequence[str]) -> RouterReport:
    """Route each item to one of two or three runs by confidence, cross-validated. Source: StratiSTR section 5.4.

    Logistic regression on standardised features, five stratified folds: every item is routed by a model that has not
    seen it. Raises `UsageError` for another number of runs, or for runs without any confidence.
    """
    if len(set(systems)) not in (2, 3) or len(set(systems)) != len(systems):
        raise UsageError(f"router: found {len(set(systems))} different systems; expected two or three")
    asked = (query, tuple(systems), edges_mark(query))
    return remembered(project, "router", asked, RouterReport, lambda: _build(project, query, systems))


def _build(project: Project, query: Query, systems: Sequence[str]) -> RouterReport:
    staged = load_stage(project, query)
    stage = staged.stage
    runs = [run_on(project, stage, name) for name in systems]
    used = np.logical_and.reduce([run.used for run in runs])
    at = np.flatnonzero(used)
    right = np.stack([correct(run)[at] == 1 for run in runs], axis=1)
    features, names, differ = _features(project, runs, at)
    routed = _route(right, features, [run.name for run in runs], query.seed)
    choice = routed.choice
    hit = right[np.arange(len(at)), choice].astype(np.float64)
    rows = tuple(
        _row(query, stage, runs, at, right, hit, scope, inside)
        for scope, inside in (
            ("all", stage.inside),
            ("corner", stage.within([CORNER])),
            ("centre", stage.within([CENTRE])),
        )
    )
    return RouterReport(
        tuple(run.name for run in runs),
        rows,
        int(differ.sum()),
        routed.trained_on,
        routed.folds,
        tuple(float((choice == k).mean()) if len(choice) else 0.0 for k in range(len(runs))),
        _strongest(routed, names),
        staged.basis,
        routed.why,
    )


def _features(project: Project, runs: Sequence[RunCells], at: npt.NDArray[np.intp]) -> tuple[Floats, list[str], Mask]:
    """Features per item (items x features), their names, and which items the systems answer differently."""
    signs = [_signs(project, run) for run in runs]
    keys = runs[0].stage.data.items.keys[at].tolist()
    rows = []
    differ = np.zeros(len(keys), dtype=bool)
    for place, key in enumerate(keys):
        answers = {run.name: known.get(key, AnswerSigns("", ())) for run, known in zip(runs, signs, strict=True)}
        differ[place] = len({answer.text for answer in answers.values()}) > 1
        rows.append(pair_features(answers))
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows], dtype=np.float64)
    return table.reshape(len(rows), len(names)), names, differ


def _signs(project: Project, run: RunCells) -> dict[int, AnswerSigns]:
    key = run.scored.run.key
    with project.read() as connection:
        texts = read_texts(connection, key)
        characters, whole = read_char_confidences(connection, key), read_confidences(connection, key)
        entropy = read_extra(connection, key, "entropy")
    if not characters and not whole:
        raise UsageError(f"router: {run.name} carries no confidence; expected confidence or char_confidence columns")
    signs = {}
    for item, text in zip(texts.keys.tolist(), texts.predicted, strict=True):
        folded = apply_profile(text, Profile.STR)
        given = [value for value in characters.get(item, ()) if value is not None]
        if not given and item in whole:
            given = [whole[item]] * max(1, len(folded))
        signs[item] = AnswerSigns(folded, tuple(given), _number(entropy.get(item)))
    return signs


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Routed:
    choice: npt.NDArray[np.int64]
    trained_on: int
    folds: int
    weights: tuple[tuple[str, Floats], ...]
    why: str = ""


def _route(right: npt.NDArray[np.bool_], features: Floats, names: Sequence[str], seed: int) -> _Routed:
    if right.shape[1] == 2:
        return _route_two(right, features, names, seed)
    chances = np.zeros(right.shape)
    weights: list[tuple[str, Floats]] = []
    smallest = FOLDS
    for column, name in enumerate(names):
        labels = right[:, column]
        folds = _folds(labels)
        smallest = min(smallest, folds)
        if folds < 2:
            chances[:, column] = labels.mean() if len(labels) else 0.0
            continue
        chances[:, column] = _cross_validate(features, labels, folds, seed)
        weights.append((name, _weights(features, labels)))
    why = "" if smallest >= 2 else "a system is always right or always wrong: its chance is a constant"
    return _Routed(np.argmax(chances, axis=1).astype(np.int64), len(right), max(smallest, 0), tuple(weights), why)


def _route_two(right: npt.NDArray[np.bool_], features: Floats, names: Sequence[str], seed: int) -> _Routed:
    """Train on the items where exactly one is right; the label is whether that is the first."""
    supervised = right[:, 0] != right[:, 1]
    labels = right[supervised, 0]
    better = int(right[:, 1].sum() > right[:, 0].sum())
    choice = np.full(len(right), better, dtype=np.int64)
    folds = _folds(labels)
    if folds < 2:
        why = (
            f"exactly one is right on {len(labels)} items, too few of one kind to learn from: all go to {names[better]}"
        )
        return _Routed(choice, len(labels), folds, (), why)
    choice[supervised] = np.where(_cross_validate(features[supervised], labels, folds, seed) >= 0.5, 0, 1)
    rest = ~supervised
    if rest.any():
        choice[rest] = np.where(_pipeline().fit(features[supervised], labels).predict(features[rest]), 0, 1)
    return _Routed(choice, len(labels), folds, ((names[0], _weights(features[supervised], labels)),))


def _folds(labels: npt.NDArray[np.bool_]) -> int:
    """Five folds, fewer where a class has fewer items."""
    return min(FOLDS, int(labels.sum()), int((~labels).sum()))


def _cross_validate(features: Floats, labels: npt.NDArray[np.bool_], folds: int, seed: int) -> Floats:
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    splits = StratifiedKFold(n_splits=folds, shuffle=True, random_state=seed)
    chances = cross_val_predict(_pipeline(), features, labels, cv=splits, method="predict_proba")
    return np.asarray(chances[:, 1], dtype=np.float64)


def _pipeline() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2_000))


def _weights(features: Floats, labels: npt.NDArray[np.bool_]) -> Floats:
    fitted = _pipeline().fit(features, labels)
    return np.asarray(fitted[-1].coef_[0], dtype=np.float64)


def _strongest(routed: _Routed, names: Sequence[str]) -> tuple[Coefficient, ...]:
    found = [
        Coefficient(system, name, float(weight))
        for system, weights in routed.weights
        for name, weight in zip(names, weights, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.weight))[:STRONGEST])


def _row(
    query: Query,
    stage: Stage,
    runs: Sequence[RunCells],
    at: npt.NDArray[np.intp],
    right: npt.NDArray[np.bool_],
    hit: Floats,
    scope: str,
    inside: Mask,
) -> RouterRow:
    here = inside[at]
    best = int(np.argmax(right.sum(axis=0))) if len(right) else 0
    paired: Paired = pair_values(
        hit[here],
        right[here, best].astype(np.float64),
        rng_for(query.seed, "router", scope, *(run.name for run in runs)),
        query.resamples,
        None if stage.clusters is None else stage.clusters[at][here],
    )
    n = int(here.sum())
    return RouterRow(
        scope,
        n,
        tuple(float(right[here, k].mean()) if n else None for k in range(len(runs))),
        runs[best].name,
        float(right[here].any(axis=1).mean()) if n else None,
        paired.a,
        paired.delta,
        paired.low,
        paired.high,
        paired.p,
        paired.verdict,
        paired.why,
    )
