"""Cells as values: text kept as it came, and what is not text refused by line and column."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from annotator.errors import Problem
from annotator.ingest.jsonrows import kind_of, parse_json
from annotator.ingest.tables import ABSENT, Table

_SURROGATE = re.compile("[\ud800-\udfff]")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_WANTED_TEXT = "text (in JSON, in quotes)"


class CellError(ValueError):
    """A cell that cannot be used. Becomes a `Problem` of its row at once; never leaves this package."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected


def text_of(value: Any) -> str:
    """A text cell. Raises `CellError` for numbers, true and false, lists, null and lone surrogates."""
    if not isinstance(value, str):
        raise CellError(kind_of(value), _WANTED_TEXT)
    if not value.isascii() and _SURROGATE.search(value):
        raise CellError("a lone surrogate (half of a character, cut by a length limit)", "whole characters")
    return value


def optional_text(value: Any) -> str | None:
    """The same, `None` for null and for a key that is not there."""
    return None if value is None or value is ABSENT else text_of(value)


def id_of(value: Any) -> str:
    """An id: text stripped of surrounding white space; a JSON integer is its digits. Never empty."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = text_of(value).strip()
    if not text:
        raise CellError("an empty id", "an id")
    return text


def attribute_of(value: Any) -> str:
    """Any other column, as text: JSON values that are not text as JSON, null and absent as the empty text."""
    if value is None or value is ABSENT:
        return ""
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, bool | int):
        return json.dumps(value)
    return text_of(dump(value))


def dump(value: Any) -> str:
    """JSON text of a value; what JSON lacks (dates of Parquet, say) as `str`. Raises `CellError` for NaN."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    except (ValueError, RecursionError) as error:
        raise CellError(f"a value that JSON cannot hold ({error})", "numbers, text, lists and objects") from error


def number_of(value: Any, comma_is_decimal: bool = False) -> float | None:
    """A finite number, or `None` for an empty cell. `comma_is_decimal` also reads `0,955`."""
    if value is None or value is ABSENT or value == "":
        return None
    if isinstance(value, str):
        text = value.strip()
        if comma_is_decimal and _DECIMAL_COMMA.fullmatch(text):
            text = text.replace(",", ".")
        try:
            number = float(text) if text.isascii() and "_" not in text else math.nan
        except ValueError:
            number = math.nan
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.nan
    else:
        number = math.nan
    if not math.isfinite(number):
        raise CellError(repr(value)[:60] if isinstance(value, str) else kind_of(value), "a number")
    return number


def structure_of(value: Any) -> Any:
    """A list or object: as JSON gives it, or the JSON text in a cell. `None` for null, absent and empty."""
    if value is None or value is ABSENT or value == "":
        return None
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except ValueError as error:
        raise CellError(f"{value[:60]!r}", "a JSON list") from error


def problem(table: Table, index: int, column: int | None, error: CellError, item: str = "") -> Problem:
    """`error` with the place of its cell, and the id of its row where it is known."""
    name = None if column is None else table.columns[column].strip()
    found = f"{error.found} (id {item})" if item else error.found
    return Problem(table.file, table.lines[index], name, found, error.expected)


def column_values(cells: Sequence[Any], extra: Sequence[tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    """The other columns of a row as text; empty ones left out."""
    values = ((name, attribute_of(cells[position])) for name, position in extra)
    return tuple((name, value) for name, value in values if value)
