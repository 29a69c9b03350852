"""Read-outs of severities in a project that cannot be written: charged in a temporary copy, which is thrown away."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from annotator.errors import ProjectReadOnlyError, StoreError
from annotator.store.project import Project
from annotator.store.upkeep import temporary_copy

Given = ParamSpec("Given")
Report = TypeVar("Report")


def without_writing(
    report: Callable[Concatenate[Project, Given], Report],
) -> Callable[Concatenate[Project, Given], Report]:
    """Let `report(project, ...)` do its work on a copy when the project itself cannot take the charges that it needs.

    Raises the project's own `ProjectReadOnlyError` when there is no room for a copy either.
    """

    @wraps(report)
    def read(project: Project, /, *args: Given.args, **kwargs: Given.kwargs) -> Report:
        try:
            return report(project, *args, **kwargs)
        except ProjectReadOnlyError as error:
            try:
                with temporary_copy(project) as copy:
                    return report(copy, *args, **kwargs)
            except (StoreError, OSError):
                raise error from None

    return read
