"""`report rescoring`: candidates chosen again with a language model, and beams at other temperatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator.analyses.compare import pair_values
from annotator.analyses.memo import remembered
from annotator.analyses.outcomes.lexicalprior import priors_by_language
from annotator.analyses.sampling import rng_for
from annotator.analyses.severity.wordlists import primary_language
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.grids import RunCells, Stage, runs_on
from annotator.errors import UsageError
from annotator.metrics.beams import Beams, Mask, beam_confidence, chosen_right, rescore, stack_beams
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.models.prior import Prior
from annotator.records import Query
from annotator.stats.calibration import calibration_error
from annotator.store.project import Project
from annotator.store.quantities import any_candidates, read_candidates
from annotator.store.reading import read_texts
from annotator.text.profiles import Profile, apply_profile

# StratiSTR appendix E: the weights of the language model and the temperatures that were tried.
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
TEMPERATURES = (1.0, 1.5, 2.0, 3.0, 5.0)
NO_BEAMS = "no answer here carries candidates with log probabilities"


@dataclass(frozen=True, slots=True)
class RescoringRow:
    """One run, one scope (all, corner, centre) and one weight of the language model, over `n` items with a beam.

    `delta` = accuracy - that at weight 0, paired, with its interval. `fixed` and `broken` items became right and wrong,
    `changed` got another text. `oracle`: share of items with a right candidate anywhere in the beam.
    """

    system: str
    condition: str
    scope: str
    weight: float
    n: int
    accuracy: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: str | None
    changed: int
    fixed: int
    broken: int
    oracle: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TemperatureRow:
    """How sure the beams of a run are at one temperature, and how far that is from how often they are right."""

    system: str
    condition: str
    temperature: float
    n: int
    accuracy: float | None
    mean: float | None
    ece: float | None
    low: float | None
    high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RescoringReport:
    """Rows per run, scope and weight; temperatures per run; `improves_both`: a weight lifts corner and aggregate both."""

    prior: str
    rows: tuple[RescoringRow, ...]
    temperatures: tuple[TemperatureRow, ...]
    improves_both: bool | None
    basis: Basis


def has_candidates(project: Project) -> bool:
    """Whether any answer of the project carries candidates, with or without log probabilities."""
    with project.read() as connection:
        return any_candidates(connection)


def report_rescoring(
    project: Project,
    query: Query,
    prior: str = "ngram",
    weights: Sequence[float] = WEIGHTS,
    temperatures: Sequence[float] = TEMPERATURES,
) -> RescoringReport:
    """Choose each item's text again by log p + weight log p_LM over its candidates, for every run that has some.

    `prior`: `ngram` (the character model of the language's word list) or `model:DIR`. Right is STR word accuracy. Source:
    StratiSTR section 5 and appendix E. Raises `UsageError` when no run has candidates or the language has no word list.
    """
    if any(value < 0 for value in weights) or any(value <= 0 for value in temperatures):
        raise UsageError("rescoring: expected weights of 0 or more and temperatures above 0")
    wanted = tuple(dict.fromkeys((0.0, *weights)))
    asked = (query, prior, wanted, tuple(temperatures), edges_mark(query))
    return remembered(
        project, "rescoring", asked, RescoringReport, lambda: _build(project, query, prior, wanted, temperatures)
    )


def _build(
    project: Project, query: Query, prior: str, weights: Sequence[float], temperatures: Sequence[float]
) -> RescoringReport:
    staged = load_stage(project, query)
    stage = staged.stage
    language = staged.summary.language
    model = priors_by_language(project, prior)(primary_language(language, ""))
    if model is None:
        raise UsageError(f"prior {prior}: found no word list for the language {language!r}; name a model:DIR")
    rows: list[RescoringRow] = []
    warmed: list[TemperatureRow] = []
    for run in runs_on(project, stage):
        beamed = _beams(project, run, model)
        if len(beamed.places):
            rows += _rows(query, stage, run, beamed, weights)
            warmed += [_warm(query, run, beamed.beams, value) for value in temperatures]
    if not rows:
        raise UsageError(
            "rescoring: no answer carries candidates with log probabilities; import predictions with candidates"
        )
    return RescoringReport(prior, tuple(rows), tuple(warmed), _improves_both(rows), staged.basis)


@dataclass(frozen=True, slots=True)
class _Beamed:
    """The beams of a run, and the places of their items in the dataset."""

    places: np.ndarray[tuple[int], np.dtype[np.int64]]
    beams: Beams


def _beams(project: Project, run: RunCells, model: Prior) -> _Beamed:
    with project.read() as connection:
        found = read_candidates(connection, run.scored.run.key)
        texts = read_texts(connection, run.scored.run.key)
    items = run.stage.data.items
    own = dict(zip(texts.keys.tolist(), texts.own_gold, strict=True)) if run.stage.data.query.own_gold else {}
    places, beams = [], []
    known: dict[str, float] = {}
    for at in np.flatnonzero(run.used).tolist():
        key = int(items.keys[at])
        kept = [(text, score) for text, score in found.get(key, ()) if score is not None]
        if not kept:
            continue
        mine = own.get(key)
        gold = apply_profile((items.gold[at] or "") if mine is None else mine, Profile.STR)
        for text, _ in kept:
            if text not in known:
                known[text] = model.total(text)
        places.append(at)
        beams.append([(score, known[text], apply_profile(text, Profile.STR) == gold) for text, score in kept])
    return _Beamed(np.array(places, dtype=np.int64), stack_beams(beams))


def _rows(query: Query, stage: Stage, run: RunCells, beamed: _Beamed, weights: Sequence[float]) -> list[RescoringRow]:
    scopes = {"all": stage.inside, "corner": stage.within([CORNER]), "centre": stage.within([CENTRE])}
    own = rescore(beamed.beams, 0.0)
    rows = []
    for weight in weights:
        chosen = rescore(beamed.beams, weight)
        for scope, inside in scopes.items():
            rows.append(_row(query, stage, run, beamed, (own, chosen), weight, scope, inside[beamed.places]))
    return rows


def _row(
    query: Query,
    stage: Stage,
    run: RunCells,
    beamed: _Beamed,
    choices: tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...],
    weight: float,
    scope: str,
    here: Mask,
) -> RescoringRow:
    own, chosen = choices
    before, after = (chosen_right(beamed.beams, places)[here] for places in choices)
    clusters = None if stage.clusters is None else stage.clusters[beamed.places[here]]
    rng = rng_for(query.seed, "rescoring", run.name, scope, f"{weight:g}")
    paired = pair_values(after.astype(np.float64), before.astype(np.float64), rng, query.resamples, clusters)
    n = int(here.sum())
    return RescoringRow(
        run.scored.run.system,
        run.scored.run.condition,
        scope,
        weight,
        n,
        float(after.mean()) if n else None,
        paired.delta,
        paired.low,
        paired.high,
        paired.p,
        paired.verdict,
        int((own != chosen)[here].sum()),
        int((after & ~before).sum()),
        int((before & ~after).sum()),
        float(beamed.beams.right[here].any(axis=1).mean()) if n else None,
        "" if n else NO_BEAMS,
    )


def _warm(query: Query, run: RunCells, beams: Beams, temperature: float) -> TemperatureRow:
    right = chosen_right(beams, rescore(beams, 0.0))
    sure = beam_confidence(beams, temperature)
    rng = rng_for(query.seed, "temperature", run.name, f"{temperature:g}")
    error = calibration_error(sure, right, rng, resamples=query.resamples)
    names = run.scored.run.system, run.scored.run.condition
    figures = (float(right.mean()), float(sure.mean()), error.value, error.low, error.high)
    return TemperatureRow(*names, temperature, len(beams), *figures, error.why)


def _improves_both(rows: Sequence[RescoringRow]) -> bool | None:
    """Whether some weight lifts corner and aggregate of one run; `None` when no corner holds a beam."""
    deltas = {(row.system, row.condition, row.weight, row.scope): row.delta for row in rows if row.weight}
    pairs = [
        (delta, overall)
        for (system, condition, weight, scope), delta in deltas.items()
        if scope == "corner" and delta is not None and (overall := deltas[system, condition, weight, "all"]) is not None
    ]
    return any(corner > 0 and overall > 0 for corner, overall in pairs) if pairs else None
