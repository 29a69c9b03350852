"""ICDAR word lists, `gt.txt`: `name, "text"` a line, or name and text apart by a tab or a space."""

from __future__ import annotations

import re
from array import array
from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.formats.brought import Brought, Kind, make_table, without_extension
from annotator.ingest.sources import Source, decode
from annotator.ingest.tables import ABSENT, Cells

_NAME = r"[^\s,\"]+\.(?:png|jpe?g|bmp|tiff?|gif|webp)"
_QUOTED = re.compile(rf'\s*({_NAME})\s*,\s*"(.*)"\s*', re.IGNORECASE)
_APART = re.compile(rf"({_NAME})(?:\t| +)(.*)", re.IGNORECASE)
_COMMA = re.compile(rf"({_NAME})\s*,\s?(.*)", re.IGNORECASE)


def looks_like(text: str) -> bool:
    """Whether the first line that is not blank is one of an ICDAR word list."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return _parse(first) is not None


def read(source: Source, folder: Path, kind: Kind, encoding: str | None = None) -> Brought:
    """Read a word list; the id is the image's name without extension. Quotes inside the text may be escaped with `\\`.

    Lines of another form are refused with their number.
    """
    problems: list[Problem] = []
    lines, rows = array("Q"), list[tuple[str, str, str]]()
    for number, line in enumerate(decode(source, encoding).split("\n"), start=1):
        if not line.strip():
            continue
        found = _parse(line.removesuffix("\r"))
        if found is None:
            problems.append(Problem(source.name, number, None, repr(line)[:60], 'name.png, "text"'))
            continue
        name, text = found
        lines.append(number)
        rows.append((without_extension(name), text, name))
    columns, cells = ("id", "gold", "image"), list[Cells](rows)
    if kind is Kind.PREDICTIONS:
        columns, cells = ("id", "predicted", "image"), [(*row[:2], ABSENT) for row in rows]
    table = make_table(source.name, columns, cells, sha256=source.sha256, lines=lines, problems=problems)
    return Brought(table, folder)


def _parse(line: str) -> tuple[str, str] | None:
    quoted = _QUOTED.fullmatch(line)
    if quoted:
        return quoted.group(1), re.sub(r"\\([\"\\])", r"\1", quoted.group(2))
    found = _APART.fullmatch(line) or _COMMA.fullmatch(line)
    return (found.group(1), found.group(2)) if found else None
