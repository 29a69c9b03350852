"""How far the raters of a study agree: statistics, rater against the rest, repeats, position, confusion, by group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from annotator.records import Query
from annotator.stats.agreement import Agreement, rate_agreement
from annotator.stats.bootstrap import bootstrap_mean
from annotator.stats.intervals import Estimate, wilson_estimate
from annotator.store.project import Project
from annotator.store.study_records import RatingRow
from annotator.studies.adjudicate import needs_adjudication, pairwise_cer
from annotator.studies.answers import StudyData, by_task, counted, load_study
from annotator.studies.kinds import BOTH_BAD, TIE, WRITTEN, Level, StudyKind, level
from annotator.studies.position import PositionBias, position_bias
from annotator.studies.written import read_written

Rating = tuple[str, str, str]
PREFERENCE_CODES = {"a": 1, TIE: 0, "b": -1}
MIN_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class AgainstRest:
    """One rater against the others on the same tasks: equal to the majority of the rest (`exact`), and on scales the
    mean of own value minus the mean of the rest (`shift`)."""

    rater: str
    exact: Estimate
    shift: float | None
    repeats: int
    repeats_equal: int


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Alpha within one language or band; `why` when it is undefined."""

    by: str
    group: str
    alpha: float | None
    low: float | None
    high: float | None
    items: int
    ratings: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class StudyAgreement:
    """Everything about agreement in one study. `labels` holds one agreement per codebook label.

    `confusion` counts pairs of answers to one task by two raters: (value, other value) -> pairs, both ways.
    """

    study: str
    kind: StudyKind
    level: Level
    agreement: Agreement
    both_bad: int
    cannot: int
    rest: tuple[AgainstRest, ...]
    groups: tuple[GroupAgreement, ...]
    confusion: Mapping[tuple[str, str], int]
    position: PositionBias | None
    pairwise_cer: Estimate | None = None
    needed_adjudication: Estimate | None = None
    labels: Mapping[str, Agreement] = field(default_factory=dict)


def study_agreement(
    project: Project,
    name: str,
    *,
    min_share: float = MIN_SHARE,
    seed: int = 0,
    resamples: int = 10_000,
    query: Query | None = None,
) -> StudyAgreement:
    """Agreement of the raters who did at least `min_share` of the items, for every figure.

    Preferences are coded a = 1, tie = 0, b = -1; both-bad answers are left out and counted. Texts have nominal values
    beside their mean pairwise CER. `query` keeps some of the tasks, as in `load_study`.
    """
    data = load_study(project, name, query)
    kind, rows = StudyKind(data.study.kind), counted(data.study, data.ratings)
    scale = level(kind)
    rated = [r for r in rows if r.value != BOTH_BAD or kind is not StudyKind.PREFERENCE]
    coded = [_coded(kind, row) for row in rated]
    agreement = _agree(coded, scale, min_share, seed, resamples)
    kept = [r for r in rated if r.rater not in agreement.dropped_raters]
    return StudyAgreement(
        study=name,
        kind=kind,
        level=scale,
        agreement=agreement,
        both_bad=len(rows) - len(rated),
        cannot=sum(row.value is None for row in data.ratings),
        rest=_against_rest(kind, kept, data.ratings),
        groups=_groups(data, coded, rated, scale, min_share, seed),
        confusion=_confusion(kind, kept),
        position=position_bias(data.ratings) if kind is StudyKind.PREFERENCE else None,
        pairwise_cer=_pairwise(kept, seed, resamples) if kind is StudyKind.TRANSCRIPTION else None,
        needed_adjudication=_needed(kept) if kind in WRITTEN else None,
        labels=_labels(kept, min_share, seed, resamples) if kind in WRITTEN else {},
    )


def _coded(kind: StudyKind, row: RatingRow) -> Rating:
    value = row.value or ""
    if kind is StudyKind.PREFERENCE:
        value = str(PREFERENCE_CODES[value])
    elif kind is StudyKind.TRANSCRIPTION:
        value = read_written(value).verbatim or " "
    elif kind is StudyKind.LABELS:
        value = "; ".join(f"{k}={v}" for k, v in sorted(read_written(value).labels.items()))
    return (str(row.task), row.rater, value)


