"""Place items on the grid, once: the result is kept in the project and used as long as its items stay."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from annotator.analyses.references import Reference, open_reference, require_default
from annotator.analyses.scope import LanguageScope, choose_language
from annotator.errors import StoreError, UsageError
from annotator.metrics.strata.axes import AxisPair, Placement
from annotator.metrics.strata.labels import Axes, DropReason, Letters, choose_axes, choose_letters, fold_label
from annotator.metrics.strata.placelines import place_labels
from annotator.metrics.strata.quintiles import AxisEdges, PublishedEdges, Quintiles, assign_quintiles, read_edges
from annotator.records import Query
from annotator.store.project import Project, read_revision
from annotator.store.reading import ItemTable
from annotator.store.strata import StratumRow, StratumSet, confirm_set, find_set, save_set

PLACING_VERSION = "1"
PUBLISHED = {"stratistr": Path(__file__).parents[3] / "data" / "stratistr_edges.csv"}


@dataclass(frozen=True, slots=True)
class PlacingSummary:
    """What a placing rests on and what it left out.

    `items` are those of the language; `kept` entered the grid; the dropped ones are counted by benchmark and by reason.
    `short_labels` stand as their own n-gram. `empty` names quintiles without items as (benchmark, axis, quintile).
    """

    reference: str
    axes: str
    letters: str
    language: str
    languages_left_out: Mapping[str, int]
    items: int
    kept: int
    dropped_by_benchmark: Mapping[str, int]
    dropped_by_reason: Mapping[str, int]
    short_labels: int
    edges: Mapping[str, AxisEdges]
    edges_source: str = ""
    empty: tuple[tuple[str, str, int], ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def dropped(self) -> int:
        """How many items of the language stay out of the grid."""
        return self.items - self.kept


@dataclass(frozen=True, slots=True)
class Placing:
    """Items on the grid: `keys` rising, `places` = (word - 1) * 5 + ngram - 1 (shape (kept,)).

    `set_key` finds its rows in the project; `None` when the project cannot be written.
    """

    set_key: int | None
    summary: PlacingSummary
    keys: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]

    def spread(self, items: ItemTable) -> npt.NDArray[np.int64]:
        """The place of every item of a table, -1 for those outside the grid (shape (items,))."""
        found = np.full(len(items), -1, dtype=np.int64)
        if len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, items.keys), len(self.keys) - 1)
            inside = self.keys[at] == items.keys
            found[inside] = self.places[at[inside]]
        return found


def stored_placing(project: Project, query: Query) -> Placing | None:
    """The placing of `query` when the project holds it and nothing was written since; reads no item."""
    with project.read() as connection:
        stored = find_set(connection, _asked(query))
        if stored is None or stored.revision != read_revision(connection):
            return None
    return _unpack(stored)


def load_placing(project: Project, query: Query, items: ItemTable, revision: int) -> Placing:
    """The placing of `items` under `query`, from the project when it still holds, else built and kept.

    Raises `UsageError` or `FileError` for a language, reference corpus or edges file that cannot be used.
    """
    with project.read() as connection:
        stored = find_set(connection, _asked(query))
    if stored is not None and stored.revision == revision:
        return _unpack(stored)
    stamp = _items_stamp(items)
    if stored is not None:
        placing = _unpack(stored)
        if stored.items_stamp == f"{stamp}|{open_reference(project, placing.summary.reference).stamp}":
            _confirm(project, stored.set_key, revision)
            return placing
    return _build(project, query, items, stamp, revision)


def _asked(query: Query) -> str:
    edges = edges_path(query.edges)
    content = zlib.crc32(edges.read_bytes()) if edges is not None and edges.is_file() else 0
    parts = [query.benchmark.casefold(), query.language.casefold(), query.keep_wrong_gold, query.reference, query.axes]
    parts += [query.letters, str(edges or ""), content, query.force_edges, PLACING_VERSION]
    return msgspec.json.encode(parts).decode()


def edges_path(name: str) -> Path | None:
    """The file behind `--edges`: a path, or the name of edges that come with the product; `None` for none."""
    return PUBLISHED.get(name, Path(name)) if name else None


def _items_stamp(items: ItemTable) -> str:
    texts = "\0".join("\1".join(row) for row in zip(items.benchmark, items.language, map(str, items.gold), strict=True))
    return f"{zlib.crc32(texts.encode('utf-8', 'surrogatepass')):08x}{zlib.crc32(items.keys.tobytes()):08x}"


def _unpack(stored: StratumSet) -> Placing:
    summary = msgspec.json.decode(stored.summary, type=PlacingSummary)
    return Placing(stored.set_key, summary, stored.keys, stored.places.astype(np.int64))


def _confirm(project: Project, set_key: int, revision: int) -> None:
    try:
        with project.write(raises_revision=False) as connection:
            confirm_set(connection, set_key, revision)
    except StoreError:
        return  # nothing is lost: the stamp is compared again next time


def _build(project: Project, query: Query, items: ItemTable, stamp: str, revision: int) -> Placing:
    scope = choose_language(items, query.language)
    inside = np.flatnonzero(scope.inside).tolist()
    axes = Axes(query.axes) if query.axes else choose_axes(items.gold[i] or "" for i in inside)
    letters = Letters(query.letters) if query.letters else choose_letters(scope.language)
    language = scope.language if len(items) else "en"
    reference = open_reference(project, query.reference or require_default(language))
    published, notes = _published(query, reference.name, axes)
    labels = _Labels.of(items, inside, letters, reference.axis_pair(axes))
    quintiles = labels.quintiles(published)
    summary = _summarise(scope, axes, letters, reference, labels, quintiles, published, notes)
    rows = labels.rows(quintiles)
    set_key = _save(project, query, f"{stamp}|{reference.stamp}", revision, summary, rows)
    keys = np.array([row.item_key for row in rows], dtype=np.int64)
    return Placing(set_key, summary, keys, np.array([row.place for row in rows], dtype=np.int64))


def _save(
    project: Project, query: Query, stamp: str, revision: int, summary: PlacingSummary, rows: tuple[StratumRow, ...]
) -> int | None:
    try:
        with project.write(raises_revision=False) as connection:
            document = msgspec.json.encode(summary).decode()
            return save_set(connection, _asked(query), stamp, revision, document, rows)
    except StoreError:
        return None


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of a language: those that enter, with their placements, and the others counted."""

    keys: list[int]
    benchmarks: list[str]
    placements: list[Placement]
    by_benchmark: dict[str, int]
    by_reason: dict[str, int]

    @classmethod
    def of(cls, items: ItemTable, inside: list[int], letters: Letters, pair: AxisPair) -> _Labels:
        found = cls([], [], [], dict.fromkeys((items.benchmark[i] for i in inside), 0), Counter())
        labels = [fold_label(items.gold[i] or "") for i in inside]
        placed = place_labels(list(dict.fromkeys(labels)), pair, letters)
        for i, label in zip(inside, labels, strict=True):
            placement = placed[label]
            if isinstance(placement, DropReason):
                found.by_benchmark[items.benchmark[i]] += 1
                found.by_reason[placement] = found.by_reason.get(placement, 0) + 1
                continue
            found.keys.append(int(items.keys[i]))
            found.benchmarks.append(items.benchmark[i])
            found.placements.append(placement)
        return found

    def quintiles(self, published: PublishedEdges | None) -> Quintiles:
        word = np.array([p.word_value for p in self.placements], dtype=np.float64)
        ngram = np.array([p.ngram_value for p in self.placements], dtype=np.float64)
        return assign_quintiles(self.benchmarks, word, ngram, published)

    def rows(self, quintiles: Quintiles) -> tuple[StratumRow, ...]:
        places = ((quintiles.word - 1) * 5 + quintiles.ngram - 1).tolist()
        return tuple(
            StratumRow(key, place, p.word_value, p.ngram_value, p.word_rank, p.ngram_rank, p.word_unit, p.ngram)
            for key, place, p in zip(self.keys, places, self.placements, strict=True)
        )


