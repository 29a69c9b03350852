"""Scoring of files without a project: read, check and join as an import does, score in chunks, write one file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.errors import FileError, Problem, UsageError
from annotator.exports.batch_engines import BatchEngine, run_chunks
from annotator.exports.batch_parts import BatchParts
from annotator.exports.batch_rows import ROW_SCHEMA_VERSION, BatchFormat, BatchPair, ChunkTask
from annotator.ingest.boxes import plan_boxes
from annotator.ingest.columns import map_columns
from annotator.ingest.fields import ITEM_FIELDS
from annotator.ingest.itemrows import check_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictions import prepare_predictions
from annotator.ingest.prepared import PreparedPredictions
from annotator.ingest.reading import read_table
from annotator.ingest.report import SHOWN
from annotator.ingest.tables import refused
from annotator.ingest.warned import WarningLog
from annotator.metrics import rates
from annotator.metrics.counts import Counts
from annotator.records import PredictionRow
from annotator.text.align import alignment_version
from annotator.text.graphemes import Unit, split_units
from annotator.text.profiles import PROFILE_VERSION, Profile, apply_profile
from annotator.wholefile import whole_file

CHUNK = 4096
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How to read (as for imports), score and run. `own_gold` takes the gold of the predictions file where it has one."""

    reading: ImportOptions = field(default_factory=ImportOptions)
    profile: str = Profile.RAW
    unit: str = Unit.GRAPHEME
    own_gold: bool = False
    workers: int = 1
    engine: BatchEngine = BatchEngine.LOCAL
    scheduler: str = ""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What was scored. `read` prediction rows = `written` + `extra` (unknown id) + `duplicates`.

    `resumed` of the written rows were there from a run that had been stopped. `missing` are null predictions, `absent`
    the items for which a system and condition of the file has no row, over all of these.
    """

    out: str
    read: int
    written: int
    resumed: int
    missing: int
    absent: int
    extra: int
    duplicates: int
    counts: Counts
    profile: str
    unit: str
    problems: tuple[Problem, ...]

    def document(self) -> dict[str, Any]:
        """The `--json` document: counts, pooled rates over all rows, and the first problems."""
        pooled = {name: rate(self.counts) for name, rate in _RATES.items()}
        document: dict[str, Any] = {
            "out": self.out,
            "read": self.read,
            "written": self.written,
            "resumed": self.resumed,
            "n": self.counts.n,
            "missing": self.missing,
            "absent": self.absent,
            "without_gold": self.counts.without_gold,
            "extra": self.extra,
            "duplicates": self.duplicates,
            **{name: rate.value for name, rate in pooled.items()},
            "profile": self.profile,
            "profile_version": PROFILE_VERSION,
            "unit": self.unit,
            "alignment_version": alignment_version(),
            "schema_version": ROW_SCHEMA_VERSION,
            "problems": [
                {"line": p.line, "column": p.column, "found": p.found, "expected": p.expected} for p in self.problems
            ],
        }
        if not self.counts.n:
            document["why"] = pooled["cer"].why
        return document


_RATES = {
    "cer": rates.cer,
    "wer": rates.wer,
    "exact": rates.exact,
    "str_accuracy": rates.str_accuracy,
    "charitable": rates.charitable,
}


def score_files(
    items: Path, predictions: Path, out: Path, options: BatchOptions | None = None, progress: Progress | None = None
) -> BatchReport:
    """Score the predictions of one file against the golds of another; write one row a prediction to `out`.

    `.jsonl` or `.parquet` says the form. The rows keep the order of the predictions file; bytes are the same for any
    number of workers and either engine. A run that was stopped goes on from its finished chunks when it is started
    again with the same files and options. `OUT.meta.json` holds the report. Raises FileError when a file is refused or
    no id is known, UsageError for names that are not known and places that cannot be written.
    """
    options = options or BatchOptions()
    split_units(apply_profile("", options.profile), options.unit)
    form = _format(out)
    golds, items_hash = _read_golds(items, options.reading)
    prepared = prepare_predictions(predictions, options.reading)
    known = [row for row in prepared.checked.rows if row.id in golds]
    extra = [row for row in prepared.checked.rows if row.id not in golds]
    problems = _unknown_ids(prepared, extra)
    if extra and not known:
        raise FileError(
            f"{predictions.name}: no id of the file is an id of {items.name}; nothing was written", problems
        )
    recipe = _recipe(options, form, items_hash, prepared.table.sha256)
    chunks = -(-len(known) // CHUNK)
    try:
        parts = BatchParts(out, recipe)
        resumed = sum(
            len(known[number * CHUNK : (number + 1) * CHUNK]) for number in range(chunks) if parts.has(number)
        )
        tasks = _tasks(known, golds, options, form, parts)
        for done, chunk in enumerate(run_chunks(tasks, options.workers, options.engine, options.scheduler), 1):
            parts.add(chunk)
            if progress is not None:
                progress("pairs", min(resumed + done * CHUNK, len(known)), len(known))
        counts, missing = parts.totals(chunks)
        parts.assemble(chunks, form)
        read, duplicates = len(prepared.table.rows), len(prepared.checked.duplicates)
        report = BatchReport(
            str(out),
            read,
            len(known),
            resumed,
            missing,
            len(golds) * len({(row.system, row.condition) for row in known}) - len(known),
            len(extra),
            duplicates,
            counts,
            options.profile,
            options.unit,
            problems,
        )
        meta = json.dumps({**report.document(), "recipe": recipe}, ensure_ascii=False, indent=2)
        with whole_file(out.with_name(out.name + ".meta.json")) as part:
            part.write_text(meta + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {out}: cannot be written: {error.strerror or error}") from error
    return report


def _format(out: Path) -> BatchFormat:
    suffix = out.suffix.lower().lstrip(".")
    if suffix not in set(BatchFormat):
        raise UsageError(f"--out {out}: found the ending {out.suffix or 'none'!r}; expected .jsonl or .parquet")
    return BatchFormat(suffix)


def _read_golds(path: Path, options: ImportOptions) -> tuple[dict[str, str], str]:
    """Gold by id and the file's hash; images are not looked at."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    mapping = map_columns(table, ITEM_FIELDS, ())
    if mapping.problems:
        raise refused(table.file, [*table.problems, *mapping.problems])
    boxes = plan_boxes(mapping, options.box, table.separator == ";")
    checked = check_items(table, mapping, boxes, WarningLog())
    if table.problems or checked.problems:
        raise refused(table.file, [*table.problems, *checked.problems])
    return {row.id: row.gold or "" for row in checked.rows}, table.sha256