def _agree(ratings: Iterable[Rating], scale: Level, min_share: float, seed: int, resamples: int) -> Agreement:
    return rate_agreement(ratings, scale.value, min_share, np.random.default_rng(seed), resamples)


def _against_rest(
    kind: StudyKind, rows: Sequence[RatingRow], everything: Sequence[RatingRow]
) -> tuple[AgainstRest, ...]:
    number = _numbers(kind)
    found = []
    for rater in sorted({row.rater for row in rows}):
        exact = compared = 0
        shifts = []
        for group in by_task(rows).values():
            own = next((r.value for r in group if r.rater == rater), None)
            others = [r.value for r in group if r.rater != rater]
            if own is None or not others:
                continue
            most = max(others.count(value) for value in others)
            modes = {value for value in others if others.count(value) == most}
            if len(modes) == 1:
                compared += 1
                exact += own in modes
            if number is not None:
                shifts.append(number(own) - sum(number(v or "") for v in others) / len(others))
        seen, equal = _repeats(rater, everything)
        shift = sum(shifts) / len(shifts) if shifts else None
        found.append(AgainstRest(rater, wilson_estimate(exact, compared), shift, seen, equal))
    return tuple(found)


def _numbers(kind: StudyKind) -> Callable[[str], float] | None:
    if kind is StudyKind.PREFERENCE:
        return lambda value: float(PREFERENCE_CODES[value])
    return float if level(kind) is Level.ORDINAL else None


def _repeats(rater: str, rows: Iterable[RatingRow]) -> tuple[int, int]:
    own = {
        (r.task_key, r.repeat): r.value for r in rows if r.rater == rater and r.value is not None and not r.attention
    }
    pairs = [(own[key, 0], value) for (key, repeat), value in own.items() if repeat and (key, 0) in own]
    return len(pairs), sum(first == second for first, second in pairs)


def _groups(
    data: StudyData, coded: Sequence[Rating], rows: Sequence[RatingRow], scale: Level, min_share: float, seed: int
) -> tuple[GroupAgreement, ...]:
    tasks = {task.key: task for task in data.tasks}
    found = []
    for by in ("language", "band"):
        parts: defaultdict[str, list[Rating]] = defaultdict(list)
        for rating, row in zip(coded, rows, strict=True):
            parts[getattr(tasks[row.task_key], by)].append(rating)
        if len(parts) < 2:
            continue
        for group, ratings in sorted(parts.items()):
            a = _agree(ratings, scale, min_share, seed, 1_000)
            why = a.why.get("alpha", "")
            found.append(GroupAgreement(by, group, a.alpha, a.alpha_low, a.alpha_high, a.items, a.ratings, why))
    return tuple(found)


def _confusion(kind: StudyKind, rows: Sequence[RatingRow]) -> dict[tuple[str, str], int]:
    table: defaultdict[tuple[str, str], int] = defaultdict(int)
    if kind in WRITTEN:
        return {}
    for group in by_task(rows).values():
        for one, other in combinations(group, 2):
            table[one.value or "", other.value or ""] += 1
            table[other.value or "", one.value or ""] += 1
    return dict(sorted(table.items()))


def _pairwise(rows: Sequence[RatingRow], seed: int, resamples: int) -> Estimate:
    texts = [[read_written(r.value or "{}").verbatim for r in group] for group in by_task(rows).values()]
    rates = [rate for group in texts if (rate := pairwise_cer(group)) is not None]
    return bootstrap_mean(np.array(rates), np.random.default_rng(seed), resamples)


def _needed(rows: Sequence[RatingRow]) -> Estimate:
    groups = [g for g in by_task(rows).values() if len(g) > 1]
    return wilson_estimate(
        sum(needs_adjudication([read_written(r.value or "{}") for r in g]) for g in groups), len(groups)
    )


def _labels(rows: Sequence[RatingRow], min_share: float, seed: int, resamples: int) -> dict[str, Agreement]:
    given: defaultdict[str, list[Rating]] = defaultdict(list)
    for row in rows:
        for label, value in read_written(row.value or "{}").labels.items():
            given[label].append((str(row.task), row.rater, value))
    return {label: _agree(r, Level.NOMINAL, min_share, seed, resamples) for label, r in sorted(given.items())}
