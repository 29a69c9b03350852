"""`report ratings`: a provider's severities against readers' ratings of single edits, or of whole texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.sampling import rng_for
from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.rated import EDITS, RatedTask, read_rated
from annotator.analyses.severity.readable import without_writing
from annotator.analyses.severity.wordlists import primary_language
from annotator.errors import UsageError
from annotator.metrics.severity.levels import level_severity
from annotator.records import Query
from annotator.stats.intervals import Estimate
from annotator.stats.paired import holm, spearman
from annotator.stats.partial import draw_times, partial_spearman
from annotator.stats.toplist import figures, in_turn, top_of_list
from annotator.store.project import Project
from annotator.store.rated import task_severities
from annotator.store.reading import read_runs
from annotator.store.studies import find_study
from annotator.text.graphemes import split_graphemes

Floats = npt.NDArray[np.float64]
BANDS = {"low": 0.0, "middle": 1.0, "high": 2.0}
JUDGE_FREE = ("filter-label", "real-word-label", "1/m", "in-turn")
SPLITS = 200
TOP_RESAMPLES = 2_000
NO_BAND = "the study's edits were not drawn by band"


@dataclass(frozen=True, slots=True)
class RatingsRow:
    """One provider in one language. Correlations are Spearman's with the raters' mean k/4, over `n` rated edits that the
    provider charges and every baseline knows.

    `given_band` is the partial correlation given the sampling band; the other `given_` add the filter label, the type
    table and the mode (the most likely level) to it. `share` and `catch` are the top-of-list measures. `best_order` is the
    judge-free order with the highest share, `lead_p` the bootstrap p of the provider's lead over it on the share, and
    `lead_p_holm` the same after Holm's correction over the languages. `reliability` is the raters' own.
    """

    language: str
    provider: str
    n: int
    not_charged: int
    spearman: Estimate
    given_band: Estimate
    given_filter: Estimate
    given_type_table: Estimate
    given_mode: Estimate
    share: Estimate
    catch: Estimate
    best_order: str
    best_share: float | None
    lead_p: float | None
    lead_p_holm: float | None
    reliability: Estimate
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RatingsReport:
    """Every provider against the ratings of one study."""

    rows: tuple[RatingsRow, ...]
    study: str
    seed: int
    resamples: int
    project_revision: int


@dataclass(frozen=True, slots=True)
class _Pool:
    """Rated edits of one language, as columns; NaN where a column does not know an edit."""

    tasks: tuple[RatedTask, ...]
    damage: Floats
    bands: Floats
    length: Floats


@without_writing
def report_ratings(project: Project, query: Query, study: str, providers: Sequence[str] = ("rubric",)) -> RatingsReport:
    """Hold providers against a study of kind edit-severity (semCER, sections 5 and B; Table 6).

    Edits are resampled within band. Raises `UsageError` for an unknown study or provider, and without any answer.
    """
    rated = read_rated(project, study, EDITS)
    if not rated:
        raise UsageError(f"study {study}: no edit has a rating yet")
    languages: dict[str, list[RatedTask]] = {}
    for one in rated:
        language = primary_language(one.task.language, one.task.gold or "")
        if not query.language or language == primary_language(query.language):
            languages.setdefault(language, []).append(one)
    rows = [
        _row(project, query, study, _pool(tasks), language, provider)
        for provider in providers
        for language, tasks in sorted(languages.items())
    ]
    return RatingsReport(_corrected(rows, providers), study, query.seed, query.resamples, project.revision())


def _pool(tasks: Sequence[RatedTask]) -> _Pool:
    return _Pool(
        tuple(tasks),
        np.array([one.mean for one in tasks]),
        np.array([BANDS.get(one.task.band, np.nan) for one in tasks]),
        np.array([len(split_graphemes(one.task.gold or "")) for one in tasks], dtype=np.float64),
    )


def _column(project: Project, study: str, pool: _Pool, provider: str) -> Floats:
    """The provider's severity of every edit of the pool, NaN where it charges none."""
    with project.read() as connection:
        runs = read_runs(connection)
    row = require_provider(project, provider, runs)
    with project.read() as connection:
        found = task_severities(connection, row.key, find_study(connection, study).key)
    return np.array([_severity(found, one) for one in pool.tasks], dtype=np.float64)


def _severity(found: dict[tuple[int, str, str, int, int], float], one: RatedTask) -> float:
    task, edit = one.task, one.task.edit
    if edit is None or task.item_key is None:
        return np.nan
    return found.get((task.item_key, task.predicted or "", edit.op, edit.gold_index, edit.predicted_index), np.nan)


