"""From the options of `study create` to a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.create import StudyPlan
from annotator.studies.kinds import study_kind
from annotator.studies.settings import StudySettings, read_settings, write_settings

_SETTINGS = frozenset(write_settings(StudySettings()))


def plan_from(project: Project, kind: str, options: Mapping[str, Any]) -> StudyPlan:
    """The plan that the options describe. Raises `UsageError` where they do not fit together."""
    query = Query(
        systems=tuple(options["systems"]),
        conditions=tuple(options["conditions"]),
        benchmark=options["benchmark"],
        language=options["language"],
    )
    listed = options["items"]
    return StudyPlan(
        kind=study_kind(kind),
        name=options["name"],
        size=options["size"],
        overlap=options["overlap"],
        seed=options["seed"],
        query=query,
        item_ids=None if listed is None else tuple(line.strip() for line in listed if line.strip()),
        single_edit=not options["multi_edit"],
        repeats=options["repeats"],
        attention=options["attention"],
        settings=_settings(options),
    )


def _settings(options: Mapping[str, Any]) -> StudySettings:
    chosen = {name: value for name, value in options.items() if name in _SETTINGS}
    chosen["attention_every"] = options["attention_every"] if options["attention"] else 0
    chosen["check_pass"] = min(options["check_pass"], options["check_questions"])
    return read_settings({**write_settings(StudySettings()), **chosen})