def _unknown_ids(prepared: PreparedPredictions, extra: Sequence[PredictionRow]) -> tuple[Problem, ...]:
    return tuple(
        Problem(prepared.table.file, row.line, "id", repr(row.id), "the id of an item") for row in extra[:SHOWN]
    )


def _recipe(options: BatchOptions, form: BatchFormat, items: str, predictions: str) -> dict[str, Any]:
    return {
        "items_sha256": items,
        "predictions_sha256": predictions,
        "reading": {name: str(value) for name, value in options.reading.document().items()},
        "profile": options.profile,
        "profile_version": PROFILE_VERSION,
        "unit": options.unit,
        "own_gold": options.own_gold,
        "format": form.value,
        "chunk": CHUNK,
        "alignment_version": alignment_version(),
        "schema_version": ROW_SCHEMA_VERSION,
    }


def _tasks(
    rows: Sequence[PredictionRow], golds: dict[str, str], options: BatchOptions, form: BatchFormat, parts: BatchParts
) -> Iterator[ChunkTask]:
    for number, first in enumerate(range(0, len(rows), CHUNK)):
        if not parts.has(number):
            pairs = tuple(
                BatchPair(row.id, row.system, row.condition, _gold(row, golds, options.own_gold), row.predicted)
                for row in rows[first : first + CHUNK]
            )
            yield ChunkTask(number, pairs, options.profile, options.unit, form)


def _gold(row: PredictionRow, golds: dict[str, str], own: bool) -> str:
    return row.own_gold if own and row.own_gold else golds[row.id]
