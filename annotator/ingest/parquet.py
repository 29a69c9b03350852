"""Parquet files as tables, without filling the memory: a few bytes may stand for a billion values."""

from __future__ import annotations

from typing import Any

from annotator.errors import Problem
from annotator.ingest.tables import Cells, Table, refused
from annotator.unpacking import MOST_RATIO, most_unpacked

MAGIC = b"PAR1"
# Values (of lists too) that a file may hold: a constant column takes no bytes, so the floor is generous.
MOST_VALUES_A_BYTE, LEAST_VALUES = 20, 5_000_000
_BATCH = 4096
# Each value of this encoding may repeat the whole of the one before it: only a few are unpacked at a time.
_PREFIXED, _FEW = "DELTA_BYTE_ARRAY", 16


def read_parquet(name: str, data: bytes, sha256: str) -> Table:
    """Read a Parquet file. Its rows have no physical lines: the row's number, counted from 1, stands for it.

    Raises `FileError` when the file is broken or cut, or unpacks to far more than a file of its size holds: more than 100
    times its bytes of text (64 MB at least, 2 GB at most), or 20 values a byte (5 million at least).
    """
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        _refuse_bomb(name, file.metadata, len(data))
        prefixed = any(_PREFIXED in part.encodings for part in _parts(file.metadata))
        if not prefixed:  # repeated texts stay one object each
            texts = [at.name for at in file.schema_arrow if pyarrow.types.is_string(at.type)]
            file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data), read_dictionary=texts)
        columns: tuple[str, ...] = tuple(file.schema_arrow.names)
        rows = _rows(name, file, len(data), _FEW if prefixed else _BATCH)
    except (pyarrow.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        problem = Problem(name, None, None, f"a broken or cut Parquet file ({error})", "a whole Parquet file")
        raise refused(name, [problem]) from error
    return Table(name, columns, range(1, len(rows) + 1), rows, True, sha256)


def _rows(name: str, file: Any, size: int, batch_size: int) -> list[Cells]:
    """The rows, unpacked `batch_size` at a time; the bytes of their texts are counted before there are any."""
    rows: list[Cells] = []
    unpacked = 0
    for batch in file.iter_batches(batch_size):
        unpacked += sum(_unpacked(column) for column in batch.columns)
        if unpacked > most_unpacked(size):
            raise _bomb(name, f"more than {most_unpacked(size):,} bytes", size)
        rows.extend(zip(*(_values(column) for column in batch.columns), strict=True))
    return rows


def _unpacked(column: Any) -> int:
    """Bytes of a column's values were each written out."""
    import pyarrow
    import pyarrow.compute

    if not pyarrow.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pyarrow.compute.binary_length(column.dictionary)
    return int(pyarrow.compute.sum(lengths.take(column.indices)).as_py() or 0)


def _values(column: Any) -> list[Any]:
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        return list(column.to_pylist())
    words = column.dictionary.to_pylist()
    return [None if at is None else words[at] for at in column.indices.to_pylist()]


def _refuse_bomb(name: str, metadata: Any, size: int) -> None:
    """What the file says of itself, before anything of it is unpacked."""
    parts = _parts(metadata)
    values = max(metadata.num_rows * metadata.num_columns, sum(part.num_values for part in parts))
    if values > max(LEAST_VALUES, MOST_VALUES_A_BYTE * size):
        raise _bomb(name, f"{values:,} values", size)
    if sum(part.total_uncompressed_size for part in parts) > most_unpacked(size):
        raise _bomb(name, f"more than {most_unpacked(size):,} bytes", size)


def _parts(metadata: Any) -> list[Any]:
    """What the file says of each column of each group of rows."""
    groups = [metadata.row_group(k) for k in range(metadata.num_row_groups)]
    return [group.column(k) for group in groups for k in range(group.num_columns)]


def _bomb(name: str, what: str, size: int) -> Exception:
    found = f"a Parquet file of {size:,} bytes that unpacks to {what}"
    expected = (
        f"at most {MOST_RATIO} times its size (2 GB) and {MOST_VALUES_A_BYTE} values a byte; write it as CSV or JSONL"
    )
    return refused(name, [Problem(name, None, None, found, expected)])
