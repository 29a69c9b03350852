"""What every reader of tables returns: columns, rows with physical lines, and the faults found on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from annotator.errors import FileError, Problem


class Absent(Enum):
    """A JSON row without this key: not the same as `null`."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
Cells = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a file gives it. `columns` are as written; `lines[k]` is the physical line on which `rows[k]` begins.

    Cells of CSV and TSV are text; those of JSON and Parquet (`typed`) keep their type, `None` for null, and `ABSENT`
    for a key that the row lacks (or fewer cells than columns). `problems` are the rows that could not be read: the file
    is refused, but the other rows are still checked, so that all faults are told at once.
    """

    file: str
    columns: tuple[str, ...]
    lines: Sequence[int]
    rows: Sequence[Cells]
    typed: bool
    sha256: str
    separator: str = ""
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def where(self, index: int) -> str:
        """`row 2 (line 3)`: the data row counted from 1 and its physical line."""
        return f"row {index + 1} (line {self.lines[index]})"


def refused(file: str, problems: Sequence[Problem]) -> FileError:
    """The error that says that nothing of `file` was imported, and every reason."""
    count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
    return FileError(f"{file}: refused, nothing was imported ({count})", problems)
