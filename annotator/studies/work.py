"""A rater at work: the task to do now, answering, undoing, looking back. Blind: nothing here reads a system's name."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace

from annotator.errors import UsageError
from annotator.store.project import RATER_SECONDS, Project
from annotator.store.studies import study_by_key
from annotator.store.study_answers import record_answer, undo_last
from annotator.store.study_assign import hand_out, renew_lease, shown_task
from annotator.store.study_raters import rater_by_key
from annotator.store.study_read import (
    Past,
    RaterProgress,
    answer_position,
    neighbour_answer,
    past_answers,
    rater_progress,
)
from annotator.store.study_records import Answer, Rater, Shown, Stored, Study
from annotator.studies.codebook import load_codebook
from annotator.studies.kinds import WRITTEN, Cannot, StudyKind, choices
from annotator.studies.settings import assignment_rule, read_settings
from annotator.studies.written import check_written

RATIONALE_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class Desk:
    """What a rater has before them. `task` is `None` when there is nothing to do now; `waiting` says that others still
    hold tasks which may come back."""

    study: Study
    rater: Rater
    task: Shown | None
    progress: RaterProgress
    waiting: bool


def current_desk(project: Project, rater_key: int, *, reopen: bool = False) -> Desk:
    """The rater's present task, leased to them. `reopen` restarts its clock (the page was opened anew)."""
    with project.write(raises_revision=False, patience=RATER_SECONDS) as connection:
        rater = rater_by_key(connection, rater_key)
        study = study_by_key(connection, rater.study_key)
        task = None
        rule = assignment_rule(study)
        if study.state == "open" and rater.stage == "rating" and rater.withdrawn_at is None:
            task = hand_out(connection, rule, rater, project.clock(), reopen=reopen)
        progress = rater_progress(connection, study, rater)
    ended = bool(rule.limit and progress.done >= rule.limit)
    return Desk(study, rater, task, progress, waiting=task is None and not ended and progress.left > 0)


def keep_holding(project: Project, rater_key: int, task_key: int) -> None:
    """Renew the lease of a task that the rater is working on."""
    with project.write(raises_revision=False, patience=RATER_SECONDS) as connection:
        rater = rater_by_key(connection, rater_key)
        rule = assignment_rule(study_by_key(connection, rater.study_key))
        renew_lease(connection, rule, rater_key, task_key, project.clock())


def give_answer(project: Project, rater_key: int, answer: Answer) -> Stored:
    """Store one answer exactly once and say what became of it. Raises `UsageError` for a value the study does not have.

    When this returns, the answer is on disk. Calling it again with the same event changes nothing.
    """
    with project.write(raises_revision=False, patience=RATER_SECONDS, durable=True) as connection:
        rater = rater_by_key(connection, rater_key)
        study = study_by_key(connection, rater.study_key)
        checked = _checked(project, study, answer)
        if study.state != "open":
            return Stored("refused", answer.task_key, why="this study is closed; nothing more is stored")
        return record_answer(connection, assignment_rule(study), rater, checked, project.clock())


def undo(project: Project, rater_key: int, event: str = "") -> Stored | None:
    """Empty the rater's last answer and give them its task again; `None` when there is none. The event is kept."""
    with project.write(raises_revision=False, patience=RATER_SECONDS, durable=True) as connection:
        rater = rater_by_key(connection, rater_key)
        study = study_by_key(connection, rater.study_key)
        if study.state != "open":
            return None
        return undo_last(connection, assignment_rule(study), rater, event or new_event(), project.clock())


def open_answer(project: Project, rater_key: int, task_key: int, repeat: int = 0) -> Shown | None:
    """One of the rater's own earlier tasks with their answer; `None` when it is not theirs."""
    with project.read() as connection:
        return shown_task(connection, rater_key, task_key, repeat)


def step_from(project: Project, rater_key: int, shown: Shown | None, step: int) -> tuple[int, int] | None:
    """(task key, repeat) of the answer before (-1) or after (+1) a task in the rater's own order; `None` at the ends."""
    with project.read() as connection:
        position = None
        if shown is not None:
            position = answer_position(connection, rater_key, shown.task_key, shown.repeat)
        if position is None:
            return neighbour_answer(connection, rater_key, 1 << 60, -1) if step < 0 else None
        return neighbour_answer(connection, rater_key, position, step)


def earlier_answers(project: Project, rater_key: int, limit: int = 50) -> tuple[Past, ...]:
    """The rater's own answers, last first."""
    with project.read() as connection:
        return past_answers(connection, rater_key, limit)


def new_event() -> str:
    """An id for one act of a rater, where the browser did not make one (a button, AppTest)."""
    return uuid.uuid4().hex


def _checked(project: Project, study: Study, answer: Answer) -> Answer:
    kind = StudyKind(study.kind)
    if not answer.event or len(answer.event) > 100:
        raise UsageError("an answer needs an event id of 1 to 100 characters")
    kept = replace(answer, rationale=answer.rationale[:RATIONALE_LENGTH])
    if answer.value is None:
        if answer.cannot not in tuple(Cannot):
            raise UsageError(f"found the reason {answer.cannot!r}; expected one of: {', '.join(Cannot)}")
        return kept
    if kind in WRITTEN:
        return replace(kept, value=check_written(kind, answer.value, _labels(project, study)), cannot="")
    allowed = choices(kind, read_settings(study.settings))
    if answer.value not in allowed:
        raise UsageError(f"found the answer {answer.value!r}; expected one of: {', '.join(allowed)}")
    return replace(kept, cannot="")


def _labels(project: Project, study: Study) -> dict[str, frozenset[str]] | None:
    """The labels that the study's codebook knows, with their values; `None` for a study without a codebook."""
    name = read_settings(study.settings).codebook
    if not name:
        return None
    return {
        label.name: frozenset(v.value for v in label.values) for label in load_codebook(name, project.folder).labels
    }
