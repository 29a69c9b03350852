"""The items behind a count of outcomes, and a page of them with the answer that was counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.outcomes.data import MISSING, NONE, OUTCOMES, OutcomeData, OutcomeRun
from annotator.analyses.outcomes.groups import Grouping, groups_of
from annotator.errors import UsageError
from annotator.store.detail import ItemFields, read_item_fields, read_predicted
from annotator.store.project import Project

Mask = npt.NDArray[np.bool_]
Keys = tuple[int, ...]

MISSING_NAME = "missing"
# Rewritten answers come first: they are what a reader of outcomes looks for.
_ORDER = (1, 2, 0)


@dataclass(frozen=True, slots=True)
class OutcomeItem:
    """An item with the answer of one run (`None` when missing) and its outcome."""

    item: ItemFields
    predicted: str | None
    outcome: str


def keys_of(project: Project, data: OutcomeData, run: str, outcome: str, grouping: Grouping, group: str) -> Keys:
    """Items of one count: `outcome` is literal, canonical, other, missing or "" for all answered ones.

    `group` names one of the groups of `grouping`; without a grouping it is not looked at. An unknown group has no items.
    """
    one = data.run(run)
    groups = groups_of(project, data.items, grouping)
    nothing = np.zeros(len(data.items), dtype=bool)
    inside = groups.get(group, nothing) if grouping.by else np.ones(len(data.items), dtype=bool)
    if outcome == MISSING_NAME:
        return _keys(data, inside & ~one.has_row)
    if not outcome:
        return _canonical_first(data, one, inside)
    return _keys(data, inside & (one.codes == _code(outcome)))


def keys_of_pair(data: OutcomeData, a: str, b: str, of_a: str, of_b: str) -> Keys:
    """Items that both answered; with outcomes named, those of one cell of the transition matrix."""
    one, other = data.run(a), data.run(b)
    both = one.answered & other.answered
    if of_a:
        both = both & (one.codes == _code(of_a))
    if of_b:
        both = both & (other.codes == _code(of_b))
    return _keys(data, both) if of_a else _canonical_first(data, one, both)


def outcome_page(project: Project, data: OutcomeData, keys: Sequence[int], run: str) -> tuple[OutcomeItem, ...]:
    """The items of `keys` in that order, with the answer of `run`."""
    one = data.run(run)
    with project.read() as connection:
        fields = read_item_fields(connection, keys)
        texts = read_predicted(connection, [one.run.key], keys)
    places = np.searchsorted(data.items.keys, np.asarray(keys, dtype=np.int64)).tolist()
    return tuple(
        OutcomeItem(item, texts.get((one.run.key, item.key)), _name(int(one.codes[place])))
        for item, place in zip(fields, places, strict=True)
    )


def _keys(data: OutcomeData, inside: Mask) -> Keys:
    return tuple(data.items.keys[inside].tolist())


def _canonical_first(data: OutcomeData, one: OutcomeRun, inside: Mask) -> Keys:
    return tuple(key for code in _ORDER for key in data.items.keys[inside & (one.codes == code)].tolist())


def _code(outcome: str) -> int:
    for code, known in enumerate(OUTCOMES):
        if known.value == outcome:
            return code
    raise UsageError(f"outcome: found {outcome!r}; expected {', '.join(known.value for known in OUTCOMES)} or missing")


def _name(code: int) -> str:
    return {MISSING: MISSING_NAME, NONE: "no outcome"}.get(code) or OUTCOMES[code].value
