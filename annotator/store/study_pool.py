"""What pools are drawn from: outputs with their counts and edits, and items. Read-only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotator.records import Query
from annotator.store.study_records import EditMark


@dataclass(frozen=True, slots=True)
class PoolItem:
    """An item as pools need it."""

    key: int
    id: str
    gold: str | None
    standard: str
    language: str
    has_image: bool


@dataclass(frozen=True, slots=True)
class PoolOutput:
    """One output for an item. `edits` and `gold_length` are of the stored raw alignment; `None` without gold."""

    prediction_key: int
    item: PoolItem
    system: str
    condition: str
    predicted: str
    edits: int | None
    gold_length: int | None

    @property
    def cer(self) -> float | None:
        """Edits over gold graphemes; `None` without gold or with an empty one."""
        return None if self.edits is None or not self.gold_length else self.edits / self.gold_length


@dataclass(frozen=True, slots=True)
class PoolEdit:
    """One edit of one output. `ordinal` counts the output's edits from 0."""

    output: PoolOutput
    ordinal: int
    mark: EditMark


_ITEM = "i.item_key, i.id, i.gold, i.standard, i.language, (i.image <> '' AND i.image_problem = '') AS has_image "
_OUTPUT = (
    f"SELECT {_ITEM}, p.prediction_key, p.predicted, s.name AS system, u.condition, "
    "p.substitutions + p.deletions + p.insertions AS edits, p.gold_length "
)
_FROM = "FROM prediction p JOIN run u USING (run_key) JOIN system s USING (system_key) JOIN item i USING (item_key) "


def pool_items(
    connection: sqlite3.Connection, query: Query, item_ids: Sequence[str] | None = None
) -> tuple[PoolItem, ...]:
    """Items of the filter in the order of import; `item_ids` keeps only those (a cell, a page's filter)."""
    where, values = _item_filter(query)
    rows = connection.execute(f"SELECT {_ITEM} FROM item i WHERE {where} ORDER BY i.item_key", values)
    chosen = None if item_ids is None else frozenset(item_ids)
    return tuple(_item(row) for row in rows if chosen is None or row["id"] in chosen)


def pool_outputs(
    connection: sqlite3.Connection, query: Query, item_ids: Sequence[str] | None = None
) -> Iterator[PoolOutput]:
    """Outputs of the filter, by item, then system and condition."""
    where, values = _filter(query)
    rows = connection.execute(f"{_OUTPUT} {_FROM} WHERE {where} ORDER BY i.item_key, s.name, u.condition", values)
    chosen = None if item_ids is None else frozenset(item_ids)
    return (_output(row) for row in rows if chosen is None or row["id"] in chosen)


def pool_edits(
    connection: sqlite3.Connection, query: Query, *, single: bool = True, item_ids: Sequence[str] | None = None
) -> Iterator[PoolEdit]:
    """Edits of the filter; with `single` only those that are the one edit of their line. Needs gold."""
    where, values = _filter(query)
    only = "AND p.substitutions + p.deletions + p.insertions = 1" if single else ""
    rows = connection.execute(
        f"{_OUTPUT}, e.ordinal, e.op, e.gold_index, e.predicted_index, e.gold AS gold_edit, e.predicted AS predicted_edit "
        f"{_FROM} JOIN edit e USING (prediction_key) WHERE {where} {only} AND i.gold IS NOT NULL "
        "ORDER BY i.item_key, s.name, u.condition, e.ordinal",
        values,
    )
    chosen = None if item_ids is None else frozenset(item_ids)
    for row in rows:
        if chosen is None or row["id"] in chosen:
            mark = EditMark(
                row["op"], row["gold_index"], row["predicted_index"], row["gold_edit"], row["predicted_edit"]
            )
            yield PoolEdit(_output(row), row["ordinal"], mark)


def _item_filter(query: Query) -> tuple[str, list[str]]:
    parts, values = ["1"], []
    for column, value in (("benchmark", query.benchmark), ("language", query.language)):
        if value:
            parts.append(f"i.{column} = ?")
            values.append(value)
    if not query.keep_wrong_gold:
        parts.append("i.mark <> 'gold-wrong'")
    return " AND ".join(parts), values


def _filter(query: Query) -> tuple[str, list[str]]:
    where, values = _item_filter(query)
    for column, names in (("s.name", query.systems), ("u.condition", query.conditions)):
        if names:
            where += f" AND {column} IN ({','.join('?' * len(names))})"
            values.extend(names)
    return where, values


def _item(row: sqlite3.Row) -> PoolItem:
    return PoolItem(row["item_key"], row["id"], row["gold"], row["standard"], row["language"], bool(row["has_image"]))


def _output(row: sqlite3.Row) -> PoolOutput:
    return PoolOutput(
        prediction_key=row["prediction_key"],
        item=_item(row),
        system=row["system"],
        condition=row["condition"],
        predicted=row["predicted"],
        edits=row["edits"],
        gold_length=row["gold_length"],
    )
