"""JSON Lines and JSON lists: rows with their physical lines, types kept."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from typing import Any

import msgspec

from annotator.errors import Problem
from annotator.ingest.tables import ABSENT, Cells, Table, refused

_BLANK = re.compile(r"[ \t\r\n]*")


def read_jsonl(name: str, text: str, sha256: str) -> Table:
    """One object a line. Only line feeds end a line: U+2028 and its kin are text."""
    problems: list[Problem] = []
    return _table(name, sha256, _lines(name, text, problems), problems)


def read_json_list(name: str, text: str, sha256: str) -> Table:
    """A list of objects; each row's line is the one on which its object begins."""
    problems: list[Problem] = []
    return _table(name, sha256, _elements(name, text, problems), problems)


def read_json_object(name: str, text: str, sha256: str) -> Table | None:
    """One object that holds one list of objects, and else single values: that list, by row number.

    `None` when the text is no single object: then it is read line by line.
    """
    try:
        whole = parse_json(text)
    except ValueError:
        return None
    if not isinstance(whole, dict):
        return None
    lists = {key: value for key, value in whole.items() if isinstance(value, list) and value}
    if len(lists) != 1:
        return None
    ((key, values),) = lists.items()
    table = _table(name, sha256, iter(enumerate(values, start=1)), [])
    note = f"rows are taken from the list {key!r}; line numbers are row numbers"
    return Table(table.file, table.columns, table.lines, table.rows, True, sha256, "", table.problems, (note,))


def parse_json(text: str) -> Any:
    """`json.loads` without NaN, infinities and repeated keys. Lone surrogates pass: the row check names them.

    Raises `ValueError`.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("too deeply nested") from error


def _no_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} twice in one object")
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _lines(name: str, text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    fast = msgspec.json.Decoder().decode
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line.isspace():
            continue
        try:
            value = fast(line)
            if isinstance(value, dict) and line.count('":') + line.count('" :') > len(value):
                value = parse_json(line)  # more keys than the row has: in an inner object, or one of them twice
            yield number, value
        except (msgspec.DecodeError, RecursionError, ValueError):
            # The slow decoder reads lone surrogates, which are refused later with the id of their row.
            try:
                yield number, parse_json(line)
            except ValueError as error:
                problems.append(Problem(name, number, None, f"broken JSON ({error})", "one JSON object"))


def _elements(name: str, text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    position, line, counted = _skip(text, 0), 1, 0
    if not text.startswith("[", position):
        problems.append(Problem(name, 1, None, "JSON that is not a list", "a list of objects, or one object a line"))
        return
    position = _skip(text, position + 1)
    while not text.startswith("]", position):
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            found = "a cut file" if position >= len(text) else f"broken JSON ({error})"
            problems.append(Problem(name, line, None, found, "a whole list of objects"))
            return
        yield line, value
        position = _skip(text, position)
        if text.startswith(",", position):
            position = _skip(text, position + 1)
        elif not text.startswith("]", position):
            line += text.count("\n", counted, position)
            problems.append(Problem(name, line, None, "a list that is not closed", "a comma or the closing ]"))
            return
    rest = _skip(text, position + 1)
    if rest < len(text):
        line += text.count("\n", counted, rest)
        problems.append(Problem(name, line, None, "text after the list", "one list"))


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _table(name: str, sha256: str, values: Iterator[tuple[int, Any]], problems: list[Problem]) -> Table:
    columns: dict[str, int] = {}
    keys: tuple[str, ...] = ()
    lines, rows = array("Q"), list[Cells]()
    for line, value in values:
        if not isinstance(value, dict):
            problems.append(Problem(name, line, None, f"{kind_of(value)}", "a JSON object"))
            continue
        if tuple(value) != keys:
            for key in value:
                columns.setdefault(key, len(columns))
            keys = tuple(columns)
        lines.append(line)
        rows.append(tuple(value.values()) if tuple(value) == keys else tuple(value.get(key, ABSENT) for key in keys))
    width = len(columns)
    rows = [row if len(row) == width else (*row, *(ABSENT,) * (width - len(row))) for row in rows]
    if not rows and not problems:
        problems.append(Problem(name, 1, None, "an empty file", "at least one JSON object"))
    if not rows:
        raise refused(name, problems)
    return Table(name, tuple(columns), lines, rows, True, sha256, "", tuple(problems))


def kind_of(value: Any) -> str:
    """The JSON word for a value: `null`, `the number 7`, `true`, `a list`, `an object`, `text`."""
    if value is None:
        return "null"
    if value is ABSENT:
        return "no value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value!r:.40}"
    return {"list": "a list", "dict": "an object", "str": "text"}.get(type(value).__name__, type(value).__name__)