def _row(project: Project, query: Query, study: str, pool: _Pool, language: str, provider: str) -> RatingsRow:
    names = (provider, "filter-label", "real-word-label", f"type-table:{provider}", f"mode:{provider}")
    derivable = provider.partition(":")[0] not in ("mode", "class-charge", "type-table")
    columns = {name: _column(project, study, pool, name) for name in (names if derivable else names[:3])}
    known: npt.NDArray[np.bool_] = ~np.isnan(columns[provider] + columns["filter-label"])
    damage, bands = pool.damage[known], pool.bands[known]
    score = columns[provider][known]
    band = None if not len(bands) or np.isnan(bands).any() else bands

    def rng(what: str) -> np.random.Generator:
        return rng_for(query.seed, "ratings", what, provider, language)

    def given(*extra: str) -> Estimate:
        if band is None:
            return Estimate(None, None, None, len(score), why=NO_BAND)
        if any(name not in columns for name in extra):
            return Estimate(None, None, None, len(score), why="not defined for a provider derived from another")
        others = [np.nan_to_num(columns[name][known], nan=-1.0) for name in extra]
        return partial_spearman(score, damage, [band, *others], rng(" ".join(extra)), query.resamples, band)

    orders = _judge_free(columns, pool.length, known)
    best, best_share = _best(orders, damage)
    top = top_of_list(score, damage, rng("top"), min(query.resamples, TOP_RESAMPLES), band)
    return RatingsRow(
        language,
        provider,
        len(score),
        int((~known).sum()),
        spearman(score, damage, rng("spearman"), query.resamples),
        given(),
        given("filter-label"),
        given(f"type-table:{provider}"),
        given(f"mode:{provider}"),
        top.share,
        top.catch,
        best,
        best_share,
        _lead(score, orders[best], damage, rng("lead"), min(query.resamples, TOP_RESAMPLES), band) if best else None,
        None,
        split_half([one for one, use in zip(pool.tasks, known, strict=True) if use], band, rng("split")),
    )


def _judge_free(columns: dict[str, Floats], length: Floats, known: npt.NDArray[np.bool_]) -> dict[str, Floats]:
    """The four orders that use no judge: filter label, real-word label, CER's charge 1/m, and the three in turn."""
    label = columns["filter-label"][known]
    real = np.nan_to_num(columns["real-word-label"][known])
    charge = 1 / np.maximum(length[known], 1)
    orders = (label, real, charge, in_turn(label, real, charge) if len(label) else label)
    return dict(zip(JUDGE_FREE, orders, strict=True))


def _best(orders: dict[str, Floats], damage: Floats) -> tuple[str, float | None]:
    once = np.ones((1, len(damage)), dtype=np.int64)
    shares = {name: float(figures(order, damage, once)[0, 0]) for name, order in orders.items()}
    sound = {name: share for name, share in shares.items() if not np.isnan(share)}
    if not sound:
        return "", None
    best = max(sound, key=lambda name: sound[name])
    return best, sound[best]


def _lead(
    score: Floats, other: Floats, damage: Floats, rng: np.random.Generator, resamples: int, band: Floats | None
) -> float | None:
    """Twice the smaller bootstrap tail of the difference of two top-of-list shares about 0."""
    times = draw_times(len(damage), resamples, rng, band)
    gap = figures(score, damage, times)[:, 0] - figures(other, damage, times)[:, 0]
    gap = gap[~np.isnan(gap)]
    if not len(gap):
        return None
    return min(1.0, 2 * min(float(np.mean(gap <= 0)), float(np.mean(gap >= 0))))


def split_half(rated: Sequence[RatedTask], band: Floats | None, rng: np.random.Generator) -> Estimate:
    """The reliability of the raters' mean: correlation of the means of two random halves of the raters (given the band),
    stepped up by Spearman-Brown, 2r / (1 + r); the mean of 200 splits, with their central 95 %."""
    raters = sorted({rater for one in rated for rater in one.values})
    if len(raters) < 2:
        return Estimate(None, None, None, len(rated), why="fewer than two raters")
    found: list[float] = []
    for _ in range(SPLITS):
        half = set(rng.permutation(raters)[: len(raters) // 2].tolist())
        halves = [_halves(one, half) for one in rated]
        both = [at for at, pair in enumerate(halves) if pair is not None]
        pairs = np.array([halves[at] for at in both], dtype=np.float64).reshape(-1, 2)
        covariates = [] if band is None else [band[both]]
        r = partial_spearman(pairs[:, 0], pairs[:, 1], covariates, rng, 0).value
        if r is not None and r > -1:
            found.append(2 * r / (1 + r))
    if not found:
        return Estimate(None, None, None, len(rated), why="no split leaves two halves that can be compared")
    low, high = np.quantile(found, [0.025, 0.975])
    return Estimate(float(np.mean(found)), float(low), float(high), len(rated))


def _halves(one: RatedTask, half: set[str]) -> tuple[float, float] | None:
    sides: tuple[list[float], list[float]] = [], []
    for rater, value in one.values.items():
        sides[rater in half].append(level_severity(float(value)))
    return None if not all(sides) else (float(np.mean(sides[0])), float(np.mean(sides[1])))


def _corrected(rows: Sequence[RatingsRow], providers: Sequence[str]) -> tuple[RatingsRow, ...]:
    """Holm over the languages, one family per provider."""
    done: dict[int, RatingsRow] = {}
    for provider in providers:
        family = [at for at, row in enumerate(rows) if row.provider == provider and row.lead_p is not None]
        for at, p in zip(family, holm([rows[at].lead_p or 0.0 for at in family]), strict=True):
            done[at] = replace(rows[at], lead_p_holm=p)
    return tuple(done.get(at, row) for at, row in enumerate(rows))
