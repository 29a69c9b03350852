"""Find items, and see one item with every answer aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import regex

from annotator.analyses.dataset import Dataset, Scored, load_dataset
from annotator.analyses.errors import items_with_class
from annotator.errors import UsageError
from annotator.metrics.outcomes import Outcome, classify_outcome
from annotator.metrics.taxonomy import AUTO, ErrorClass, classify_errors
from annotator.records import ItemFilter, Query
from annotator.store.confusions import items_with_edit
from annotator.store.detail import (
    AnswerRow,
    HistoryRow,
    ItemFields,
    Note,
    find_item,
    image_file,
    read_answers,
    read_history,
    read_item_fields,
    read_note,
    read_predicted,
    read_tags,
)
from annotator.store.project import Project
from annotator.store.reading import RunRow, read_attribute, read_texts
from annotator.text.align import Alignment, align_texts

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Glance:
    """One run's answer in a list: the text (`None` when missing), whether it is exact, its edits and gold length."""

    run: RunRow
    predicted: str | None
    exact: bool | None
    edits: int | None
    gold_length: int | None


@dataclass(frozen=True, slots=True)
class ItemGlance:
    """One item in a list, with a glance at each run's answer."""

    item: ItemFields
    answers: tuple[Glance, ...]


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page of a filtered list. `total` items match; `keys` are all of them in order, for previous and next."""

    total: int
    keys: tuple[int, ...]
    rows: tuple[ItemGlance, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One system's answer, aligned with the gold it is held against. `outcome` is `None` without a standard form.

    `classes`: the error classes of its events, each once, in the order of the text.
    """

    row: AnswerRow
    alignment: Alignment | None
    exact: bool | None
    outcome: Outcome | None
    classes: tuple[ErrorClass, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemDetail:
    """One item with every answer. `standard_alignment` shows how gold departs from the standard form."""

    item: ItemFields
    answers: tuple[Answer, ...]
    standard_alignment: Alignment | None
    note: Note
    history: tuple[HistoryRow, ...]


def list_items(
    project: Project, query: Query, wanted: ItemFilter, offset: int = 0, limit: int = 50, dataset: Dataset | None = None
) -> ItemPage:
    """The items that match `wanted`, a page of them with every run's answer at a glance.

    Raises `UsageError` for a regular expression that does not compile, and for unknown runs, tags and sort orders.
    """
    data = dataset or load_dataset(project, query)
    keep = _matches(project, data, wanted)
    order = _ordered(data, np.flatnonzero(keep), wanted)
    shown = order[offset : offset + limit]
    keys = data.items.keys[order]
    return ItemPage(len(order), tuple(int(k) for k in keys), _glances(project, data, shown))


def _matches(project: Project, data: Dataset, wanted: ItemFilter) -> Mask:
    keep = np.ones(len(data.items), dtype=bool)
    if wanted.ids:
        ids = frozenset(wanted.ids)
        keep &= np.fromiter((i in ids for i in data.items.ids), dtype=bool, count=len(keep))
    if wanted.mark:
        keep &= np.fromiter((m == wanted.mark for m in data.items.mark), dtype=bool, count=len(keep))
    if wanted.error_class:
        keep &= items_with_class(project, data, wanted.error_class, wanted.run)
    if wanted.edit:
        keep &= _with_edit(project, data, wanted)
    keep &= _labelled(project, data, wanted)
    keep &= _showing(project, data, wanted)
    if wanted.text:
        keep &= _searched(project, data, wanted)
    return keep


def _with_edit(project: Project, data: Dataset, wanted: ItemFilter) -> Mask:
    assert wanted.edit is not None
    runs = [data.run(wanted.run)] if wanted.run else data.runs
    with project.read() as connection:
        found = items_with_edit(connection, [scored.run.key for scored in runs], wanted.edit)
    return np.isin(data.items.keys, [key for key, _ in found])


def _labelled(project: Project, data: Dataset, wanted: ItemFilter) -> Mask:
    keep = np.ones(len(data.items), dtype=bool)
    keys = data.items.keys.tolist()
    with project.read() as connection:
        for name, value in wanted.attributes:
            values = read_attribute(connection, name)
            keep &= np.fromiter((values.get(key, "") == value for key in keys), dtype=bool, count=len(keep))
        if wanted.tag:
            tagged = read_tags(connection).get(wanted.tag, frozenset())
            keep &= np.fromiter((key in tagged for key in keys), dtype=bool, count=len(keep))
    return keep


def _showing(project: Project, data: Dataset, wanted: ItemFilter) -> Mask:
    everything = np.ones(len(data.items), dtype=bool)
    if wanted.show == "all":
        return everything
    if wanted.show == "differ":
        return _differ(project, data)
    runs = [data.run(wanted.run)] if wanted.run else list(data.runs)
    picks: dict[str, Callable[[Scored], Mask]] = {
        "wrong": lambda run: run.answered & ~np.asarray(run.scores.exact, dtype=bool),
        "right": lambda run: run.answered & np.asarray(run.scores.exact, dtype=bool),
        "missing": lambda run: ~run.answered,
    }
    if wanted.show not in picks:
        raise UsageError(f"show: found {wanted.show!r}; expected all, wrong, right, missing or differ")
    masks = [picks[wanted.show](run) for run in runs]
    return np.logical_or.reduce(masks) if masks else ~everything


def _differ(project: Project, data: Dataset) -> Mask:
    first: dict[int, str] = {}
    differ: set[int] = set()
    with project.read() as connection:
        for scored in data.runs:
            texts = read_texts(connection, scored.run.key)
            for key, text in zip(texts.keys.tolist(), texts.predicted, strict=True):
                if first.setdefault(key, text) != text:
                    differ.add(key)
    return np.fromiter((key in differ for key in data.items.keys.tolist()), dtype=bool, count=len(data.items))


def _searched(project: Project, data: Dataset, wanted: ItemFilter) -> Mask:
    found = _searcher(wanted)
    columns = {"id": data.items.ids, "gold": data.items.gold, "standard": data.items.standard}
    if wanted.where not in (*columns, "any", "predicted"):
        raise UsageError(f"where: found {wanted.where!r}; expected any, id, gold, standard or predicted")
    keep = np.zeros(len(data.items), dtype=bool)
    for name, column in columns.items():
        if wanted.where in (name, "any"):
            keep |= np.fromiter((found(text or "") for text in column), dtype=bool, count=len(keep))
    if wanted.where in ("predicted", "any"):
        keep |= _predicted(project, data, wanted, found)
    return keep


def _predicted(project: Project, data: Dataset, wanted: ItemFilter, found: Callable[[str], bool]) -> Mask:
    hits: set[int] = set()
    with project.read() as connection:
        for scored in [data.run(wanted.run)] if wanted.run else data.runs:
            texts = read_texts(connection, scored.run.key)
            hits.update(key for key, text in zip(texts.keys.tolist(), texts.predicted, strict=True) if found(text))
    return np.fromiter((key in hits for key in data.items.keys.tolist()), dtype=bool, count=len(data.items))


def _searcher(wanted: ItemFilter) -> Callable[[str], bool]:
    if not wanted.regex:
        needle = wanted.text.casefold()
        return lambda text: needle in text.casefold()
    try:
        pattern = regex.compile(wanted.text)
    except regex.error as error:
        raise UsageError(f"the regular expression does not compile: {error}. Found {wanted.text!r}") from error
    return lambda text: _bounded(pattern, text)


def _bounded(pattern: regex.Pattern[str], text: str) -> bool:
    try:
        return pattern.search(text, timeout=1.0) is not None
    except TimeoutError as error:
        raise UsageError(
            "the regular expression takes too long on one text (over a second); make it simpler"
        ) from error


def _ordered(data: Dataset, found: npt.NDArray[np.intp], wanted: ItemFilter) -> npt.NDArray[np.intp]:
    if wanted.sort == "import":
        return found
    if wanted.sort == "id":
        return np.array(sorted(found.tolist(), key=lambda i: data.items.ids[i]), dtype=np.intp)
    if wanted.sort == "length":
        return np.array(sorted(found.tolist(), key=lambda i: -len(data.items.gold[i] or "")), dtype=np.intp)
    if wanted.sort == "edits":
        weight = _edits(data.run(wanted.run)) if wanted.run else np.sum([_edits(run) for run in data.runs], axis=0)
    elif wanted.sort == "difference":
        weight = _edits(data.run(wanted.run)) - _edits(data.run(wanted.other))
    else:
        raise UsageError(f"sort: found {wanted.sort!r}; expected import, id, length, edits or difference")
    ordered: npt.NDArray[np.intp] = found[np.argsort(-np.asarray(weight)[found], kind="stable")]
    return ordered


def _edits(scored: Scored) -> npt.NDArray[np.int64]:
    scores = scored.scores
    return np.where(
        scored.answered,
        np.asarray(scores.substitutions) + np.asarray(scores.deletions) + np.asarray(scores.insertions),
        0,
    ).astype(np.int64)


def _glances(project: Project, data: Dataset, shown: npt.NDArray[np.intp]) -> tuple[ItemGlance, ...]:
    keys = [int(k) for k in data.items.keys[shown]]
    with project.read() as connection:
        fields = read_item_fields(connection, keys)
        texts = read_predicted(connection, [scored.run.key for scored in data.runs], keys)
    edits = {scored.run.key: scored.edits for scored in data.runs}

    def glance(scored: Scored, item: ItemFields, at: int) -> Glance:
        key = scored.run.key
        return _glance(scored, at, texts.get((key, item.key)), int(edits[key][at]))

    return tuple(
        ItemGlance(item, tuple(glance(scored, item, int(at)) for scored in data.runs))
        for item, at in zip(fields, shown, strict=True)
    )


def _glance(scored: Scored, at: int, predicted: str | None, edits: int) -> Glance:
    if predicted is None or not scored.answered[at]:
        return Glance(scored.run, predicted, None, None, None)
    scores = scored.scores
    return Glance(scored.run, predicted, bool(scores.exact[at]), edits, int(scores.gold_length[at]))


def show_item(project: Project, query: Query, item_id: str) -> ItemDetail:
    """One item with every answer aligned under the query's profile. Raises `UsageError` when there is no such item."""
    with project.read() as connection:
        item = find_item(connection, item_id)
        if item is None:
            raise UsageError(f"no item has the id {item_id!r}")
        answers = read_answers(connection, item.key)
        note, history = read_note(connection, item.key), read_history(connection, item.key)
    against_standard = align_texts(item.standard, item.gold) if item.standard and item.gold is not None else None
    shown = tuple(_answer(item, row, query) for row in answers if _in_scope(row, query))
    return ItemDetail(item, shown, against_standard, note, history)


def _in_scope(row: AnswerRow, query: Query) -> bool:
    return (not query.systems or row.system in query.systems) and (
        not query.conditions or row.condition in query.conditions
    )


def _answer(item: ItemFields, row: AnswerRow, query: Query) -> Answer:
    gold = row.own_gold if query.own_gold and row.own_gold is not None else item.gold
    if gold is None:
        return Answer(row, None, None, None)
    alignment = align_texts(gold, row.predicted, profile=query.profile)
    outcome = classify_outcome(gold, item.standard, row.predicted) if item.standard else None
    classes = tuple(dict.fromkeys(event.error_class for event in classify_errors(gold, row.predicted, AUTO)))
    return Answer(row, alignment, not alignment.edits, outcome, classes if gold.strip() else ())


def image_path(project: Project, item_key: int, condition: str = "default") -> Path | None:
    """The image file of an item under a condition, or `None`."""
    with project.read() as connection:
        return image_file(connection, project.folder, item_key, condition)


def items_by_key(project: Project, keys: Sequence[int]) -> tuple[ItemFields, ...]:
    """The fields of items by key, in order."""
    with project.read() as connection:
        return read_item_fields(connection, keys)
