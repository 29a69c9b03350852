"""From a path or an upload to a `Table`: the one door of every tabular import."""

from __future__ import annotations

from pathlib import Path

from annotator.ingest.delimited import read_delimited
from annotator.ingest.jsonrows import read_json_list, read_json_object, read_jsonl
from annotator.ingest.parquet import MAGIC, read_parquet
from annotator.ingest.sources import Source, decode, read_source
from annotator.ingest.tables import Table

_DELIMITED = (".csv", ".tsv", ".tab", ".txt")


def read_table(path: Path, *, encoding: str | None = None, quoted: bool = False) -> Table:
    """Read CSV, TSV, JSONL, a JSON list or Parquet, gzip or not. The extension decides between delimited text and JSON,
    the content where the extension says nothing.

    Raises `FileError` when nothing of it can be read; faults of single rows are in `Table.problems`.
    """
    return table_of(read_source(path), encoding=encoding, quoted=quoted)


def table_of(source: Source, *, encoding: str | None = None, quoted: bool = False) -> Table:
    """The same from a source that was read already."""
    if source.data.startswith(MAGIC):
        return read_parquet(source.name, source.data, source.sha256)
    text = decode(source, encoding)
    if source.suffix not in _DELIMITED:
        start = text[:1000].lstrip()[:1]
        if start == "[" and source.suffix != ".jsonl":
            return read_json_list(source.name, text, source.sha256)
        if start == "{" and source.suffix == ".json":
            found = read_json_object(source.name, text, source.sha256)
            if found is not None:
                return found
        if start == "{" or source.suffix in (".json", ".jsonl", ".ndjson"):
            return read_jsonl(source.name, text, source.sha256)
    return read_delimited(source.name, text, source.sha256, suffix=source.suffix, quoted=quoted)
