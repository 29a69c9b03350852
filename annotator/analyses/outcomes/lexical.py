"""`report lexical`: does rewriting follow the language prior? D = score of the standard form - score of gold."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from annotator.analyses.memo import remembered
from annotator.analyses.outcomes.data import load_outcomes, pooled_columns
from annotator.analyses.outcomes.lexicalmodel import Regression, fit_regressions
from annotator.analyses.outcomes.lexicalprior import is_prior_name, lexical_scores
from annotator.analyses.sampling import rng_for
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.stats.intervals import Estimate
from annotator.stats.paired import spearman
from annotator.store.project import Project
from annotator.store.reading import attribute_names, read_attribute

Floats = npt.NDArray[np.float64]
QUINTILES = 5


@dataclass(frozen=True, slots=True)
class Prior:
    """Scores of one prior by item key: `gap` is D; `strength` is A, `None` when only D is known."""

    name: str
    gap: dict[int, float]
    strength: dict[int, float] | None


@dataclass(frozen=True, slots=True)
class LexicalReport:
    """Rewriting against D over `n` items that have a score and at least one answer.

    `spearman` is the rank correlation of D with the item's mean rewriting rate, with its item-bootstrap interval.
    `quintiles` are pooled rewriting rates from the lowest D to the highest; `quintile_items` their items, `edges` the
    four values of D between them, `quintile_keys` the items' keys. `regressions` are odds ratios per standard deviation.
    """

    prior: str
    condition: str
    systems: tuple[str, ...]
    n: int
    without_score: int
    spearman: float | None
    low: float | None
    high: float | None
    quintiles: tuple[float | None, ...]
    quintile_rates: tuple[Estimate, ...]
    quintile_items: tuple[int, ...]
    quintile_keys: tuple[tuple[int, ...], ...]
    edges: tuple[float, ...]
    regressions: tuple[Regression, ...]
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    why: dict[str, str] = field(default_factory=dict)


def report_lexical(
    project: Project, query: Query, prior: str, strength: str = "", domain: str = "", regress: bool = False
) -> LexicalReport:
    """Rewriting by lexical preference.

    `prior` is an imported column that holds D, or the stem of two columns, `PRIOR_standard` and `PRIOR_gold`, whose
    difference is D and whose first is A; or a prior that is made here (`read_prior`). `strength` names a column that holds A. With `regress` the logistic
    regressions are fitted too, with `domain` (a column) among the controls. Runs of several conditions: `default`
    alone, else the first. Raises `UsageError` when no item has the column or a value is not a number.
    """
    asked = (query, prior, strength, domain, regress)
    return remembered(
        project,
        "lexical",
        asked,
        LexicalReport,
        lambda: _build(project, query, read_prior(project, prior, strength), domain, regress),
    )


def read_prior(project: Project, name: str, strength: str = "") -> Prior:
    """The scores of a prior: `ngram` (built in), `model:DIR` (a local causal model), else from imported columns.

    Raises `UsageError` when the columns are not there or not numbers.
    """
    if is_prior_name(name):
        made_strength, made_gap = lexical_scores(project, name)
        return Prior(name, made_gap, made_strength)
    with project.read() as connection:
        gap = read_attribute(connection, name)
        standard, gold = read_attribute(connection, f"{name}_standard"), read_attribute(connection, f"{name}_gold")
        chosen = read_attribute(connection, strength) if strength else {}
        known = ", ".join(attribute_names(connection)) or "none"
    if strength and not chosen:
        raise UsageError(f"no item has the attribute {strength!r}; expected one of: {known}")
    scores = _numbers(chosen, strength) if chosen else None
    if gap:
        return Prior(name, _numbers(gap, name), scores)
    if standard and gold:
        of_standard, of_gold = _numbers(standard, f"{name}_standard"), _numbers(gold, f"{name}_gold")
        both = of_standard.keys() & of_gold.keys()
        return Prior(name, {key: of_standard[key] - of_gold[key] for key in both}, scores or of_standard)
    raise UsageError(
        f"no prior {name!r}: expected a column of items, or two columns {name}_standard and {name}_gold, among: {known}. "
        "Bring scores with `annotator import attributes FILE`."
    )


def _numbers(values: dict[int, str], name: str) -> dict[int, float]:
    numbers: dict[int, float] = {}
    for key, text in values.items():
        try:
            number = float(text)
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            raise UsageError(f"column {name}: found {text!r}; expected a number for every item")
        numbers[key] = number
    return numbers


def _build(project: Project, query: Query, prior: Prior, domain: str, regress: bool) -> LexicalReport:
    data = load_outcomes(project, query)
    condition = "default" if "default" in data.conditions else (data.conditions or ("",))[0]
    runs = data.under(condition)
    keys = data.items.keys.tolist()
    scored = np.array([key in prior.gap for key in keys], dtype=bool)
    columns = pooled_columns(runs) if runs else np.zeros((len(keys), 3))
    used = scored & (columns.sum(axis=1) > 0)
    gap = np.array([prior.gap.get(key, np.nan) for key in keys])[used]
    answers = columns[used].sum(axis=1)
    rewritten = columns[used, 1]
    found = spearman(gap, rewritten / answers, rng_for(query.seed, "lexical", prior.name), query.resamples)
    edges = np.quantile(gap, [0.2, 0.4, 0.6, 0.8]) if len(gap) else np.zeros(0)
    # 1 + the number of edges strictly below, so that equal values stay together; counted from 0 here.
    quintile = (gap[:, None] > edges[None, :]).sum(axis=1)
    rates = _quintile_rates(quintile, rewritten, answers, query)
    regressions = fit_regressions(project, data, runs, used, prior.gap, prior.strength, domain) if regress else ()
    return LexicalReport(
        prior.name,
        condition,
        tuple(one.run.name for one in runs),
        int(used.sum()),
        int((~scored).sum()),
        found.value,
        found.low,
        found.high,
        tuple(rate.value for rate in rates),
        rates,
        tuple(rate.n for rate in rates),
        tuple(tuple(data.items.keys[used][quintile == at].tolist()) for at in range(QUINTILES)),
        tuple(float(edge) for edge in edges),
        regressions,
        query.seed,
        query.resamples,
        data.revision,
        data.alignment_version,
        {"spearman": found.why} if found.why else {},
    )


def _quintile_rates(
    quintile: npt.NDArray[np.int64], rewritten: Floats, answers: Floats, query: Query
) -> tuple[Estimate, ...]:
    """Pooled rewriting rates by quintile of D."""
    rates = []
    for at in range(QUINTILES):
        inside = quintile == at
        rng = rng_for(query.seed, "lexical quintile", str(at))
        rates.append(bootstrap_rate(rewritten[inside], answers[inside], rng, query.resamples))
    return tuple(rates)
