"""What a project holds: names for filters and the counts of the overview."""

from __future__ import annotations

import math
from collections.abc import Iterable

from annotator.errors import UsageError
from annotator.records import Cell
from annotator.store.names import ProjectNames, has_gold, read_names
from annotator.store.project import Project, read_revision
from annotator.store.reading import attribute_names, read_attribute


def project_names(project: Project) -> ProjectNames:
    """The systems, conditions, benchmarks and languages of a project, with its size and revision."""
    with project.read() as connection:
        return read_names(connection, read_revision(connection))


def what_is_missing(project: Project) -> str:
    """One sentence on why reports on this project are empty, `""` when it holds items, gold and predictions."""
    names = project_names(project)
    if not names.items:
        return f"the project has no items yet. Import some (annotator import items FILE --project {project.folder})"
    if not names.predictions:
        return f"the project has no predictions yet. Import some (annotator import predictions FILE --project {project.folder})"
    with project.read() as connection:
        if not has_gold(connection):
            return "no item has a gold text, so no answer can be compared with one"
    return ""


def require_cell(text: str) -> Cell:
    """The cell `I-J` (word quintile, n-gram quintile), or `UsageError` for any other text."""
    cell = Cell.parse(text)
    if cell is None:
        raise UsageError(
            f"unknown cell: found {text!r}; expected I-J, the word quintile and the n-gram quintile, each from 1 to 5"
        )
    return cell


def axis_names(project: Project) -> tuple[str, ...]:
    """The attributes that a report can split by: benchmark, language, split, document, then the further columns."""
    with project.read() as connection:
        return attribute_names(connection)


def grouping_names(project: Project, most: int = 40) -> tuple[str, ...]:
    """Attributes that make groups: those with two to `most` different values."""
    with project.read() as connection:
        names = attribute_names(connection)
        return tuple(name for name in names if 2 <= len(set(read_attribute(connection, name).values())) <= most)


def number_names(project: Project) -> tuple[str, ...]:
    """Attributes that can be a score: every value is a finite number, and there are more than two of them."""
    with project.read() as connection:
        names = attribute_names(connection)
        return tuple(name for name in names if _numeric(read_attribute(connection, name).values()))


def _numeric(values: Iterable[str]) -> bool:
    different = set(values)
    try:
        return len(different) > 2 and all(math.isfinite(float(value)) for value in different)
    except ValueError:
        return False
