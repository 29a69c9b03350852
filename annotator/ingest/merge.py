"""Predictions of another project brought into this one."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from annotator.errors import InputError
from annotator.ingest.itemimages import Progress
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictionrows import CheckedPredictions
from annotator.ingest.predictions import ANSWER_FIELDS, write_predictions
from annotator.ingest.prepared import PreparedPredictions
from annotator.ingest.report import ImportReport
from annotator.ingest.tables import Table
from annotator.records import PredictionRow
from annotator.store.exporting import FullPrediction, iter_full_predictions
from annotator.store.items import read_golds
from annotator.store.project import Project
from annotator.store.reading import read_runs


def merge_predictions(
    project: Project, other: Project, options: ImportOptions | None = None, progress: Progress | None = None
) -> ImportReport:
    """Bring the predictions of `other` into `project`, joined by item id, all or nothing, as an import would.

    A prediction keeps the gold that it was scored against there when that differs from here. Raises `FileError` as
    `import_predictions`, `InputError` when `other` has no predictions.
    """
    with project.read() as connection:
        golds = {id_: gold for id_, (_, gold) in read_golds(connection).items()}
    with other.read() as connection:
        there = read_golds(connection)
        ids = {key: (id_, gold) for id_, (key, gold) in there.items()}
        rows = [
            _row(said, run.system, run.condition, *ids[said.item_key], golds)
            for run in read_runs(connection)
            for said in iter_full_predictions(connection, run.key)
        ]
    if not rows:
        raise InputError(f"{other.folder}: a project without predictions; there is nothing to merge")
    numbers = range(1, len(rows) + 1)
    table = Table(other.folder.name, ("id",), numbers, [(row.id,) for row in rows], True, "")
    checked = CheckedPredictions(tuple(rows), range(len(rows)), (), (), 0, 0)
    prepared = PreparedPredictions(table, checked, (), (), False, ANSWER_FIELDS)
    return write_predictions(project, prepared, options or ImportOptions(), progress)


def _row(
    said: FullPrediction, system: str, condition: str, id_: str, gold: str | None, golds: dict[str, str | None]
) -> PredictionRow:
    own_gold = said.own_gold
    if own_gold is None and gold is not None and golds.get(id_, gold) != gold:
        own_gold = gold
    candidates = None
    if said.candidates_json is not None:
        candidates = tuple((text, score) for text, score in msgspec.json.decode(said.candidates_json))
    chars = None if said.char_confidence_json is None else tuple(msgspec.json.decode(said.char_confidence_json))
    row = PredictionRow(id_, said.predicted, system, condition, said.raw, said.confidence, chars, candidates)
    return replace(row, own_gold=own_gold, reasoning=said.reasoning, extra=tuple(said.extra.items()))
