"""Ratings made elsewhere, brought into a study: an existing one, or a closed one made for them."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project, read_revision
from annotator.store.studies import all_studies, find_study, insert_study, insert_tasks, set_state, study_tasks
from annotator.store.study_import import find_or_add_rater, insert_imported, stored_value
from annotator.store.study_pool import pool_items
from annotator.store.study_records import Study, TaskDraft
from annotator.studies.kinds import BOTH_BAD, SCORE_VALUES, SEVERITY_VALUES, TIE, WRITTEN, StudyKind, choices
from annotator.studies.settings import StudySettings, read_settings, write_settings
from annotator.studies.written import Written, write_written

Rating = tuple[str, str, float | int | str | None]


@dataclass(frozen=True, slots=True)
class RatingsImported:
    """What an import of ratings did. `missing` are tasks of the study without a rating in the file, `extra` ratings of
    items that the study does not have, `duplicates` later answers of one rater to one task."""

    read: int
    written: int
    unchanged: int
    missing: int
    extra: int
    duplicates: int
    study: str
    made: bool
    problems: tuple[Mapping[str, Any], ...] = field(default=())

    def document(self) -> dict[str, Any]:
        """The `--json` shape of every import."""
        names = ("read", "written", "unchanged", "missing", "extra", "duplicates", "study", "made")
        return {name: getattr(self, name) for name in names} | {"problems": list(self.problems)}


class _DryRunError(Exception):
    """Ends the transaction of a dry run, so that all of it is rolled back."""


def import_ratings(
    project: Project, ratings: Sequence[Rating], study: str, kind: StudyKind | None = None, *, dry_run: bool = False
) -> RatingsImported:
    """Write ratings into a study, all or nothing. Without a study of that name one is made, closed, with a task per item.

    An item is found by its id, else by the task's number. Importing the same ratings again changes nothing, and nor does
    a dry run, which reports what would be written. Raises
    `UsageError` for a value that the study does not have, a rating that contradicts one that is there, items of which the
    project knows none, and a new study without `kind`.
    """
    with contextlib.suppress(_DryRunError), project.write() as connection:
        made = study not in {s.name for s in all_studies(connection)}
        if made:
            _make(connection, project, study, kind, ratings)
        found = find_study(connection, study)
        report = _write(connection, found, ratings, made, project.clock())
        if report.read and report.extra == report.read:
            raise UsageError(f"no item of the ratings is in {study}; expected its items' ids or its task numbers")
        if dry_run:
            raise _DryRunError
    return report


def guess_kind(ratings: Iterable[Rating]) -> StudyKind | None:
    """The kind that the values can only be of: 0-4 with a 0 severities of texts, 1-5 with a 5 scores, a and b preferences.

    `None` where they fit several kinds or none; a table of ratings names no edit, so whole texts were rated.
    """
    values = {str(value) for _item, _rater, value in ratings if value not in (None, "")}
    if "0" in values and values <= set(SEVERITY_VALUES):
        return StudyKind.TEXT_SEVERITY
    if "5" in values and values <= set(SCORE_VALUES):
        return StudyKind.TEXT_SCORE
    if values & {"a", "b"} and values <= {"a", "b", TIE, BOTH_BAD}:
        return StudyKind.PREFERENCE
    return None


def _make(
    connection: sqlite3.Connection, project: Project, name: str, kind: StudyKind | None, ratings: Iterable[Rating]
) -> None:
    if kind is None:
        raise UsageError(
            f"there is no study {name!r} yet: say what the ratings are with --kind ({', '.join(StudyKind)})"
        )
    wanted = list(dict.fromkeys(item for item, _rater, _value in ratings))
    items = {item.id: item for item in pool_items(connection, Query(keep_wrong_gold=True), wanted)}
    drafts = [
        TaskDraft(items[i].key, i, items[i].language, gold=items[i].gold, standard=items[i].standard)
        for i in wanted
        if i in items
    ]
    if not drafts:
        raise UsageError("no item of the ratings is in the project; expected ids of items that were imported")
    raters = {rater for _item, rater, _value in ratings}
    key = insert_study(
        connection,
        name=name,
        kind=kind,
        overlap=max(1, len(raters)),
        seed=0,
        settings=write_settings(StudySettings(both_bad=True)),
        method=f"## Study `{name}` ({kind})\n\nRatings made elsewhere: {len(drafts)} items, {len(raters)} raters.\n",
        revision=read_revision(connection),
        at=project.clock(),
    )
    insert_tasks(connection, key, drafts)
    set_state(connection, key, "closed")


def _write(
    connection: sqlite3.Connection, study: Study, ratings: Sequence[Rating], made: bool, at: float
) -> RatingsImported:
    places = _places(connection, study)
    counts = dict.fromkeys(("written", "unchanged", "extra", "duplicates"), 0)
    seen: set[tuple[int, str]] = set()
    rated: set[int] = set()
    for item, rater, given in ratings:
        task = places.get(item)
        if task is None:
            counts["extra"] += 1
            continue
        value = _value(study, item, given)
        if value is None:
            continue
        rated.add(task)
        if (task, rater) in seen:
            counts["duplicates"] += 1
            continue
        seen.add((task, rater))
        counts["written" if _store(connection, study, task, rater, value, at) else "unchanged"] += 1
    return RatingsImported(
        read=len(ratings),
        written=counts["written"],
        unchanged=counts["unchanged"],
        missing=len(set(places.values()) - rated),
        extra=counts["extra"],
        duplicates=counts["duplicates"],
        study=study.name,
        made=made,
    )


def _places(connection: sqlite3.Connection, study: Study) -> dict[str, int]:
    """Item id -> task key where an item has one task, and task number -> task key where no item has that id."""
    tasks = [task for task in study_tasks(connection, study.key) if not task.attention]
    ids = Counter(task.item_id for task in tasks)
    places = {str(task.number): task.key for task in tasks}
    return places | {task.item_id: task.key for task in tasks if ids[task.item_id] == 1}


def _store(connection: sqlite3.Connection, study: Study, task: int, rater: str, value: str, at: float) -> bool:
    key = find_or_add_rater(connection, study.key, rater, at)
    there = stored_value(connection, task, key)
    if there == value:
        return False
    if there is not None:
        raise UsageError(f"{rater} has another value for this task already: found {value!r}, stored is {there!r}")
    event = hashlib.sha256(f"{study.name}|{task}|{rater}|{value}".encode()).hexdigest()
    insert_imported(connection, study.key, task, key, value, event, at)
    return True


def _value(study: Study, item: str, given: float | int | str | None) -> str | None:
    if given is None or str(given).strip() == "":
        return None
    text = str(int(given)) if isinstance(given, float) and given.is_integer() else str(given).strip()
    kind = StudyKind(study.kind)
    if kind is StudyKind.TRANSCRIPTION:
        return write_written(Written(str(given)))
    if kind in WRITTEN:
        return write_written(Written(labels={"label": text}))
    allowed = choices(kind, read_settings(study.settings))
    if text not in allowed:
        raise UsageError(f"{item}: found the value {text!r}; expected one of: {', '.join(allowed)}")
    return text
