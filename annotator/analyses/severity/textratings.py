"""`report ratings` of whole texts: which error rate ranks transcriptions as readers do?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.sampling import Codes, rng_for
from annotator.analyses.severity.judging import LINE_KIND
from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.rated import TEXTS, RatedTask, read_rated, task_clusters
from annotator.analyses.severity.readable import without_writing
from annotator.analyses.severity.wordlists import primary_language
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.intervals import percentile_interval
from annotator.stats.paired import holm
from annotator.stats.partial import draw_clusters, rank_correlations
from annotator.stats.resample import use_clusters
from annotator.store.project import Project
from annotator.store.rated import answer_severities
from annotator.store.reading import read_runs
from annotator.store.severities import read_providers
from annotator.store.studies import find_study
from annotator.text.align import align_texts

Floats = npt.NDArray[np.float64]
PROFILES = ("raw", "ws", "omni2025", "full", "light")
WHOLE_LINE = "whole_line"
NO_LINE_JUDGE = (
    "no judge has rated whole lines here: annotator severity --provider judge-line:MODEL (the readers' own ratings of these "
    "texts cannot stand for it)"
)


@dataclass(frozen=True, slots=True)
class TextRow:
    """Spearman's correlation of one score with the readers' mean rating of whole texts, in one language.

    `gain` is semCER's correlation minus this score's over the same resamples; `p_holm` is Holm-corrected over the scores
    of the language. `note` says what was resampled when it was not documents.
    """

    language: str
    score: str
    n: int
    spearman: float | None
    low: float | None
    high: float | None
    gain: float | None
    gain_low: float | None
    gain_high: float | None
    p: float | None
    p_holm: float | None
    why: dict[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextRatingsReport:
    """Rows per language and score. `not_charged` texts have an edit without severity. `whole_line` is the provider behind
    the score of that name, CER times one rating of the whole line; empty when no judge has rated whole lines."""

    rows: tuple[TextRow, ...]
    study: str
    provider: str
    whole_line: str
    not_charged: int
    seed: int
    resamples: int
    project_revision: int


@without_writing
def report_text_ratings(project: Project, query: Query, study: str, provider: str) -> TextRatingsReport:
    """Hold CER under each profile, semCER, the class charge and the whole line against a text-severity study (semCER,
    section C.1).

    Documents are resampled; texts of an item without one stand together. Raises `UsageError` for a study of another kind or without answers.
    """
    rated = read_rated(project, study, TEXTS)
    if not rated:
        raise UsageError(f"study {study}: no text has a rating yet")
    names = {"semcer": provider, "class_charge": f"class-charge:{provider}"}
    if provider.partition(":")[0] in ("class-charge", "mode", "type-table"):
        del names["class_charge"]
    line = _line_judge(project, provider)
    names |= {WHOLE_LINE: line} if line else {}
    charged = {score: _charged(project, study, name) for score, name in names.items()}
    groups: dict[str, list[tuple[RatedTask, dict[str, float]]]] = {}
    lost = 0
    for one in rated:
        scores = _scores(one, charged)
        language = primary_language(one.task.language, one.task.gold or "")
        if scores is None:
            lost += 1
        elif not query.language or language == primary_language(query.language):
            groups.setdefault(language, []).append((one, scores))
    rows = []
    for language, found in sorted(groups.items()):
        codes, note = use_clusters(task_clusters(project, query, [one.task for one, _ in found]))
        rows += _rows(query, language, found, np.arange(len(found)) if codes is None else codes, note)
        if not line:
            why = dict.fromkeys(("spearman", "gain"), NO_LINE_JUDGE)
            rows.append(
                TextRow(language, WHOLE_LINE, len(found), None, None, None, None, None, None, None, None, why, note)
            )
    return TextRatingsReport(tuple(rows), study, provider, line, lost, query.seed, query.resamples, project.revision())


def _line_judge(project: Project, provider: str) -> str:
    """The provider that rated whole lines: the one of the same model when there is one, else the first; "" for none."""
    with project.read() as connection:
        names = [row.name for row in read_providers(connection) if row.kind == LINE_KIND]
    own = f"{LINE_KIND}:{provider.partition(':')[2]}"
    return own if own in names else next(iter(names), "")


def _charged(project: Project, study: str, provider: str) -> dict[tuple[int, str], tuple[int, int, float]]:
    with project.read() as connection:
        runs = read_runs(connection)
    row = require_provider(project, provider, runs)
    with project.read() as connection:
        return answer_severities(connection, row.key, find_study(connection, study).key)


def _scores(
    one: RatedTask, charged: dict[str, dict[tuple[int, str], tuple[int, int, float]]]
) -> dict[str, float] | None:
    gold, predicted = one.task.gold or "", one.task.predicted or ""
    found: dict[str, float] = {}
    for profile in PROFILES:
        alignment = align_texts(gold, predicted, profile=profile)
        if not alignment.gold_length:
            return None
        found[f"cer_{profile}"] = alignment.distance / alignment.gold_length
    length = align_texts(gold, predicted).gold_length
    for name, known in charged.items():
        edits, n, total = known.get((one.task.item_key or 0, predicted), (1, 0, 0.0))
        if edits != n:
            return None
        found[name] = total / length
    return found


def _rows(
    query: Query, language: str, found: list[tuple[RatedTask, dict[str, float]]], codes: Codes, note: str
) -> list[TextRow]:
    damage = np.array([one.mean for one, _ in found])
    names = list(found[0][1])
    times = draw_clusters(codes, query.resamples, rng_for(query.seed, "text ratings", language))
    draws = {name: rank_correlations(np.array([s[name] for _, s in found]), damage, times) for name in names}
    once = np.ones((1, len(found)), dtype=np.int64)
    values = {name: float(rank_correlations(np.array([s[name] for _, s in found]), damage, once)[0]) for name in names}
    rows = [replace(_row(language, name, len(found), values, draws), note=note) for name in names]
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    corrected = dict(zip(tested, holm([rows[at].p or 0.0 for at in tested]), strict=True))
    return [replace(row, p_holm=corrected.get(at)) for at, row in enumerate(rows)]


def _row(language: str, name: str, n: int, values: dict[str, float], draws: dict[str, Floats]) -> TextRow:
    if np.isnan(values[name]):
        why = dict.fromkeys(("spearman", "gain"), "fewer than three texts, or all values of one side are equal")
        return TextRow(language, name, n, None, None, None, None, None, None, None, None, why)
    interval = percentile_interval(draws[name])
    if name == "semcer" or np.isnan(values["semcer"]):
        why = {"gain": "semCER itself" if name == "semcer" else "the correlation of semCER is undefined"}
        return TextRow(language, name, n, values[name], interval.low, interval.high, None, None, None, None, None, why)
    gaps = draws["semcer"] - draws[name]
    gaps = gaps[~np.isnan(gaps)]
    gain = percentile_interval(gaps)
    p = min(1.0, 2 * min(float(np.mean(gaps <= 0)), float(np.mean(gaps >= 0)))) if len(gaps) else None
    return TextRow(
        language, name, n, values[name], interval.low, interval.high, values["semcer"] - values[name], gain.low, gain.high,
        p, None,
    )  # fmt: skip
