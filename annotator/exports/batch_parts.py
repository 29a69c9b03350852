"""The output of a batch in parts, so that a run that was stopped goes on where it stood."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotator.exports.batch_rows import BatchFormat, ScoredChunk, parquet_schema
from annotator.metrics.counts import Counts


class BatchParts:
    """A folder beside the output, `OUT.parts`: one file and its counts per chunk, and what they were made from.

    Parts that were made from anything else (other files, profile, versions) are thrown away.
    """

    def __init__(self, out: Path, recipe: Mapping[str, Any]) -> None:
        self.out = out
        self.folder = out.with_name(out.name + ".parts")
        written = self.folder / "recipe.json"
        text = json.dumps(dict(recipe), sort_keys=True, ensure_ascii=False)
        if self.folder.exists() and not (written.exists() and written.read_text(encoding="utf-8") == text):
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(written, text.encode())

    def has(self, number: int) -> bool:
        """Whether chunk `number` is done."""
        return self._data(number).exists()

    def add(self, chunk: ScoredChunk) -> None:
        """Keep a chunk; it counts as done once its rows are whole on disk."""
        about = {"rows": chunk.rows, "missing": chunk.missing, "counts": asdict(chunk.counts)}
        _write(self._about(chunk.number), json.dumps(about).encode())
        _write(self._data(chunk.number), chunk.data)

    def totals(self, chunks: int) -> tuple[Counts, int]:
        """Return the counts over all chunks and the number of null predictions."""
        total, missing = Counts(), 0
        for number in range(chunks):
            about = json.loads(self._about(number).read_text(encoding="utf-8"))
            total += Counts(**about["counts"])
            missing += about["missing"]
        return total, missing

    def assemble(self, chunks: int, form: BatchFormat) -> None:
        """Put the parts together as the output, which appears whole, and remove them."""
        passing = self.out.with_name(self.out.name + ".tmp")
        files = [self._data(number) for number in range(chunks)]
        if form is BatchFormat.PARQUET:
            _join_parquet(files, passing)
        else:
            _join_bytes(files, passing)
        passing.replace(self.out)
        shutil.rmtree(self.folder)

    def _data(self, number: int) -> Path:
        return self.folder / f"{number:06}.rows"

    def _about(self, number: int) -> Path:
        return self.folder / f"{number:06}.json"


def _write(path: Path, data: bytes) -> None:
    passing = path.with_name(path.name + ".tmp")
    with passing.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    passing.replace(path)


def _join_bytes(files: Iterable[Path], out: Path) -> None:
    with out.open("wb") as joined:
        for path in files:
            with path.open("rb") as part:
                shutil.copyfileobj(part, joined)


def _join_parquet(files: Iterable[Path], out: Path) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(out, parquet_schema()) as writer:
        for path in files:
            writer.write_table(pq.read_table(path))
