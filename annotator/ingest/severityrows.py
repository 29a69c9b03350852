"""Read a severities file: a plain table of edits, or the JSONL of the semcer package's `score` command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import InputError, Problem
from annotator.ingest.cells import CellError, id_of, number_of, optional_text, problem
from annotator.ingest.columns import map_columns
from annotator.ingest.fields import Field
from annotator.ingest.options import ImportOptions
from annotator.ingest.reading import read_table
from annotator.ingest.tables import ABSENT, Table, refused
from annotator.metrics.severity.levels import Distribution

SEVERITY_FIELDS = (
    Field("id", True, ("item", "item_id", "image_id")),
    Field("system", aliases=("model", "engine")),
    Field("condition", aliases=("prompt", "variant")),
    Field("op", True, ("operation",)),
    Field("gold_index", True, ("ref_index",)),
    Field("predicted_index", aliases=("hyp_index",)),
    Field("severity"),
    *(Field(f"p{level}") for level in range(5)),
)
_OPS = {"sub": "sub", "del": "del", "ins": "ins", "substitution": "sub", "deletion": "del", "insertion": "ins"}


@dataclass(frozen=True, slots=True)
class GivenSeverity:
    """One edit of the file. `severity is None`: the file says that it is unscored."""

    file: str
    line: int
    id: str
    system: str
    condition: str
    op: str
    gold_index: int
    predicted_index: int | None
    severity: float | None
    probabilities: tuple[float, float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class GivenSeverities:
    """All rows of a file, and its SHA-256."""

    rows: tuple[GivenSeverity, ...]
    sha256: str


def read_severities(path: Path, options: ImportOptions) -> GivenSeverities:
    """Read and check every row. Raises `FileError` with every fault by line: an op, index, severity or distribution."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    problems = list(table.problems)
    folded = [column.strip().casefold() for column in table.columns]
    found = _semcer(table, folded, problems) if "edits" in folded else _table(table, options, problems)
    rows = tuple(found)
    if problems:
        raise refused(table.file, problems)
    return GivenSeverities(rows, table.sha256)


def _table(table: Table, options: ImportOptions, problems: list[Problem]) -> Iterator[GivenSeverity]:
    columns = map_columns(table, SEVERITY_FIELDS, options.mapping)
    problems += columns.problems
    if columns.problems:
        return
    if "severity" not in columns.at and not all(f"p{k}" in columns.at for k in range(5)):
        problems.append(
            Problem(table.file, 1, None, f"the columns {', '.join(table.columns)}", "severity, or p0 to p4")
        )
        return
    for index, cells in enumerate(table.rows):
        try:
            yield _row(table, index, {name: cells[at] for name, at in columns.at.items()})
        except CellError as error:
            problems.append(problem(table, index, None, error))


def _semcer(table: Table, folded: Sequence[str], problems: list[Problem]) -> Iterator[GivenSeverity]:
    for index, cells in enumerate(table.rows):
        try:
            yield from _line(table, index, dict(zip(folded, cells, strict=False)))
        except CellError as error:
            problems.append(problem(table, index, None, error))


def _line(table: Table, index: int, line: Mapping[str, Any]) -> Iterator[GivenSeverity]:
    edits = line.get("edits", ABSENT)
    if edits is ABSENT or edits is None:
        return
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        raise CellError("edits that are no list of objects", "the edits of a semcer score file (--details edits)")
    for edit in edits:
        row = {"id": line.get("id", ABSENT), "system": line.get("system", ABSENT), "op": edit.get("op")}
        row |= {
            "gold_index": edit.get("ref_index"),
            "predicted_index": edit.get("hyp_index"),
            "severity": edit.get("severity"),
        }
        probs = edit.get("probs")
        if isinstance(probs, list):
            row |= _levels(probs)
        yield _row(table, index, row)


def _levels(probs: Sequence[Any]) -> dict[str, Any]:
    if len(probs) != 5:
        raise CellError(f"{len(probs)} probabilities", "five, for the levels 0 to 4")
    return {f"p{k}": value for k, value in enumerate(probs)}


def _row(table: Table, index: int, row: Mapping[str, Any]) -> GivenSeverity:
    item = id_of(row["id"])
    op = _OPS.get((optional_text(row.get("op")) or "").strip().casefold())
    if op is None:
        raise CellError(f"op {row.get('op')!r} (id {item})", "sub, del or ins")
    probabilities = _distribution(row, item)
    severity = _number(row.get("severity"), "severity", item)
    if probabilities is not None:
        severity = Distribution(probabilities).severity
    if severity is not None and not 0 <= severity <= 1:
        raise CellError(f"severity {severity} (id {item})", "a number in [0, 1]")
    gold_index = _index(row.get("gold_index"), "gold_index", item)
    if gold_index is None:
        raise CellError(f"no gold_index (id {item})", "a whole number from 0")
    return GivenSeverity(
        table.file,
        table.lines[index],
        item,
        (optional_text(row.get("system", ABSENT)) or "").strip(),
        (optional_text(row.get("condition", ABSENT)) or "").strip(),
        op,
        gold_index,
        _index(row.get("predicted_index"), "predicted_index", item),
        severity,
        probabilities,
    )


def _distribution(row: Mapping[str, Any], item: str) -> tuple[float, float, float, float, float] | None:
    values = [_number(row.get(f"p{k}"), f"p{k}", item) for k in range(5)]
    if all(value is None for value in values):
        return None
    try:
        return Distribution.of([float("nan") if value is None else value for value in values]).p
    except InputError as error:
        raise CellError(
            f"{error} (id {item})", "five probabilities that are not negative and sum to at most 1"
        ) from error


def _number(value: Any, name: str, item: str) -> float | None:
    if value is None or value is ABSENT or value == "":
        return None
    try:
        return number_of(value)
    except CellError as error:
        raise CellError(f"{name} {error.found} (id {item})", error.expected) from error


def _index(value: Any, name: str, item: str) -> int | None:
    number = _number(value, name, item)
    if number is None:
        return None
    if number < 0 or number != int(number):
        raise CellError(f"{name} {number} (id {item})", "a whole number from 0")
    return int(number)
