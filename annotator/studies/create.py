"""Making a study: draw the pool, add repeats and attention tasks, store it as a draft with its method note."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotator.errors import UsageError
from annotator.metrics.outcomes import Outcome, classify_outcome
from annotator.records import Query
from annotator.store.project import Project, read_revision
from annotator.store.studies import find_study, insert_study, insert_tasks, set_state
from annotator.store.study_pool import pool_edits, pool_items, pool_outputs
from annotator.store.study_records import TaskDraft
from annotator.studies.attention import attention_tasks
from annotator.studies.kinds import StudyKind
from annotator.studies.method import method_note
from annotator.studies.pools import Pool, edit_pool, item_pool, preference_pool, review_pool, text_pool
from annotator.studies.settings import StudySettings, write_settings

_NAME = re.compile(r"[^\s/|][^/|\n\r\t]{0,79}")


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """Everything that defines a study's pool; written down in its method note.

    `severities` maps (prediction key, ordinal of the edit) to [0, 1] and gives the bands of edit-severity;
    `provider` is its name. `scores` maps prediction keys to a score where lower is better: with it a preference pool
    holds pairs that CER and the score order oppositely. `item_ids` keeps only those items (a cell, a filter).
    """

    kind: StudyKind
    name: str
    size: int = 100
    overlap: int = 3
    seed: int = 0
    query: Query = field(default_factory=Query)
    item_ids: Sequence[str] | None = None
    single_edit: bool = True
    provider: str = ""
    severities: Mapping[tuple[int, int], float] = field(default_factory=dict)
    scores: Mapping[int, float] | None = None
    repeats: int = 0
    attention: int = 0
    settings: StudySettings = field(default_factory=StudySettings)


@dataclass(frozen=True, slots=True)
class StudyMade:
    """A study that was stored, or (`key` None) only previewed."""

    key: int | None
    name: str
    kind: StudyKind
    pool: Pool
    tasks: int
    method: str


def preview_study(project: Project, plan: StudyPlan) -> StudyMade:
    """Draw the pool without storing anything. Raises `UsageError` for what `create_study` refuses but a taken name."""
    pool, drafts, note, _revision = _prepare(project, plan)
    return StudyMade(None, plan.name, plan.kind, pool, len(drafts), note)


def create_study(project: Project, plan: StudyPlan) -> StudyMade:
    """Draw the pool and store the study as a draft. Raises `UsageError` for a taken name or an empty pool."""
    pool, drafts, note, revision = _prepare(project, plan)
    if not pool.tasks:
        reasons = "; ".join(f"{n} {reason}" for reason, n in pool.left_out) or "the filter matches nothing"
        raise UsageError(f"the pool is empty: {reasons}. Expected at least one task; widen the filter or import first.")
    with project.write() as connection:
        key = insert_study(
            connection,
            name=plan.name,
            kind=plan.kind,
            overlap=plan.overlap,
            seed=plan.seed,
            settings=write_settings(plan.settings),
            method=note,
            revision=revision,
            at=project.clock(),
        )
        insert_tasks(connection, key, drafts)
    return StudyMade(key, plan.name, plan.kind, pool, len(drafts), note)


def change_state(project: Project, name: str, state: str) -> str:
    """Open, close or re-open a study; returns the state that it had."""
    with project.write() as connection:
        study = find_study(connection, name)
        set_state(connection, study.key, state)
        return study.state


def _prepare(project: Project, plan: StudyPlan) -> tuple[Pool, tuple[TaskDraft, ...], str, int]:
    if not _NAME.fullmatch(plan.name):
        raise UsageError(f"found the study name {plan.name!r}; expected 1 to 80 characters without / and |")
    if plan.overlap < 1 or plan.size < 0:
        raise UsageError(f"found {plan.overlap} raters per task and {plan.size} tasks; expected at least 1 and 0")
    with project.read() as connection:
        revision = read_revision(connection)
    pool = _draw(project, plan)
    drafts = _with_extras(plan, pool.tasks)
    return pool, drafts, method_note(plan, pool, drafts, revision), revision


def _draw(project: Project, plan: StudyPlan) -> Pool:
    size, seed, kind = plan.size, plan.seed, plan.kind
    with project.read() as connection:
        if kind is StudyKind.EDIT_SEVERITY:
            edits = pool_edits(connection, plan.query, single=plan.single_edit, item_ids=plan.item_ids)
            return edit_pool(edits, plan.severities, size, seed)
        if kind in (StudyKind.TRANSCRIPTION, StudyKind.LABELS):
            return item_pool(pool_items(connection, plan.query, plan.item_ids), size, seed)
        outputs = pool_outputs(connection, plan.query, plan.item_ids)
        if kind is StudyKind.PREFERENCE:
            return preference_pool(outputs, size, seed, plan.scores)
        if kind is StudyKind.OTHER_REVIEW:
            return review_pool(outputs, _is_other, size, seed)
        return text_pool(outputs, size, seed)


def _with_extras(plan: StudyPlan, tasks: Sequence[TaskDraft]) -> tuple[TaskDraft, ...]:
    rng = random.Random(f"{plan.seed}:extras")
    again = set(rng.sample(range(len(tasks)), min(plan.repeats, len(tasks))))
    drafts = [replace(task, repeats=index in again) for index, task in enumerate(tasks)]
    drafts += attention_tasks(plan.kind, tasks, plan.attention, plan.seed)
    rng.shuffle(drafts)
    return tuple(drafts)


def _is_other(gold: str, standard: str, predicted: str) -> bool:
    return classify_outcome(gold, standard, predicted) is Outcome.OTHER
