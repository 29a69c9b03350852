"""Which unit is read as which: substitutions, deletions and insertions counted over many alignments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.text.align import Alignment, Edit, Op
from annotator.text.scripts import script_of

DEFAULT_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Confusion:
    """One kind of edit over all items. `gold` is "" for an insertion, `predicted` "" for a deletion.

    `count` counts edits, `items` the items that have at least one; `examples` are ids of the first of these items.
    `script` is that of the gold unit (of the predicted unit for an insertion).
    """

    op: Op
    gold: str
    predicted: str
    script: str
    count: int
    items: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfusionTable:
    """All confusions of a set of items, the most frequent first; equals by op, gold, predicted."""

    rows: tuple[Confusion, ...]

    @property
    def edits(self) -> int:
        """The number of edits in the table."""
        return sum(row.count for row in self.rows)

    @property
    def scripts(self) -> tuple[str, ...]:
        """The script blocks of the table, the one with the most edits first."""
        totals: dict[str, int] = {}
        for row in self.rows:
            totals[row.script] = totals.get(row.script, 0) + row.count
        return tuple(sorted(totals, key=lambda name: (-totals[name], name)))

    def select(self, script: str = "", op: str = "") -> ConfusionTable:
        """Return the rows of one script block, one kind of edit, or both; "" means all."""
        kept = (row for row in self.rows if script in ("", row.script) and op in ("", row.op))
        return ConfusionTable(tuple(kept))


def count_confusions(alignments: Iterable[tuple[str, Alignment]], examples: int = DEFAULT_EXAMPLES) -> ConfusionTable:
    """Count the edits of (item id, alignment) pairs; keep the ids of the first `examples` items of each confusion.

    An item may come several times (once per system and condition): it counts once in `items`.
    """
    return count_edits(((item, alignment.edits) for item, alignment in alignments), examples)


def count_edits(edits: Iterable[tuple[str, Iterable[Edit]]], examples: int = DEFAULT_EXAMPLES) -> ConfusionTable:
    """As `count_confusions`, from the edits alone, as a project stores them."""
    counts: dict[tuple[Op, str, str], int] = {}
    items: dict[tuple[Op, str, str], dict[str, None]] = {}
    for item, of_item in edits:
        for edit in of_item:
            key = (edit.op, edit.gold, edit.predicted)
            counts[key] = counts.get(key, 0) + 1
            items.setdefault(key, {})[item] = None
    order = sorted(counts, key=lambda key: (-counts[key], key))
    return ConfusionTable(tuple(_confusion(key, counts[key], list(items[key]), examples) for key in order))


def _confusion(key: tuple[Op, str, str], count: int, items: list[str], examples: int) -> Confusion:
    op, gold, predicted = key
    return Confusion(op, gold, predicted, script_of(gold or predicted), count, len(items), tuple(items[:examples]))
