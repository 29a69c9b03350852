"""Tables on disk: CSV, JSONL or Parquet, with a `.meta.json` beside them that says what they hold and what they leave out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from annotator.errors import UsageError
from annotator.store.project import Project
from annotator.text.align import alignment_version
from annotator.wholefile import whole_file

SCHEMA_VERSION = 1
EXCEL_MARK = "an apostrophe stands before cells that begin with = + - @ ', a tab or a carriage return: take one away"
# What a spreadsheet would run, and the mark itself: taking one leading apostrophe away gives every cell back.
_GUARDED = ("=", "+", "-", "@", "\t", "\r", "'")

Cell = str | int | float | None


class Format(StrEnum):
    """How a table is written."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class Table:
    """What an export holds. `name` says which export it is; `left_out` counts rows by reason.

    `exact` writes numbers so that they read back the same. `json_columns` hold JSON text, which JSONL writes as JSON.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    left_out: Mapping[str, int] = field(default_factory=dict)
    exact: bool = False
    json_columns: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written."""

    path: Path
    rows: int
    meta: Path


def write_table(
    project: Project, table: Table, out: Path, format: Format = Format.CSV, *, excel: bool = False
) -> Written:
    """Write a table and its `.meta.json`. Raises `UsageError` when the place cannot be written.

    Numbers with a fraction get six decimals in CSV. `excel` adds a byte-order mark and puts an apostrophe before text
    that a spreadsheet would run as a formula; without it every cell is written as it is.
    """
    if out.is_dir():
        raise UsageError(f"{out}: found a folder; expected the name of a file to write")
    meta = out.with_name(out.name + ".meta.json")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(meta) as meta_part, whole_file(out) as part:
            _write_rows(table, part, format, excel)
            about = json.dumps(describe(project, table, excel=excel), ensure_ascii=False, indent=2)
            meta_part.write_text(about + "\n", encoding="utf-8")
            meta.unlink(missing_ok=True)  # the old description never stands beside the new table
    except OSError as error:
        raise UsageError(
            f"cannot write {out}: {error.strerror}; expected a folder that can be written (--out)"
        ) from error
    return Written(out, len(table.rows), meta)


def describe(project: Project, table: Table, *, excel: bool = False) -> dict[str, Any]:
    """What the `.meta.json` says."""
    return {
        "export": table.name,
        "schema_version": SCHEMA_VERSION,
        "project_revision": project.revision(),
        "alignment_version": alignment_version(),
        "rows": len(table.rows),
        "columns": list(table.columns),
        "left_out": dict(table.left_out),
        **({"excel_mark": EXCEL_MARK} if excel else {}),
    }


def csv_text(table: Table, *, excel: bool = False) -> str:
    """The table as RFC 4180 CSV with line feeds; an absent value is an empty cell."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    # The plain writer leaves a carriage return unquoted, and readers then end the row there.
    careful = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (table.columns, *table.rows):  # the names of further columns come from files too
        cells = [_cell(value, excel, table.exact) for value in row]
        (careful if any("\r" in cell for cell in cells) else writer).writerow(cells)
    return buffer.getvalue()


def jsonl_text(table: Table) -> str:
    """One JSON object a line; an absent value is null."""
    parsed = [name in table.json_columns for name in table.columns]
    return "".join(
        json.dumps(
            {
                name: json.loads(value) if is_json and isinstance(value, str) else value
                for name, value, is_json in zip(table.columns, row, parsed, strict=True)
            },
            ensure_ascii=False,
            allow_nan=False,
        )
        + "\n"
        for row in table.rows
    )


def left_out_words(left_out: Mapping[str, int]) -> Iterable[str]:
    """The rows left out, one reason a line."""
    return (f"left out: {n} ({reason})" for reason, n in left_out.items())


def _cell(value: Cell, excel: bool, exact: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value) if exact else f"{value:.6f}"
    text = str(value)
    return f"'{text}" if excel and isinstance(value, str) and text.startswith(_GUARDED) else text


def _write_rows(table: Table, out: Path, format: Format, excel: bool) -> None:
    if format is Format.PARQUET:
        _write_parquet(table, out)
        return
    text = csv_text(table, excel=excel) if format is Format.CSV else jsonl_text(table)
    out.write_text(text, encoding="utf-8-sig" if excel and format is Format.CSV else "utf-8", newline="")


def _write_parquet(table: Table, out: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: [row[i] for row in table.rows] for i, name in enumerate(table.columns)}
    pq.write_table(pa.table(columns), out)
