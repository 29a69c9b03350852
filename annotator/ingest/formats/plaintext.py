"""Plain text, line by line: the id is the number of the line. References and predictions pair by line."""

from __future__ import annotations

from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.formats.brought import Brought, Kind, hash_of, make_table
from annotator.ingest.sources import Source, decode
from annotator.ingest.tables import refused


def text_lines(source: Source, encoding: str | None = None) -> list[str]:
    """The lines of a text, ended by line feeds (a carriage return before one goes with it); a last empty one is none."""
    lines = decode(source, encoding).split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def read(source: Source, folder: Path, kind: Kind, encoding: str | None = None) -> Brought:
    """Read one text as golds or as predictions. Empty lines are rows: an empty gold, or an empty answer."""
    column = "predicted" if kind is Kind.PREDICTIONS else "gold"
    rows = [(str(number), line) for number, line in enumerate(text_lines(source, encoding), start=1)]
    return Brought(make_table(source.name, ("id", column), rows, sha256=source.sha256), folder)


def read_pair(gold: Source, predicted: Source, folder: Path, encoding: str | None = None) -> Brought:
    """Pair two texts line by line. Raises `FileError` when their numbers of lines differ."""
    left, right = text_lines(gold, encoding), text_lines(predicted, encoding)
    if len(left) != len(right):
        found = f"{len(right)} lines; {gold.name} has {len(left)}"
        raise refused(predicted.name, [Problem(predicted.name, None, None, found, "as many lines in both")])
    rows = [(str(k), a, b) for k, (a, b) in enumerate(zip(left, right, strict=True), start=1)]
    sha256 = hash_of(gold.data, predicted.data)
    return Brought(make_table(predicted.name, ("id", "gold", "predicted"), rows, sha256=sha256), folder)
