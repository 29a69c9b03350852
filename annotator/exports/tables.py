"""Exports of items, predictions and edits, in the columns that imports read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from annotator.analyses.dataset import load_items
from annotator.analyses.severity.loading import default_provider, require_provider
from annotator.errors import StoreError, UsageError
from annotator.exports.writing import Cell, Table
from annotator.metrics.taxonomy import AUTO, classify_errors, edit_classes
from annotator.records import Box, Query
from annotator.store.detail import ItemFields, read_item_fields
from annotator.store.exporting import FullPrediction, extra_names, iter_full_predictions
from annotator.store.project import Project
from annotator.store.reading import RunRow, attribute_names, read_items, read_runs
from annotator.store.severities import Line, iter_charged, iter_lines
from annotator.text.align import Edit

ITEM_COLUMNS = ("id", "gold", "standard", "image", "benchmark", "language", "split", "document", "box")
PREDICTION_COLUMNS = (
    "id",
    "predicted",
    "system",
    "condition",
    "raw",
    "confidence",
    "char_confidence",
    "candidates",
    "gold",
    "reasoning",
)
EDIT_COLUMNS = (
    "id",
    "system",
    "condition",
    "op",
    "gold_index",
    "predicted_index",
    "gold_edit",
    "predicted_edit",
    "severity",
    "error_class",
)
_WRONG = "gold marked wrong or unreadable"
_OTHER = "not of the benchmark or language asked for"


def items_table(project: Project, query: Query, keys: Sequence[int] | None = None) -> Table:
    """One row per item of `query` (or of `keys`, in their order): its fields, then its attributes."""
    chosen = load_items(project, query).items.keys.tolist() if keys is None else list(keys)
    with project.read() as connection:
        items = read_item_fields(connection, chosen)
        names = _attributes(attribute_names(connection))
        left_out = _left_out(read_items(connection).mark, len(chosen), query) if keys is None else {}
    rows = [(*item_cells(item), *(item.attributes.get(name, "") for name in names)) for item in items]
    return Table("items", (*ITEM_COLUMNS, *names), rows, left_out)


def _attributes(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in ITEM_COLUMNS)


def _left_out(marks: Sequence[str], kept: int, query: Query) -> dict[str, int]:
    wrong = 0 if query.keep_wrong_gold else sum(1 for mark in marks if mark)
    others = len(marks) - kept - wrong
    if query.benchmark or query.language:
        return {f"{_OTHER}, or {_WRONG}": others + wrong} if others + wrong else {}
    return {_WRONG: wrong} if wrong else {}


def item_cells(item: ItemFields) -> tuple[Cell, ...]:
    """The fields of an item as cells; no gold is an absent value, an empty one the empty text."""
    plain = (item.id, item.gold, item.standard, item.image, item.benchmark, item.language, item.split, item.document)
    return (*plain, _box(item.box))


def _box(box: Box | None) -> str:
    return "" if box is None else ",".join(f"{number:.15g}" for number in (box.x, box.y, box.width, box.height))


def predictions_table(project: Project, query: Query, classes: bool = False) -> Table:
    """One row per prediction of the runs and items of `query`. A missing prediction has no row.

    `classes` adds a last column `error_classes`: the classes of the answer's events joined by `|`, empty without an
    error, null without gold. Leave it out of a file that is to be imported again as it was.
    """
    items = load_items(project, query).items
    ids = dict(zip(items.keys.tolist(), items.ids, strict=True))
    golds = dict(zip(items.keys.tolist(), items.gold, strict=True))
    rows: list[tuple[Cell, ...]] = []
    left_out = 0
    with project.read() as connection:
        names = tuple(name for name in extra_names(connection) if name not in PREDICTION_COLUMNS)
        for run in read_runs(connection, query.systems, query.conditions):
            for said in iter_full_predictions(connection, run.key):
                if said.item_key in ids:
                    row = _prediction(ids[said.item_key], run, said, names)
                    rows.append((*row, _classes(golds[said.item_key], said.predicted)) if classes else row)
                else:
                    left_out += 1
    reasons = {"of items that are left out": left_out} if left_out else {}
    json_columns = frozenset({"char_confidence", "candidates"})
    columns = (*PREDICTION_COLUMNS, *names, *(("error_classes",) if classes else ()))
    return Table("predictions", columns, rows, reasons, exact=True, json_columns=json_columns)


def _classes(gold: str | None, predicted: str) -> str | None:
    if gold is None or not gold.strip():
        return None
    return "|".join(dict.fromkeys(event.error_class.value for event in classify_errors(gold, predicted, AUTO)))


def _prediction(item: str, run: RunRow, said: FullPrediction, names: Sequence[str]) -> tuple[Cell, ...]:
    return (
        item,
        said.predicted,
        run.system,
        run.condition,
        said.raw,
        said.confidence,
        said.char_confidence_json,
        _candidates(said.candidates_json),
        said.own_gold,
        said.reasoning,
        *(said.extra.get(name, "") for name in names),
    )


def _candidates(text: str | None) -> str | None:
    if text is None:
        return None
    return json.dumps([{"text": beam, "log_prob": score} for beam, score in json.loads(text)], ensure_ascii=False)


def edits_table(project: Project, query: Query, provider: str = "") -> Table:
    """One row per edit of the alignments against the items' golds, with its severity and error class where known.

    `provider` names who charged the severities; without it the only provider of the project's own, else the rubric's rules.
    Raises `UsageError` for an unknown provider.
    """
    items = load_items(project, query).items
    known = set(items.ids)
    rows: list[tuple[Cell, ...]] = []
    left_out = 0
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    severities = _severities(project, provider, runs)
    with project.read() as connection:
        for run in runs:
            for line in iter_lines(connection, run.key):
                if line.item_id in known:
                    rows.extend(_edits(run, line, severities))
                else:
                    left_out += len(line.alignment.edits)
    reasons = {"of items that are left out": left_out} if left_out else {}
    return Table("edits", EDIT_COLUMNS, rows, reasons)


def _severities(project: Project, provider: str, runs: Sequence[RunRow]) -> dict[tuple[int, int], float]:
    chosen = provider or default_provider(project)
    try:
        key = require_provider(project, chosen, runs).key
    except StoreError:
        if provider:
            raise
        return {}  # a project that cannot be written holds no charges of the rules
    with project.read() as connection:
        return {(c.prediction_key, c.ordinal): c.severity for c in iter_charged(connection, key)}


def _edits(run: RunRow, line: Line, severities: dict[tuple[int, int], float]) -> Iterator[tuple[Cell, ...]]:
    events = classify_errors(line.gold, line.predicted, AUTO)
    classes = edit_classes(line.gold, line.predicted, line.alignment.edits, events)
    for ordinal, (edit, error_class) in enumerate(zip(line.alignment.edits, classes, strict=True)):
        severity = severities.get((line.prediction_key, ordinal))
        named = None if error_class is None else error_class.value
        yield (line.item_id, run.system, run.condition, *_edit(edit), severity, named)


def _edit(edit: Edit) -> tuple[Cell, ...]:
    return edit.op.value, edit.gold_index, edit.predicted_index, edit.gold, edit.predicted


def semcer_table(project: Project, query: Query) -> Table:
    """What the semcer package's `score` command reads: id, reference, hypothesis, system, language, document_id.

    Ids are unique in one run of that package, so a file of several systems is split by `system` before it is scored.
    Items without gold are left out. Raises `UsageError` for two conditions of one system, which the format cannot tell
    apart, and when there is nothing to write.
    """
    items = load_items(project, query).items
    rows: list[tuple[Cell, ...]] = []
    without_gold = 0
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
        if not runs or len({run.system for run in runs}) < len(runs):
            names = ", ".join(run.name for run in runs) or "no system yet"
            raise UsageError(f"--format semcer writes one condition of a system: found {names}; add --condition")
        for run in runs:
            said = {row.item_key: row.predicted for row in iter_full_predictions(connection, run.key)}
            for key, item, gold, language, document in zip(
                items.keys.tolist(), items.ids, items.gold, items.language, items.document, strict=True
            ):
                if key in said and gold is not None and gold.strip():
                    rows.append((item, gold, said[key], run.system, language, document))
                elif key in said:
                    without_gold += 1
    columns = ("id", "reference", "hypothesis", "system", "language", "document_id")
    return Table("semcer", columns, rows, {"without gold": without_gold} if without_gold else {})
