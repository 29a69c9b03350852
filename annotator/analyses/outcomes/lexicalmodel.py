"""Logistic regression of rewriting on lexical scores beside what else could explain it (SceneFaith, Appendix B)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from annotator.analyses.outcomes.data import OutcomeData, OutcomeRun
from annotator.analyses.outcomes.groups import standard_length
from annotator.metrics.outcomes import fold_text
from annotator.store.project import Project
from annotator.store.reading import require_attribute
from annotator.store.systems import read_boxes
from annotator.text.graphemes import split_graphemes

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Odds:
    """One odds ratio with its item-clustered 95 % interval: per standard deviation, or per character for `length`."""

    term: str
    per: str
    ratio: float | None
    low: float | None
    high: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Regression:
    """One fit over `rows` answers to `items` items; `controls` lists what stood beside the scores. `why`: not fitted."""

    name: str
    items: int
    rows: int
    odds: tuple[Odds, ...]
    controls: tuple[str, ...]
    why: str = ""


def fit_regressions(
    project: Project,
    data: OutcomeData,
    runs: Sequence[OutcomeRun],
    used: Mask,
    gap: Mapping[int, float],
    strength: Mapping[int, float] | None,
    domain: str,
) -> tuple[Regression, ...]:
    """Rewritten or not, answer by answer: A alone, D alone, both (those that are known), errors clustered by item.

    Controls: system, `domain` when named, length of the standard form, edit distance of gold from it, letters that are
    none (digits, signs, spaces) in gold, and the width and height of the target box where all items have one.
    """
    controls = _item_controls(project, data, used)
    domains = _domains(project, data, used, domain)
    item, system, rewritten = _answers(runs, used)
    keys = data.items.keys[used].tolist()
    scores = {"D": np.array([gap[key] for key in keys])}
    if strength is not None and all(key in strength for key in keys):
        scores = {"A": np.array([strength[key] for key in keys]), **scores}
    wanted = [(f"{name} alone", (name,)) for name in scores] + ([("A and D", ("A", "D"))] if len(scores) == 2 else [])
    fits = []
    for name, terms in wanted:
        columns = {term: scores[term] for term in terms} | controls
        fits.append(_fit(name, columns, terms, domains, item, system, rewritten))
    return tuple(fits)


def _answers(runs: Sequence[OutcomeRun], used: Mask) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Item number among the used, system number, and 1 for Canonical, of every answer."""
    codes = np.stack([one.codes[used] for one in runs])
    system, item = np.nonzero(codes < 3)
    return item, system, (codes[system, item] == 1).astype(np.float64)


def _item_controls(project: Project, data: OutcomeData, used: Mask) -> dict[str, Floats]:
    gold = [fold_text(data.items.gold[at] or "") for at in np.flatnonzero(used)]
    standard = [fold_text(data.items.standard[at]) for at in np.flatnonzero(used)]
    controls = {
        "length": np.array([standard_length(text) for text in standard], dtype=np.float64),
        "edit distance": np.array(
            [Levenshtein.distance(split_graphemes(g), split_graphemes(s)) for g, s in zip(gold, standard, strict=True)],
            dtype=np.float64,
        ),
        "non-letters": np.array([sum(not ch.isalpha() for ch in text) for text in gold], dtype=np.float64),
    }
    with project.read() as connection:
        boxes = read_boxes(connection)
    sizes = [boxes.get(int(key)) for key in data.items.keys[used]]
    if sizes and all(box is not None and box.width > 0 and box.height > 0 for box in sizes):
        controls["box width"] = np.log([box.width for box in sizes if box is not None])
        controls["box height"] = np.log([box.height for box in sizes if box is not None])
    return controls


def _domains(project: Project, data: OutcomeData, used: Mask, domain: str) -> list[str]:
    if not domain:
        return []
    with project.read() as connection:
        values = require_attribute(connection, domain)
    return [values.get(int(key), "") for key in data.items.keys[used]]


def _fit(
    name: str,
    columns: Mapping[str, Floats],
    terms: Sequence[str],
    domains: Sequence[str],
    item: npt.NDArray[np.int64],
    system: npt.NDArray[np.int64],
    rewritten: Floats,
) -> Regression:
    spread = {term: float(np.std(values, ddof=1)) if len(values) > 1 else 0.0 for term, values in columns.items()}
    kept = [term for term in columns if spread[term] > 0]
    controls = (*(term for term in kept if term not in terms), "system", *(["domain"] if domains else []))
    items = len(np.unique(item))
    if set(terms) - set(kept):
        return Regression(name, items, len(item), (), controls, "a score is the same for all items")
    if not 0 < rewritten.sum() < len(rewritten):
        return Regression(name, items, len(item), (), controls, "every answer is rewritten, or none is")
    standardised = [(columns[term] - columns[term].mean()) / spread[term] for term in kept]
    design = np.column_stack([*(values[item] for values in standardised), *_dummies(system), *_dummies(domains, item)])
    estimates = _logistic(design, rewritten, item)
    if estimates is None:
        return Regression(name, items, len(item), (), controls, "the fit did not settle (too few answers of one kind)")
    shown = [*terms, *(["length"] if "length" in kept else [])]
    odds = []
    for term in shown:
        per_unit = spread[term] if term == "length" else 1.0
        coefficient, error, p = (float(figures[kept.index(term)]) for figures in estimates)
        odds.append(_odds(term, coefficient, error, p, per_unit))
    return Regression(name, items, len(item), tuple(odds), controls)


def _dummies(values: Sequence[str] | npt.NDArray[np.int64], item: npt.NDArray[np.int64] | None = None) -> list[Floats]:
    """One column for each value but the first."""
    if not len(values):
        return []
    names, codes = np.unique(np.asarray(values), return_inverse=True)
    codes = codes if item is None else codes[item]
    return [(codes == at).astype(np.float64) for at in range(1, len(names))]


def _logistic(design: Floats, rewritten: Floats, item: npt.NDArray[np.int64]) -> tuple[Floats, Floats, Floats] | None:
    """Coefficients, their item-clustered standard errors and p values; `None` when the fit does not settle."""
    if len(design) <= design.shape[1] + 1 or len(np.unique(item)) < 2:
        return None
    import statsmodels.api as sm

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = sm.GLM(rewritten, sm.add_constant(design, prepend=False), family=sm.families.Binomial())
        try:
            fit = model.fit(cov_type="cluster", cov_kwds={"groups": item}, maxiter=100)
        except (np.linalg.LinAlgError, ValueError):
            return None
    if not fit.converged or not np.isfinite(fit.bse).all():
        return None
    return np.asarray(fit.params), np.asarray(fit.bse), np.asarray(fit.pvalues)


def _odds(term: str, coefficient: float, error: float, p: float, per_unit: float) -> Odds:
    low, high = coefficient - _Z * error, coefficient + _Z * error
    with np.errstate(over="ignore"):
        ratio, bottom, top = (float(np.exp(value / per_unit)) for value in (coefficient, low, high))
    per = "character" if term == "length" else "standard deviation"
    known = np.isfinite([ratio, bottom, top]).all()
    return Odds(term, per, *((ratio, bottom, top, float(p)) if known else (None, None, None, None)))
