"""From the options of `study create` to a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.codebook import codebook_names, load_codebook
from annotator.studies.create import StudyPlan
from annotator.studies.kinds import StudyKind, study_kind
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
    which = study_kind(kind)
    provider = _provider(which, options)
    return StudyPlan(
        kind=which,
        name=options["name"],
        size=options["size"],
        overlap=options["overlap"],
        seed=options["seed"],
        query=query,
        item_ids=_item_ids(project, query, options),
        single_edit=not options["multi_edit"],
        provider=provider,
        severities=_severities(project, query, which, provider),
        scores=_scores(project, query, which, provider),
        repeats=options["repeats"],
        attention=options["attention"],
        settings=_settings(project, which, options),
    )


def _provider(kind: StudyKind, options: Mapping[str, Any]) -> str:
    """Bands of edits come from the built-in rules unless another provider, or none, is asked for."""
    given = str(options["provider"])
    if given == "none":
        return ""
    return given or ("rubric" if kind is StudyKind.EDIT_SEVERITY or options["opposite"] else "")


def _item_ids(project: Project, query: Query, options: Mapping[str, Any]) -> tuple[str, ...] | None:
    if options["cells"]:
        from annotator.analyses.names import require_cell
        from annotator.analyses.poolsources import cell_item_ids

        cells = [require_cell(text) for text in options["cells"]]
        grid = replace(
            query,
            reference=options["reference"],
            axes=options["axes"] or "",
            edges=options["edges"],
            force_edges=options["force_edges"],
        )
        return cell_item_ids(project, grid, cells)
    listed = options["items"]
    return None if listed is None else tuple(line.strip() for line in listed if line.strip())


def _severities(project: Project, query: Query, kind: StudyKind, provider: str) -> dict[tuple[int, int], float]:
    if kind is not StudyKind.EDIT_SEVERITY or not provider:
        return {}
    from annotator.analyses.poolsources import edit_severities

    return edit_severities(project, query, provider)


def _scores(project: Project, query: Query, kind: StudyKind, provider: str) -> dict[int, float] | None:
    if kind is not StudyKind.PREFERENCE or not provider:
        return None
    from annotator.analyses.poolsources import output_scores

    return output_scores(project, query, provider)


def _settings(project: Project, kind: StudyKind, options: Mapping[str, Any]) -> StudySettings:
    chosen = {name: value for name, value in options.items() if name in _SETTINGS}
    chosen["attention_every"] = options["attention_every"] if options["attention"] else 0
    if options["check_pass"] is None:
        chosen["check_pass"] = min(StudySettings().check_pass, options["check_questions"])
    chosen["codebook"] = _codebook(project, kind, options["codebook"])
    return read_settings({**write_settings(StudySettings()), **chosen})


def _codebook(project: Project, kind: StudyKind, name: str) -> str:
    """The codebook asked for; a labels study takes the only one there is. Raises `UsageError` for one that is not there."""
    names = codebook_names(project.folder)
    if kind is StudyKind.LABELS and not name:
        if len(names) > 1:
            raise UsageError(f"a labels study needs --codebook; expected one of: {', '.join(names)}")
        name = names[0]
    return load_codebook(name, project.folder).name if name else ""
