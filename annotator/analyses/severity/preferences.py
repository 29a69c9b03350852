"""Severities against preferences: on which pairs does a score pick the output that readers picked?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from annotator.analyses.sampling import rng_for
from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.rated import PREFERENCES, RatedTask, read_rated, task_clusters
from annotator.analyses.severity.readable import without_writing
from annotator.analyses.severity.wordlists import primary_language
from annotator.errors import UsageError
from annotator.metrics.severity.nearmiss import is_near_miss, negation_words
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_difference
from annotator.stats.intervals import wilson_estimate
from annotator.stats.paired import holm
from annotator.store.project import Project
from annotator.store.rated import answer_severities
from annotator.store.reading import read_runs
from annotator.store.studies import find_study
from annotator.text.align import align_texts

SETS = ("all", "near-miss", "normalization-proof")
BASELINE = "normalized_cer"


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """One score on one set of pairs in one language: `agreement` is the share of the `n` pairs with a strict majority on
    which it picks the same output; a tie of the score is a miss (`ties` counts them).

    `margin` is the agreement minus that of normalized CER, with its paired interval; `p_holm` over the languages.
    """

    language: str
    pairs: str
    score: str
    n: int
    agreement: float | None
    low: float | None
    high: float | None
    ties: int
    margin: float | None
    margin_low: float | None
    margin_high: float | None
    p: float | None
    p_holm: float | None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OverrideRow:
    """Pairs on which a provider's semCER picks the output that CER rejects, and the readers' agreement with it there."""

    language: str
    provider: str
    overrides: int
    agreement: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class PreferenceReport:
    """Rows per language, set and score; `one_reader`: a rater against the strict majority of the others.

    `without_majority` pairs have none, `not_charged` pairs an output whose edits a provider did not charge in full.
    """

    rows: tuple[PreferenceRow, ...]
    overrides: tuple[OverrideRow, ...]
    one_reader: tuple[tuple[str, float | None, int], ...]
    study: str
    without_majority: int
    not_charged: int
    no_negations: tuple[str, ...]
    seed: int
    resamples: int
    project_revision: int


@dataclass(frozen=True, slots=True)
class _Pair:
    """One rated pair. `scores` are (a, b) by name, lower is better; `sets` are those it belongs to; `cluster` numbers the
    document (or item) that it is resampled with."""

    language: str
    majority: str
    scores: dict[str, tuple[float, float]]
    sets: tuple[str, ...]
    cluster: int


@without_writing
def report_preferences(project: Project, query: Query, study: str, providers: Sequence[str]) -> PreferenceReport:
    """Hold the semCER of providers, their class charge, CER and normalized CER against a preference study.

    Margins are resampled by document, or by item where there are none. Source: semCER, sections 6 and C.2. Raises `UsageError` for a study of another kind, and without any answer.
    """
    rated = read_rated(project, study, PREFERENCES)
    if not rated:
        raise UsageError(f"study {study}: no pair has an answer yet")
    rated = tuple(r for r in rated if not query.language or r.task.language.casefold() == query.language.casefold())
    charged = {name: _charged(project, study, name) for name in _score_names(providers)}
    decided = [(one, who) for one in rated if (who := majority(list(one.values.values()))) in ("a", "b")]
    codes = task_clusters(project, query, [one.task for one, _ in decided]).tolist()
    made = [_pair(one, str(who), code, charged) for (one, who), code in zip(decided, codes, strict=True)]
    pairs = [pair for pair in made if pair is not None]
    languages = sorted({pair.language for pair in pairs})
    rows = [
        _row(query, [p for p in pairs if p.language == language and chosen in p.sets], language, chosen, score)
        for chosen in SETS
        for score in ("cer", BASELINE, *charged)
        for language in languages
    ]
    return PreferenceReport(
        _corrected(rows),
        tuple(_overrides(pairs, language, name) for name in providers for language in languages),
        tuple(_one_reader(rated, language) for language in languages),
        study,
        len(rated) - len(decided),
        len(decided) - len(pairs),
        tuple(language for language in languages if negation_words(language) is None),
        query.seed,
        query.resamples,
        project.revision(),
    )


def _score_names(providers: Sequence[str]) -> list[str]:
    plain = [name for name in providers if name.partition(":")[0] not in ("class-charge", "mode", "type-table")]
    return [*providers, *(f"class-charge:{name}" for name in plain if name != "unit")]


def _charged(project: Project, study: str, provider: str) -> dict[tuple[int, str], tuple[int, int, float]]:
    with project.read() as connection:
        runs = read_runs(connection)
    row = require_provider(project, provider, runs)
    with project.read() as connection:
        return answer_severities(connection, row.key, find_study(connection, study).key)


def majority(values: Sequence[str]) -> str | None:
    """The value that more than half of the answers have, or `None`."""
    if not values:
        return None
    value, n = Counter(values).most_common(1)[0]
    return value if 2 * n > len(values) else None


def _pair(
    one: RatedTask, who: str, cluster: int, charged: dict[str, dict[tuple[int, str], tuple[int, int, float]]]
) -> _Pair | None:
    task = one.task
    gold, texts = task.gold or "", (task.predicted or "", task.predicted_b or "")
    if not gold.strip() or task.item_key is None:
        return None
    raw = [align_texts(gold, text) for text in texts]
    full = [align_texts(gold, text, profile="full") for text in texts]
    cer = raw[0].distance / raw[0].gold_length, raw[1].distance / raw[1].gold_length
    normal = full[0].distance / max(full[0].gold_length, 1), full[1].distance / max(full[1].gold_length, 1)
    scores = {"cer": cer, BASELINE: normal}
    for name, known in charged.items():
        found = [known.get((task.item_key, text), (1, 0, 0.0)) for text in texts]
        if any(edits != n for edits, n, _ in found):
            return None
        scores[name] = found[0][2] / raw[0].gold_length, found[1][2] / raw[1].gold_length
    language = primary_language(task.language, gold)
    return _Pair(language, who, scores, _sets(gold, texts, language, cer, normal), cluster)


def _sets(
    gold: str, texts: tuple[str, str], language: str, cer: tuple[float, float], normal: tuple[float, float]
) -> tuple[str, ...]:
    if cer[0] == cer[1]:
        return ("all",)
    worse = texts[0] if cer[0] > cer[1] else texts[1]
    if not is_near_miss(gold, worse, language, negation_words(language)):
        return ("all",)
    same = (cer[0] - cer[1]) * (normal[0] - normal[1]) > 0
    return ("all", "near-miss", "normalization-proof") if same else ("all", "near-miss")


def _picks(pairs: Sequence[_Pair], score: str) -> list[str]:
    """`a`, `b` or "" for a tie; the lower score wins."""
    return ["" if a == b else "a" if a < b else "b" for a, b in (pair.scores[score] for pair in pairs)]


def _row(query: Query, pairs: Sequence[_Pair], language: str, chosen: str, score: str) -> PreferenceRow:
    picks = _picks(pairs, score)
    right, base = (
        np.array([float(pick == pair.majority) for pick, pair in zip(found, pairs, strict=True)])
        for found in (picks, _picks(pairs, BASELINE))
    )
    agreement = wilson_estimate(int(right.sum()), len(pairs))
    codes = np.unique([pair.cluster for pair in pairs], return_inverse=True)[1] if pairs else None
    rng = rng_for(query.seed, "preferences", language, chosen, score)
    margin = bootstrap_difference(right, base, rng, query.resamples, codes)
    why = {} if pairs else dict.fromkeys(("agreement", "margin"), "no such pair with a strict majority")
    own = score == BASELINE
    return PreferenceRow(
        language, chosen, score, len(pairs), agreement.value, agreement.low, agreement.high, picks.count(""),
        None if own else margin.difference, None if own else margin.low, None if own else margin.high,
        None if own else margin.p, None, why | ({"margin": "the baseline itself"} if own else {}),
    )  # fmt: skip


def _corrected(rows: Sequence[PreferenceRow]) -> tuple[PreferenceRow, ...]:
    """Holm over the languages of each comparison on each set of pairs (semCER, section A.4)."""
    families: dict[tuple[str, str], list[int]] = {}
    for at, row in enumerate(rows):
        if row.p is not None:
            families.setdefault((row.pairs, row.score), []).append(at)
    found: dict[int, float] = {}
    for members in families.values():
        found |= dict(zip(members, holm([rows[at].p or 0.0 for at in members]), strict=True))
    return tuple(replace(row, p_holm=found.get(at)) for at, row in enumerate(rows))


def _overrides(pairs: Sequence[_Pair], language: str, provider: str) -> OverrideRow:
    inside = [pair for pair in pairs if pair.language == language]
    picked = zip(inside, _picks(inside, provider), _picks(inside, "cer"), strict=True)
    over = [(pair, pick) for pair, pick, cer in picked if pick and cer and pick != cer]
    agreement = wilson_estimate(sum(pick == pair.majority for pair, pick in over), len(over))
    return OverrideRow(language, provider, len(over), agreement.value, agreement.low, agreement.high)


def _one_reader(rated: Sequence[RatedTask], language: str) -> tuple[str, float | None, int]:
    """How often one rater picks what the strict majority of the others picked, over all raters and pairs."""
    hits = n = 0
    for one in rated:
        if primary_language(one.task.language, one.task.gold or "") != language:
            continue
        for rater, value in one.values.items():
            rest = majority([other for name, other in one.values.items() if name != rater])
            if rest in ("a", "b"):
                n += 1
                hits += value == rest
    return language, hits / n if n else None, n
