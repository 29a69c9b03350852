"""Parquet files as tables."""

from __future__ import annotations

from typing import Any

from annotator.errors import Problem
from annotator.ingest.tables import Cells, Table, refused

MAGIC = b"PAR1"


def read_parquet(name: str, data: bytes, sha256: str) -> Table:
    """Read a Parquet file. Its rows have no physical lines: the row's number, counted from 1, stands for it.

    Raises `FileError` when the file is broken or cut.
    """
    import pyarrow
    import pyarrow.parquet

    try:
        arrow = pyarrow.parquet.read_table(pyarrow.BufferReader(data))
        columns: tuple[str, ...] = tuple(arrow.column_names)
        values: list[list[Any]] = [column.to_pylist() for column in arrow.columns]
    except (pyarrow.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        problem = Problem(name, None, None, f"a broken or cut Parquet file ({error})", "a whole Parquet file")
        raise refused(name, [problem]) from error
    rows: list[Cells] = list(zip(*values, strict=True))
    return Table(name, columns, range(1, len(rows) + 1), rows, True, sha256)
