"""What a project holds: names for filters and the counts of the overview."""

from __future__ import annotations

from annotator.store.names import ProjectNames, read_names
from annotator.store.project import Project, read_revision


def project_names(project: Project) -> ProjectNames:
    """The systems, conditions, benchmarks and languages of a project, with its size and revision."""
    with project.read() as connection:
        return read_names(connection, read_revision(connection))
