"""Quintile edges of each benchmark, its own or published ones, and the quintile of a value."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from annotator.errors import FileError, Problem, UsageError
from annotator.metrics.strata.tables import Floats, Ints

EDGE_COLUMNS = ("benchmark", "axis", "e1", "e2", "e3", "e4", "reference")
_AXIS_NAMES = {"word": "word", "word-freq": "word", "ngram": "ngram", "trigram-nov": "ngram"}


@dataclass(frozen=True, slots=True)
class AxisEdges:
    """The four edges of both axes of one benchmark, rising, on the scale of the axis values."""

    word: tuple[float, ...]
    ngram: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PublishedEdges:
    """Edges from a file: `edges` by case-folded benchmark name, and the reference corpora they were made with."""

    source: str
    edges: Mapping[str, AxisEdges]
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quintiles:
    """The quintile (1 common .. 5 rare) of each item on both axes (shape (items,)), with the edges that made them.

    `empty` names the quintiles that ties (or foreign edges) left without an item, as (benchmark, axis, quintile).
    """

    word: Ints
    ngram: Ints
    edges: Mapping[str, AxisEdges]
    empty: tuple[tuple[str, str, int], ...] = field(default=())


def find_edges(values: Floats) -> tuple[float, ...]:
    """The 20, 40, 60 and 80 % quantiles of `values` (shape (n,), n >= 1), `numpy.quantile` linear.

    Source: StratiSTR section 3.2, the per-benchmark binning Q_b.
    """
    return tuple(float(edge) for edge in np.quantile(values, (0.2, 0.4, 0.6, 0.8)))


def find_quintiles(values: Floats, edges: Sequence[float]) -> Ints:
    """1 + the number of edges strictly below each value: equal values always share a quintile."""
    return np.searchsorted(np.asarray(edges, dtype=np.float64), values, side="left").astype(np.int64) + 1


def assign_quintiles(
    benchmarks: Sequence[str], word_values: Floats, ngram_values: Floats, published: PublishedEdges | None = None
) -> Quintiles:
    """Bin items per benchmark on each axis apart. All arguments have one entry per item.

    Raises `UsageError` when `published` lacks a benchmark of the data.
    """
    names, places = np.unique(np.asarray(benchmarks, dtype=str), return_inverse=True)
    if published is not None:
        _require_benchmarks(published, names.tolist())
    word, ngram = np.zeros(len(places), np.int64), np.zeros(len(places), np.int64)
    edges: dict[str, AxisEdges] = {}
    empty: list[tuple[str, str, int]] = []
    for index, name in enumerate(names.tolist()):
        here = places == index
        own = published.edges[name.casefold()] if published else None
        pair = own or AxisEdges(find_edges(word_values[here]), find_edges(ngram_values[here]))
        word[here] = find_quintiles(word_values[here], pair.word)
        ngram[here] = find_quintiles(ngram_values[here], pair.ngram)
        edges[name] = pair
        empty += _empty_quintiles(name, "word", word[here]) + _empty_quintiles(name, "ngram", ngram[here])
    return Quintiles(word, ngram, edges, tuple(empty))


def _empty_quintiles(benchmark: str, axis: str, quintiles: Ints) -> list[tuple[str, str, int]]:
    present = set(quintiles.tolist())
    return [(benchmark, axis, quintile) for quintile in range(1, 6) if quintile not in present]


def _require_benchmarks(published: PublishedEdges, names: Sequence[str]) -> None:
    missing = [name for name in names if name.casefold() not in published.edges]
    if missing:
        raise UsageError(
            f"{published.source}: no edges for the benchmark {', '.join(repr(name) for name in missing)}; "
            f"expected a row of each axis for every benchmark of the data (found {', '.join(sorted(published.edges))})"
        )


def read_edges(path: Path) -> PublishedEdges:
    """Read a CSV of published edges: benchmark, axis (`word`, `ngram`, `word-freq`, `trigram-nov`), e1..e4, reference.

    Raises `FileError` naming every line with a missing column, a number that is none, falling edges, an unknown axis,
    a repeated row, or a benchmark with one axis only.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            rows = [(reader.line_num, row) for row in reader]
            columns = [name.strip().casefold() for name in reader.fieldnames or ()]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileError(f"edges file {path} cannot be read: {error}; expected a CSV in UTF-8") from error
    absent = [name for name in EDGE_COLUMNS[:6] if name not in columns]
    if absent:
        found = ", ".join(columns) or "nothing"
        problem = Problem(str(path), 1, None, found, f"the columns {', '.join(EDGE_COLUMNS)}")
        raise FileError(f"edges file {path} lacks {', '.join(absent)}", [problem])
    return _gather_edges(path, rows)


def _gather_edges(path: Path, rows: Sequence[tuple[int, Mapping[str, str | None]]]) -> PublishedEdges:
    found: dict[tuple[str, str], tuple[float, ...]] = {}
    references: dict[str, None] = {}
    problems: list[Problem] = []
    for line, raw in rows:
        row = {(key or "").strip().casefold(): (value or "").strip() for key, value in raw.items() if key}
        axis = _AXIS_NAMES.get(row["axis"].casefold())
        edges = _edges_of(row)
        key = (row["benchmark"].casefold(), axis or "")
        if axis is None:
            problems.append(Problem(str(path), line, "axis", repr(row["axis"]), "word or ngram"))
        elif edges is None:
            shown = ", ".join(row[name] for name in EDGE_COLUMNS[2:6])
            problems.append(Problem(str(path), line, "e1..e4", shown, "four numbers that do not fall"))
        elif key in found:
            problems.append(Problem(str(path), line, "benchmark", f"a second row for {key}", "one row for each axis"))
        else:
            found[key] = edges
        if row.get("reference"):
            references[row["reference"]] = None
    names = dict.fromkeys(name for name, axis in found)
    problems += [
        Problem(str(path), None, "axis", f"{name!r} without the axis {axis}", "a row for word and one for ngram")
        for name in names
        for axis in ("word", "ngram")
        if (name, axis) not in found and not problems
    ]
    if problems or not found:
        raise FileError(
            f"edges file {path} is refused", problems or [Problem(str(path), None, None, "no row", "edges")]
        )
    pairs = {name: AxisEdges(found[name, "word"], found[name, "ngram"]) for name in names}
    return PublishedEdges(str(path), pairs, tuple(references))


def _edges_of(row: Mapping[str, str]) -> tuple[float, ...] | None:
    try:
        edges = tuple(float(row[name]) for name in EDGE_COLUMNS[2:6])
    except ValueError:
        return None
    if not all(math.isfinite(edge) for edge in edges) or list(edges) != sorted(edges):
        return None
    return edges
