"""Which answers count: the first k per task by raters who were not withdrawn, first showings only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from annotator.records import Query
from annotator.store.project import Project, read_revision
from annotator.store.reading import read_items, read_runs
from annotator.store.studies import find_study, study_tasks, task_makers
from annotator.store.study_read import events_stamp, study_ratings
from annotator.store.study_records import Maker, RatingRow, Study, TaskRow


@dataclass(frozen=True, slots=True)
class StudyData:
    """A study with its tasks (ordered by item), all its current ratings, and the systems behind the tasks."""

    study: Study
    tasks: tuple[TaskRow, ...]
    ratings: tuple[RatingRow, ...]
    makers: dict[int, tuple[Maker, ...]]


def load_study(project: Project, name: str, query: Query | None = None) -> StudyData:
    """Everything of one study in one read. Owner only: it names systems.

    `query` keeps the tasks on items of its benchmark and language that one of its systems and conditions made, and those
    that show no output; how it says that texts are scored changes nothing here.
    """
    with project.read() as connection:
        study = find_study(connection, name)
        data = StudyData(
            study,
            study_tasks(connection, study.key),
            study_ratings(connection, study),
            task_makers(connection, study.key),
        )
        if query is None or not (query.systems or query.conditions or query.benchmark or query.language):
            return data
        read_runs(connection, query.systems, query.conditions)  # refuses names that are not known
        items = frozenset(read_items(connection, query.benchmark).keys.tolist()) if query.benchmark else None
    kept = tuple(task for task in data.tasks if _is_asked(task, data.makers.get(task.key, ()), query, items))
    keys = {task.key for task in kept}
    return replace(data, tasks=kept, ratings=tuple(row for row in data.ratings if row.task_key in keys))


def _is_asked(task: TaskRow, makers: Sequence[Maker], query: Query, items: frozenset[int] | None) -> bool:
    if query.language and task.language.casefold() != query.language.casefold():
        return False
    if items is not None and task.item_key not in items:
        return False
    return not (makers and (query.systems or query.conditions)) or any(
        (not query.systems or maker.system in query.systems)
        and (not query.conditions or maker.condition in query.conditions)
        for maker in makers
    )


def study_stamp(project: Project, name: str) -> tuple[int, int]:
    """Changes whenever a result of the study can: with every answer, and with every write to the project."""
    with project.read() as connection:
        return events_stamp(connection, find_study(connection, name).key), read_revision(connection)


def counted(study: Study, ratings: Iterable[RatingRow], kinds: Sequence[str] = ("person", "import")) -> list[RatingRow]:
    """Ratings that results use: a value, first showing, no attention task, rater not withdrawn, the first k per task.

    The order within a task is surplus last, then time. Model judges are left out unless `kinds` asks for them.
    """
    slots: defaultdict[int, list[RatingRow]] = defaultdict(list)
    for row in ratings:
        if row.value is not None and not (row.repeat or row.attention or row.withdrawn) and row.rater_kind in kinds:
            slots[row.task_key].append(row)
    chosen = []
    for rows in slots.values():
        rows.sort(key=lambda r: (r.surplus, r.answered_at, r.position))
        chosen.extend(rows[: study.overlap])
    return chosen


def by_task(rows: Iterable[RatingRow]) -> dict[int, list[RatingRow]]:
    """Ratings grouped by task."""
    groups: defaultdict[int, list[RatingRow]] = defaultdict(list)
    for row in rows:
        groups[row.task_key].append(row)
    return dict(groups)