def _summarise(
    scope: LanguageScope,
    axes: Axes,
    letters: Letters,
    reference: Reference,
    labels: _Labels,
    quintiles: Quintiles,
    published: PublishedEdges | None,
    notes: tuple[str, ...],
) -> PlacingSummary:
    return PlacingSummary(
        reference=reference.name,
        axes=axes.value,
        letters=letters.value,
        language=scope.language,
        languages_left_out=scope.left_out,
        items=int(scope.inside.sum()),
        kept=len(labels.keys),
        dropped_by_benchmark=labels.by_benchmark,
        dropped_by_reason={str(reason): count for reason, count in labels.by_reason.items()},
        short_labels=sum(placement.short for placement in labels.placements),
        edges=quintiles.edges,
        edges_source=published.source if published else "",
        empty=quintiles.empty,
        notes=tuple(note for note in (scope.note, *notes) if note),
    )


def _published(query: Query, reference: str, axes: Axes) -> tuple[PublishedEdges | None, tuple[str, ...]]:
    """Published edges, which belong to their reference corpus and to the word axes unless forced."""
    path = edges_path(query.edges)
    if path is None:
        return None, ()
    published = read_edges(path)
    made_with = ", ".join(published.references) or "an unnamed reference corpus"
    names = {name.casefold() for name in published.references}
    fits = names == {reference.casefold()} and axes is Axes.WORD
    if fits:
        return published, ()
    told = f"the edges of {query.edges} were made with {made_with}, not with {reference} and the {axes} axes"
    if not query.force_edges:
        raise UsageError(f"{told}; expected --reference {made_with}, or --force-edges to use them all the same")
    return published, (f"{told}; they were used all the same (--force-edges)",)
