"""Rows of a predictions file checked and made into predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.errors import Problem
from annotator.ingest.cells import (
    CellError,
    column_values,
    id_of,
    number_of,
    optional_text,
    problem,
    structure_of,
    text_of,
)
from annotator.ingest.columns import ColumnMap
from annotator.ingest.itemrows import two_rows
from annotator.ingest.tables import ABSENT, Cells, Table
from annotator.metrics.outcomes import parse_response
from annotator.records import PredictionRow

Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class CheckedPredictions:
    """The predictions of a file that passed, identical repeats dropped; `places` are their row numbers in the table.

    `decimal_commas` counts numbers that were read from the form `0,955`.
    """

    rows: tuple[PredictionRow, ...]
    places: Sequence[int]
    problems: tuple[Problem, ...]
    duplicates: tuple[str, ...]
    parsed: int
    decimal_commas: int


def check_predictions(table: Table, mapping: ColumnMap, *, system: str = "", condition: str = "") -> CheckedPredictions:
    """Make predictions of the rows of `table`; every fault of every row is told.

    A system or condition column wins over the arguments. Two different rows for one (id, system, condition) are refused,
    identical ones dropped and counted.
    """
    builder = PredictionBuilder(table, mapping, system, condition)
    repeats = Repeats(table, mapping.at.get("id"))
    for index, cells in enumerate(table.rows):
        row = builder.build(index, cells)
        if row is not None:
            repeats.add(index, row)
    problems = (*builder.problems, *repeats.problems)
    return CheckedPredictions(
        tuple(repeats.rows),
        tuple(repeats.places),
        problems,
        tuple(repeats.duplicates),
        builder.parsed,
        builder.decimal_commas,
    )


class Repeats:
    """Keeps the first of identical rows for one (id, system, condition), refuses different ones."""

    def __init__(self, table: Table, column: int | None) -> None:
        self.table = table
        self.column = column
        self.rows: list[PredictionRow] = []
        self.places: list[int] = []
        self.duplicates: list[str] = []
        self.problems: list[Problem] = []
        self._seen: dict[tuple[str, str], dict[str, int]] = {}

    def add(self, index: int, row: PredictionRow) -> None:
        """Take one row, or tell what is wrong with it."""
        of_run = self._seen.setdefault((row.system, row.condition), {})
        first = of_run.setdefault(row.id, len(self.rows))
        if first == len(self.rows):
            self.rows.append(row)
            self.places.append(index)
        elif same_answer(self.rows[first], row):
            self.duplicates.append(row.id)
        else:
            what = f"id {row.id}, system {row.system}, condition {row.condition}"
            self.problems.append(two_rows(self.table, self.places[first], index, self.column, what))


_SAID = ("predicted", "raw", "confidence", "char_confidence", "candidates", "own_gold", "reasoning", "extra")


def same_answer(first: PredictionRow, second: PredictionRow) -> bool:
    """Whether two rows say the same, wherever they stand."""
    return all(getattr(first, name) == getattr(second, name) for name in _SAID)


class PredictionBuilder:
    """Makes predictions of rows, gathering the faults."""

    def __init__(self, table: Table, mapping: ColumnMap, system: str, condition: str) -> None:
        self.table = table
        self.at = mapping.at
        self.extra = mapping.extra
        self.system = system
        self.condition = condition or "default"
        self.comma = table.separator == ";"
        self.problems: list[Problem] = []
        self.parsed = 0
        self.decimal_commas = 0
        converts: dict[str, Convert] = {
            "id": id_of,
            "predicted": optional_text,
            "system": self._name,
            "condition": lambda value: (optional_text(value) or "").strip() or self.condition,
            "raw": self._raw,
            "confidence": self._confidence,
            "candidates": candidates_of,
            "own_gold": lambda value: optional_text(value) or None,
            "reasoning": lambda value: optional_text(value) or None,
        }
        self.plan = [(name, self.at[name], convert) for name, convert in converts.items() if name in self.at]

    def build(self, index: int, cells: Cells) -> PredictionRow | None:
        """The prediction of a row, or `None` when it has a fault (which is then among `problems`)."""
        before = len(self.problems)
        values: dict[str, Any] = {"system": self.system, "condition": self.condition, "predicted": None}
        for name, position, convert in self.plan:
            try:
                values[name] = convert(cells[position])
            except CellError as error:
                self.problems.append(problem(self.table, index, position, error, str(values.get("id", ""))))
        if values["predicted"] is None and values.get("raw") is not None and self._may_parse(cells):
            values["predicted"] = parse_response(values["raw"])
            self.parsed += 1
        self._add_lists(index, cells, values)
        if len(self.problems) > before:
            return None
        return PredictionRow(**values, line=self.table.lines[index])

    def _add_lists(self, index: int, cells: Cells, values: dict[str, Any]) -> None:
        position: int | None = self.at.get("char_confidence")
        try:
            if position is not None:
                values["char_confidence"] = char_confidence_of(cells[position], values["predicted"])
            position = None
            if self.extra:
                values["extra"] = column_values(cells, self.extra)
        except CellError as error:
            self.problems.append(problem(self.table, index, position, error, str(values.get("id", ""))))

    def _may_parse(self, cells: Cells) -> bool:
        """An explicit null in `predicted` is a missing prediction even where there is a response."""
        return "predicted" not in self.at or cells[self.at["predicted"]] is ABSENT

    def _name(self, value: Any) -> str:
        name = self.system if value is ABSENT and self.system else text_of(value).strip()
        if not name:
            raise CellError("an empty system name", "a name")
        return name

    def _raw(self, value: Any) -> str | None:
        """A response. An empty cell beside `predicted` says that there is none; alone, it is an empty response."""
        text = optional_text(value)
        return None if text == "" and "predicted" in self.at and not self.table.typed else text

    def _confidence(self, value: Any) -> float | None:
        number = number_of(value, self.comma)
        if number is not None and self.comma and isinstance(value, str) and "," in value:
            self.decimal_commas += 1
        return in_unit_interval(number)


def in_unit_interval(number: float | None) -> float | None:
    """The number itself. Raises `CellError` outside [0, 1]."""
    if number is not None and not 0 <= number <= 1:
        raise CellError(f"{number:g}", "a number in [0, 1] (--map attribute=COLUMN keeps the column as it is)")
    return number


def char_confidence_of(value: Any, predicted: str | None) -> tuple[float | None, ...] | None:
    """One number or null per code point of `predicted`; also from [text, number] pairs. An empty list says nothing."""
    found = structure_of(value)
    if found is None or (isinstance(found, list | tuple) and not found):
        return None
    if not isinstance(found, list | tuple):
        raise CellError(str(found)[:60], "a list with one number or null per code point")
    text = predicted or ""
    if isinstance(found[0], list | tuple):
        return _spread(found, text)
    numbers = tuple(in_unit_interval(_number_or_null(entry)) for entry in found)
    if len(numbers) != len(text):
        raise CellError(f"{len(numbers)} numbers for {len(text)} code points", _ONE_EACH)
    return numbers


_ONE_EACH = "one number or null per code point of predicted"


def _spread(pairs: Sequence[Any], text: str) -> tuple[float | None, ...]:
    """Numbers of [text, number] pairs laid along `text`; white space that the pairs leave out or add has none."""
    numbers: list[float | None] = []
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) < 2 or not isinstance(pair[0], str):
            raise CellError(str(pair)[:60], "[text, number] pairs")
        number = in_unit_interval(_number_or_null(pair[1]))
        while not text.startswith(pair[0], len(numbers)) and text[len(numbers) : len(numbers) + 1].isspace():
            numbers.append(None)
        if text.startswith(pair[0], len(numbers)):
            numbers.extend([number] * len(pair[0]))
        elif not pair[0].isspace():
            raise CellError(f"{pair[0]!r} at code point {len(numbers) + 1}", f"what predicted has there: {text!r:.40}")
    numbers.extend([None] * (len(text) - len(text.rstrip())) if len(numbers) == len(text.rstrip()) else [])
    if len(numbers) != len(text):
        raise CellError(f"pairs for {len(numbers)} of {len(text)} code points", _ONE_EACH)
    return tuple(numbers)


def _number_or_null(value: Any) -> float | None:
    if isinstance(value, str):
        raise CellError(f"{value[:60]!r}", "a number or null")
    return number_of(value)


def candidates_of(value: Any) -> tuple[tuple[str, float | None], ...] | None:
    """A beam: objects with `text` and `log_prob`, or [text, log probability] pairs."""
    found = structure_of(value)
    if found is None:
        return None
    if not isinstance(found, list | tuple):
        raise CellError(str(found)[:60], "a list of {text, log_prob}")
    return tuple(_candidate(entry) for entry in found)


def _candidate(entry: Any) -> tuple[str, float | None]:
    if isinstance(entry, dict) and "text" in entry:
        return text_of(entry["text"]), _number_or_null(entry.get("log_prob"))
    if isinstance(entry, list | tuple) and len(entry) == 2:
        return text_of(entry[0]), _number_or_null(entry[1])
    if isinstance(entry, str):
        return text_of(entry), None
    raise CellError(str(entry)[:60], "{text, log_prob}")
