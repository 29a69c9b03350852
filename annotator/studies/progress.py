"""The owner's live view: tasks by state, what each rater did and how, and what to look at first."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.store.project import Project
from annotator.store.studies import all_studies, find_study, task_counts
from annotator.store.study_raters import study_raters
from annotator.store.study_read import study_ratings
from annotator.store.study_records import Rater, RatingRow, Study
from annotator.studies.settings import StudySettings, read_settings

ONE_NOTE_SHARE = 0.9
ONE_NOTE_LEAST = 10


@dataclass(frozen=True, slots=True)
class RaterWatch:
    """One rater's work. `attention_missed` of `attention_seen`; `fast` answers were under the study's floor.

    `per_hour` counts answers over the hours between first and last; `None` under two answers. `flags` are words for what
    an owner should look at.
    """

    rater: str
    kind: str
    stage: str
    withdrawn: bool
    answers: int
    repeats: int
    cannot: int
    surplus: int
    median_seconds: float | None
    per_hour: float | None
    fast: int
    attention_seen: int
    attention_missed: int
    distribution: Mapping[str, int] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyWatch:
    """A study as its owner watches it. `cannot` lists (task, rater, reason, rationale), last first."""

    study: Study
    counts: Mapping[str, int]
    raters: tuple[RaterWatch, ...]
    cannot: tuple[tuple[int, str, str, str], ...]


def list_studies(project: Project) -> tuple[tuple[Study, dict[str, int]], ...]:
    """Every study with its counts of tasks by state."""
    with project.read() as connection:
        return tuple((s, task_counts(connection, s, project.clock())) for s in all_studies(connection))


def watch_study(project: Project, name: str) -> StudyWatch:
    """Tasks by state, raters with their flags, and what could not be judged."""
    with project.read() as connection:
        study = find_study(connection, name)
        counts = task_counts(connection, study, project.clock())
        raters = study_raters(connection, study.key)
        ratings = study_ratings(connection, study)
    settings = read_settings(study.settings)
    own: dict[int, list[RatingRow]] = {rater.key: [] for rater in raters}
    for row in ratings:
        own[row.rater_key].append(row)
    cannot = tuple((r.task, r.rater, r.cannot, r.rationale) for r in reversed(ratings) if r.value is None)
    return StudyWatch(study, counts, tuple(_watch(r, own[r.key], settings) for r in raters), cannot)


def _watch(rater: Rater, rows: Sequence[RatingRow], settings: StudySettings) -> RaterWatch:
    seconds = [row.seconds for row in rows if row.seconds is not None]
    values = [row.value for row in rows if row.value is not None and not row.attention and len(row.value) < 20]
    seen = [row for row in rows if row.attention and row.value is not None]
    missed = sum(row.value not in row.expected for row in seen)
    fast = sum(s < settings.floor_seconds for s in seconds)
    times = [row.answered_at for row in rows]
    hours = (max(times) - min(times)) / 3600 if len(times) > 1 else 0.0
    return RaterWatch(
        rater=rater.label,
        kind=rater.kind,
        stage=rater.stage,
        withdrawn=rater.withdrawn_at is not None,
        answers=sum(row.value is not None and not row.repeat and not row.attention for row in rows),
        repeats=sum(row.repeat > 0 for row in rows),
        cannot=sum(row.value is None for row in rows),
        surplus=sum(row.surplus for row in rows),
        median_seconds=statistics.median(seconds) if seconds else None,
        per_hour=(len(times) - 1) / hours if hours else None,
        fast=fast,
        attention_seen=len(seen),
        attention_missed=missed,
        distribution=dict(sorted(Counter(values).items())),
        flags=_flags(values, fast, len(seconds), missed, len(seen)),
    )


def _flags(values: Sequence[str], fast: int, timed: int, missed: int, seen: int) -> tuple[str, ...]:
    flags = []
    if timed >= ONE_NOTE_LEAST and fast * 2 > timed:
        flags.append("most answers are fast")
    if missed and missed * 3 >= seen:
        flags.append("misses attention tasks")
    if len(values) >= ONE_NOTE_LEAST and max(Counter(values).values()) >= ONE_NOTE_SHARE * len(values):
        flags.append("gives one answer almost always")
    return tuple(flags)
