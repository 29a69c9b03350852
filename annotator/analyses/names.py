"""What a project holds: names for filters and the counts of the overview."""

from __future__ import annotations

from annotator.store.names import ProjectNames, read_names
from annotator.store.project import Project, read_revision
from annotator.store.reading import attribute_names


def project_names(project: Project) -> ProjectNames:
    """The systems, conditions, benchmarks and languages of a project, with its size and revision."""
    with project.read() as connection:
        return read_names(connection, read_revision(connection))


def axis_names(project: Project) -> tuple[str, ...]:
    """The attributes that a report can split by: benchmark, language, split, document, then the further columns."""
    with project.read() as connection:
        return attribute_names(connection)
