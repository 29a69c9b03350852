"""CSV (RFC 4180) and TSV without quoting, every physical line accounted for."""

from __future__ import annotations

import csv
import re
import sys
from array import array
from collections.abc import Iterator

from annotator.errors import Problem
from annotator.ingest.tables import Cells, Table, refused

_NAMES = {",": "comma", ";": "semicolon", "\t": "tab"}
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)


def read_delimited(name: str, text: str, sha256: str, *, suffix: str = "", quoted: bool = False) -> Table:
    """Read CSV or TSV text. The separator is found from the header line; `quoted` lets TSV cells be quoted.

    Cells are never stripped or converted. Blank lines are skipped. Raises `FileError` when there is no header; ragged
    rows, bare carriage returns and open quotes are in `Table.problems`, each with its line.
    """
    lines = text.split("\n" if "\n" in text or "\r" not in text else "\r")
    first = next((k for k, line in enumerate(lines) if line.strip()), None)
    if first is None:
        raise refused(name, [Problem(name, 1, None, "an empty file", "a header line with the column names")])
    named = _SEPARATOR_LINE.fullmatch(lines[first].strip("\r"))
    start = first + 1 if named else first
    header = lines[start] if start < len(lines) else ""
    separator = named.group(1) if named else find_separator(header, suffix)
    problems: list[Problem] = []
    plain = separator == "\t" and not quoted
    rows = _plain_rows(lines, start) if plain else _csv_rows(name, lines, start, separator, problems)
    return _table(name, sha256, separator, rows, problems)


def find_separator(header: str, suffix: str = "") -> str:
    """Comma, semicolon or tab: the one that stands most often in the header line outside quotes."""
    bare = re.sub(r'"[^"]*"', "", header)
    preferred = "\t" if suffix in (".tsv", ".tab") else ","
    return max(_NAMES, key=lambda separator: (bare.count(separator), separator == preferred))


def _plain_rows(lines: list[str], start: int) -> Iterator[tuple[int, list[str]]]:
    for number in range(start, len(lines)):
        line = lines[number]
        if line.endswith("\r"):
            line = line[:-1]
        if line:
            yield number + 1, line.split("\t")


def _csv_rows(
    name: str, lines: list[str], start: int, separator: str, problems: list[Problem]
) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    last = len(lines) - 1
    source = (lines[k] + "\n" if k < last else lines[k] for k in range(start, len(lines)) if k < last or lines[k])
    reader = csv.reader(source, delimiter=separator, strict=True)
    line = start + 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(_csv_problem(name, lines, line, start + reader.line_num, separator, str(error)))
        else:
            if cells:
                yield line, cells
        line = start + reader.line_num + 1


def _csv_problem(name: str, lines: list[str], first: int, last: int, separator: str, error: str) -> Problem:
    if "unexpected end of data" in error:
        opened = _open_quote_line(lines, first, separator)
        return Problem(
            name, opened, None, "a quote that is never closed", 'a closing " (a quote in a cell is written "")'
        )
    if "new-line character" in error:
        return Problem(name, last, None, "a bare carriage return", "cells with line breaks in quotes")
    if "expected after" in error:
        return Problem(name, last, None, "text after a closing quote", f'the separator {separator!r} or "" for a quote')
    return Problem(name, last, None, error, "a CSV row as in RFC 4180")


def _open_quote_line(lines: list[str], first: int, separator: str) -> int:
    """The line on which the quote that stays open at the end of the file begins; the row begins on `first`."""
    opened, is_open, at_start = first, False, True
    for number in range(first - 1, len(lines)):
        for ch in lines[number]:
            if ch == '"' and (is_open or at_start):
                is_open = not is_open
                opened = number + 1 if is_open else opened
            at_start = ch == separator or (at_start and ch == '"')
        at_start = not is_open
    return opened


def _table(
    name: str, sha256: str, separator: str, rows: Iterator[tuple[int, list[str]]], problems: list[Problem]
) -> Table:
    head = next(rows, None)
    if head is None:
        raise refused(name, problems or [Problem(name, 1, None, "no header", "a header line with the column names")])
    columns = tuple(head[1])
    width, blank = len(columns), 0
    lines, kept = array("Q"), list[Cells]()
    for line, cells in rows:
        if len(cells) == width and any(cells):
            lines.append(line)
            kept.append(tuple(cells))
        elif not any(cell.strip() for cell in cells):
            blank += 1
        else:
            problems.append(_ragged(name, line, len(cells), width, separator))
    notes = (f"{blank} row{'s' if blank > 1 else ''} of empty cells skipped",) if blank else ()
    problems.sort(key=lambda problem: problem.line or 0)
    return Table(name, columns, lines, kept, False, sha256, separator, tuple(problems), notes)


def _ragged(name: str, line: int, cells: int, width: int, separator: str) -> Problem:
    found = f"{cells} cell{'s' if cells != 1 else ''}, {width} column{'s' if width != 1 else ''}"
    if separator == "\t":
        return Problem(name, line, None, found, f"{width} tab-separated cells (--quoted if cells are quoted)")
    return Problem(
        name, line, None, found, f"{width} cells; quote texts that hold a {_NAMES.get(separator, separator)}"
    )
