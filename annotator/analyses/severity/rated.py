"""Readers' ratings as severities: of single edits, and of whole lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.analyses.sampling import Codes
from annotator.analyses.severity.providers import LineProvider, Provider
from annotator.errors import UsageError
from annotator.metrics.severity.levels import level_severity
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.reading import read_items, require_attribute
from annotator.store.severities import Line
from annotator.store.studies import all_studies, find_study, study_tasks
from annotator.store.study_read import study_ratings
from annotator.store.study_records import Study, TaskRow

PEOPLE = ("person", "import")
EDITS, TEXTS, PREFERENCES = "edit-severity", "text-severity", "preference"


@dataclass(frozen=True, slots=True)
class RatedTask:
    """A task with the values that people gave it (first answers, attention tasks and withdrawn raters left out)."""

    task: TaskRow
    values: Mapping[str, str]
    """By rater."""

    @property
    def mean(self) -> float:
        """The mean of k/4."""
        return float(np.mean([level_severity(float(value)) for value in self.values.values()]))


def read_rated(project: Project, study: str, kind: str) -> tuple[RatedTask, ...]:
    """The tasks of a study that have at least one answer. Raises `UsageError` for no such study or another kind."""
    with project.read() as connection:
        found = find_study(connection, study)
        if found.kind != kind:
            raise UsageError(f"{study} is of kind {found.kind}; expected a study of kind {kind}")
        tasks, ratings = study_tasks(connection, found.key), study_ratings(connection, found)
    values: dict[int, dict[str, str]] = {}
    for row in ratings:
        left_out = row.repeat or row.attention or row.withdrawn or row.surplus or row.rater_kind not in PEOPLE
        if row.value is not None and not left_out:
            values.setdefault(row.task_key, {})[row.rater] = row.value
    return tuple(RatedTask(task, values[task.key]) for task in tasks if task.key in values and not task.attention)


def studies_of(project: Project, kind: str) -> tuple[Study, ...]:
    """The studies of a kind, oldest first."""
    with project.read() as connection:
        return tuple(study for study in all_studies(connection) if study.kind == kind)


def task_clusters(project: Project, query: Query, tasks: Sequence[TaskRow]) -> Codes:
    """What is resampled together, one code a task: the documents of the tasks' items (or `--cluster COLUMN`), and the item
    itself where it has none."""
    with project.read() as connection:
        items = read_items(connection)
        known = require_attribute(connection, query.cluster) if query.cluster else None
    names = dict(zip(items.keys.tolist(), items.document, strict=True)) if known is None else known
    codes: dict[str, int] = {}
    labels = (names.get(task.item_key or 0, "") or f"\0{task.item_id}" for task in tasks)
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.int64)


def rated_provider(project: Project, name: str) -> Provider:
    """`ratings`: the mean of the raters' k/4 for the same edit of the same two texts, over all edit-severity studies.
    `whole-line`: each edit of a text is charged the mean rating of that text, so that semCER is CER times the rating.

    Raises `UsageError` when no study of the kind has an answer.
    """
    kind = {"ratings": EDITS, "whole-line": TEXTS}[name]
    means: dict[tuple[object, ...], list[float]] = {}
    for study in studies_of(project, kind):
        for rated in read_rated(project, study.name, kind):
            if rated.task.gold is not None and (rated.task.edit is not None or kind == TEXTS):
                means.setdefault(_key(rated.task), []).extend(level_severity(float(v)) for v in rated.values.values())
    if not means:
        raise UsageError(f"provider {name}: no {kind} study of this project has an answer yet")
    found = {key: float(np.mean(values)) for key, values in means.items()}
    version = hashlib.sha256(repr(sorted(found.items(), key=repr)).encode()).hexdigest()[:16]
    return LineProvider(name, version, _charging(kind, found))


def _key(task: TaskRow) -> tuple[object, ...]:
    edit = task.edit
    mark = () if edit is None else (edit.op, edit.gold_index, edit.predicted_index)
    return (task.gold, task.predicted, *mark)


def _charging(kind: str, means: Mapping[tuple[object, ...], float]) -> Callable[[Line], Sequence[float | None]]:
    def of_edits(line: Line) -> Sequence[float | None]:
        pair = line.gold, line.predicted
        return [means.get((*pair, e.op.value, e.gold_index, e.predicted_index)) for e in line.alignment.edits]

    def of_lines(line: Line) -> Sequence[float | None]:
        return [means.get((line.gold, line.predicted))] * len(line.alignment.edits)

    return of_edits if kind == EDITS else of_lines


RATED = {"ratings": EDITS, "whole-line": TEXTS}
