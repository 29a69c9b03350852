"""Which folder the app shows, and commands that name it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from annotator.store.project import DATABASE

PROJECT_VARIABLE = "VERBATIM_PROJECT"
_COMMAND = "python -m annotator "
# Commands that make or need no project of their own.
_ELSEWHERE = ("demo", "password", "serve")


def project_folder() -> Path:
    """`VERBATIM_PROJECT`, else `./project`, else `./demo` when only that is there."""
    if named := os.environ.get(PROJECT_VARIABLE):
        return Path(named)
    project, demo = Path("project"), Path("demo")
    return demo if not (project / DATABASE).exists() and (demo / DATABASE).exists() else project


def for_project(command: str) -> str:
    """The command lines of `command`, each with `--project` of the folder on show where it names none."""
    return "\n".join(_with_project(line) for line in command.split("\n"))


def _with_project(line: str) -> str:
    if not line.startswith(_COMMAND) or "--project" in line:
        return line
    name = line.removeprefix(_COMMAND).split(" ", 1)[0]
    return line if name in _ELSEWHERE else f"{line} --project {shlex.quote(str(project_folder()))}"
