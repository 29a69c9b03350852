"""The exception tree.

VerbatimError
├── InputError       what the user gave cannot be used (exit status 2)
│   ├── FileError  a file is refused; carries the list of problems found in it
│   └── UsageError   options that do not fit together, names that are not known
├── StoreError       the project cannot be opened, read or written
│   ├── ProjectMissingError
│   ├── ProjectTooNewError
│   └── ProjectReadOnlyError
├── AccessDeniedError     a token or role that does not allow this
└── EngineError      a recogniser, model or endpoint is missing or failed
    └── EngineRefusedError  it would fail the same way for every further item (a wrong key, an unknown model)

Every message says where, what was found, what was expected and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a file. `line` is the physical line (1 = first), `None` when the fault has no line."""

    file: str
    line: int | None
    column: str | None
    found: str
    expected: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        if self.column:
            where += f", column {self.column}"
        return f"{where}: found {self.found}; expected {self.expected}"


class VerbatimError(Exception):
    """Base of every error that the library raises on purpose."""


class InputError(VerbatimError):
    """What the user gave cannot be used."""


class FileError(InputError):
    """A file is refused and nothing of it was written. `problems` holds every fault found."""

    SHOWN = 20

    def __init__(self, summary: str, problems: Sequence[Problem] = ()) -> None:
        self.summary = summary
        self.problems = tuple(problems)
        lines = [summary, *(f"  {p}" for p in self.problems[: self.SHOWN])]
        if len(self.problems) > self.SHOWN:
            lines.append(f"  ... and {len(self.problems) - self.SHOWN} more problems")
        super().__init__("\n".join(lines))


class UsageError(InputError):
    """Options that do not fit together, or a name that the project does not know."""


class StoreError(VerbatimError):
    """The project's database cannot be opened, read or written."""


class ProjectMissingError(StoreError):
    """There is no project at the path."""


class ProjectTooNewError(StoreError):
    """The project was written by a later version."""


class ProjectReadOnlyError(StoreError):
    """The project cannot be written (read-only or full disk)."""


class AccessDeniedError(VerbatimError):
    """A token or a role does not allow this."""


class EngineError(VerbatimError):
    """A recogniser, a model or an endpoint is missing or failed."""


class EngineRefusedError(EngineError):
    """Every further item would fail the same way: a wrong key, an unknown model, a program that is not there."""
