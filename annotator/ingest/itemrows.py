"""Rows of an items file checked and made into items."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from annotator.errors import Problem
from annotator.ingest.boxes import BoxPlan
from annotator.ingest.cells import CellError, column_values, id_of, optional_text, problem, text_of
from annotator.ingest.columns import ColumnMap
from annotator.ingest.jsonrows import kind_of
from annotator.ingest.tables import ABSENT, Cells, Table
from annotator.ingest.warned import WarningLog
from annotator.metrics.outcomes import fold_text
from annotator.records import Box, ItemRow

_PLAIN = ("standard", "image", "benchmark", "language", "split", "document")


@dataclass(frozen=True, slots=True)
class CheckedItems:
    """The items of a file that passed, identical repeats dropped; `places` are their row numbers in the table."""

    rows: tuple[ItemRow, ...]
    places: tuple[int, ...]
    problems: tuple[Problem, ...]
    duplicates: tuple[str, ...]


def check_items(
    table: Table, mapping: ColumnMap, boxes: BoxPlan, log: WarningLog, *, language: str = "", no_gold: bool = False
) -> CheckedItems:
    """Make items of the rows of `table`; every fault of every row is told.

    Two different rows for one id are refused, identical ones dropped and counted.
    """
    builder = _ItemBuilder(table, mapping, boxes, language, no_gold)
    seen: dict[str, tuple[int, ItemRow]] = {}
    duplicates: list[str] = []
    for index, cells in enumerate(table.rows):
        row = builder.build(index, cells)
        if row is None:
            continue
        first = seen.get(row.id)
        if first is None:
            seen[row.id] = (index, row)
        elif _same(first[1], row):
            duplicates.append(row.id)
        else:
            builder.problems.append(two_rows(table, first[0], index, mapping.at.get("id"), f"id {row.id}"))
    rows = tuple(row for _, row in seen.values())
    places = tuple(index for index, _ in seen.values())
    for index, row in zip(places, rows, strict=True):
        _warn(table, mapping, index, row, log, no_gold)
    return CheckedItems(rows, places, tuple(builder.problems), tuple(duplicates))


def two_rows(table: Table, first: int, second: int, column: int | None, what: str) -> Problem:
    """Two different rows for one key: both are named."""
    found = (
        f"two different rows for {what}: rows {first + 1} and {second + 1} "
        f"(lines {table.lines[first]} and {table.lines[second]})"
    )
    name = table.columns[column].strip() if column is not None else None
    return Problem(table.file, table.lines[second], name, found, "one row each")


def _same(first: ItemRow, second: ItemRow) -> bool:
    return all(getattr(first, name) == getattr(second, name) for name in (*_PLAIN, "id", "gold", "box", "attributes"))


class _ItemBuilder:
    def __init__(self, table: Table, mapping: ColumnMap, boxes: BoxPlan, language: str, no_gold: bool) -> None:
        self.table = table
        self.at = mapping.at
        self.boxes = boxes
        self.extra = tuple(pair for pair in mapping.extra if pair[1] not in boxes.columns)
        self.language = language
        self.no_gold = no_gold
        self.problems: list[Problem] = []

    def build(self, index: int, cells: Cells) -> ItemRow | None:
        """The item of a row, or `None` when it has a fault (which is then among `problems`)."""
        before, item = len(self.problems), ""
        try:
            item = id_of(cells[self.at["id"]]) if "id" in self.at else str(index + 1)
        except CellError as error:
            self.problems.append(problem(self.table, index, self.at["id"], error))
        values = {name: self._text(index, cells, name, item) for name in _PLAIN if name in self.at}
        gold = self._gold(index, cells, item)
        box: Box | None = None
        attributes: tuple[tuple[str, str], ...] = ()
        column: int | None = self.boxes.columns[0] if self.boxes.columns else None
        try:
            box = self.boxes.read(cells)
            column = None
            attributes = column_values(cells, self.extra)
        except CellError as error:
            self.problems.append(problem(self.table, index, column, error, item))
        if len(self.problems) > before:
            return None
        values["language"] = values.get("language") or self.language
        return ItemRow(item, gold, **values, box=box, attributes=attributes, line=self.table.lines[index])

    def _text(self, index: int, cells: Cells, name: str, item: str) -> str:
        try:
            text = optional_text(cells[self.at[name]]) or ""
            return text.replace("\\", "/") if name == "image" else text  # as another system writes paths
        except CellError as error:
            self.problems.append(problem(self.table, index, self.at[name], error, item))
            return ""

    def _gold(self, index: int, cells: Cells, item: str) -> str | None:
        if "gold" not in self.at:
            return None
        value = cells[self.at["gold"]]
        if self.no_gold and (value is None or value is ABSENT or (value == "" and not self.table.typed)):
            return None
        try:
            if value is None or value is ABSENT:
                raise CellError(
                    f"{kind_of(value)} for gold", 'text ("" for an empty gold; --no-gold for items without)'
                )
            return text_of(value)
        except CellError as error:
            self.problems.append(problem(self.table, index, self.at["gold"], error, item))
            return None


def _warn(table: Table, mapping: ColumnMap, index: int, row: ItemRow, log: WarningLog, no_gold: bool) -> None:
    column = table.columns[mapping.at["gold"]].strip() if "gold" in mapping.at else "gold"
    where, gold = f"{table.where(index)}, id {row.id}", row.gold

    def told(kind: str, words: str, found: str, expected: str, name: str = column) -> None:
        log.add(kind, words, Problem(table.file, row.line, name, f"{where}: {found}", expected), index + 1)

    if gold is not None and not gold.strip() and not (no_gold and not gold):
        found = "blank gold" if gold else "empty gold"
        words = "{count} item{s} with an empty or blank gold ({rows}): in no rate, counted as without gold"
        told("gold-empty", words, found, "the text that is written")
    elif gold and gold != gold.strip():
        words = (
            "{count} gold text{s} with white space at the ends: kept; it counts under raw and goes under other profiles"
        )
        told("gold-edge-space", words, repr(gold)[:80], "no white space at the ends")
    if gold and not unicodedata.is_normalized("NFC", gold):
        words = "{count} gold text{s} not in NFC: kept as written, compared after NFC"
        told("gold-not-nfc", words, "a text that is not NFC", "NFC")
    if row.standard and gold is not None and fold_text(row.standard) == fold_text(gold):
        words = "{count} standard form{s} equal to gold after folding case and white space: stored empty"
        told("standard-equals-gold", words, repr(row.standard)[:80], "a form that differs from gold", "standard")
