"""What every reader of this folder returns: a table with the product's own column names, and where its images lie."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from annotator.errors import FileError, Problem
from annotator.ingest.tables import Cells, Table, refused


class Kind(StrEnum):
    """What is being imported."""

    ITEMS = "items"
    PREDICTIONS = "predictions"
    PAIRS = "pairs"
    ATTRIBUTES = "attributes"


@dataclass(frozen=True, slots=True)
class Brought:
    """`root` is the image root. `made`: the images were made while reading, and are copied into the project."""

    table: Table
    root: Path
    made: bool = False


def make_table(
    file: str,
    columns: Sequence[str],
    rows: Iterable[Cells],
    *,
    sha256: str = "",
    lines: Sequence[int] | None = None,
    notes: Sequence[str] = (),
    problems: Sequence[Problem] = (),
) -> Table:
    """A table of own column names. Without `lines` the number of the row, counted from 1, stands for it.

    Raises `FileError` when there is no row.
    """
    kept = list(rows)
    if not kept:
        raise nothing_in(file, "no row", "at least one", problems)
    numbers = range(1, len(kept) + 1) if lines is None else lines
    return Table(file, tuple(columns), numbers, kept, True, sha256, "", tuple(problems), tuple(notes))


def nothing_in(file: str, found: str, expected: str, problems: Sequence[Problem] = ()) -> FileError:
    """The refusal of a file in which nothing can be found."""
    return refused(file, [*problems, Problem(file, None, None, found, expected)])


def hash_of(*parts: bytes) -> str:
    """One SHA-256 for a source of several files."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def without_extension(path: str) -> str:
    """A path without its last extension; a folder's dots stay."""
    suffix = Path(path).suffix
    return path[: -len(suffix)] if suffix else path
