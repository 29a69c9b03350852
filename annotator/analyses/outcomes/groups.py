"""Groups of items that outcomes are read by: an attribute, the kind of change, its letters, the length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from annotator.errors import UsageError
from annotator.metrics.outcomes import fold_text
from annotator.metrics.perturbation import PerturbationGroup, classify_perturbation
from annotator.store.project import Project
from annotator.store.reading import ItemTable, require_attribute
from annotator.text.graphemes import split_graphemes

Mask = npt.NDArray[np.bool_]
Groups = dict[str | None, Mask]

BANDS = (4, 6, 8, 10)


class GroupBy(StrEnum):
    """What the items are grouped by."""

    NOTHING = ""
    ATTRIBUTE = "attribute"
    PERTURBATION = "perturbation"
    PAIR = "pair"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Grouping:
    """A grouping: `attribute` for `GroupBy.ATTRIBUTE`, `bands` (first length of each band) for `GroupBy.LENGTH`."""

    by: GroupBy = GroupBy.NOTHING
    attribute: str = ""
    bands: tuple[int, ...] = BANDS


def groups_of(project: Project, items: ItemTable, grouping: Grouping) -> Groups:
    """Masks by group name, in the order in which a report lists them; `{None: all}` without a grouping.

    Perturbation groups and bands without items are left out. Raises `UsageError` for bands that do not rise.
    """
    if grouping.by is GroupBy.NOTHING:
        return {None: np.ones(len(items), dtype=bool)}
    if grouping.by is GroupBy.ATTRIBUTE:
        return _attribute_groups(project, items, grouping.attribute)
    if grouping.by is GroupBy.LENGTH:
        bands = _checked(grouping.bands)
        return _named(items, lambda at: band_of(standard_length(items.standard[at]), bands), _band_names(bands))
    changes = [classify_perturbation(items.standard[at], items.gold[at] or "") for at in range(len(items))]
    if grouping.by is GroupBy.PERTURBATION:
        return _named(items, lambda at: changes[at].group.value, [group.value for group in PerturbationGroup])
    names = [f"{change.group.value} {change.pair}" for change in changes]
    order = {group.value: place for place, group in enumerate(PerturbationGroup)}
    frequent = sorted(set(names), key=lambda name: (order[name.split(" ", 1)[0]], -names.count(name), name))
    return _named(items, lambda at: names[at], frequent)


def macro_groups(project: Project, items: ItemTable, attribute: str) -> Groups:
    """The groups of a macro average; empty without an attribute. Items without a value form the group `""`."""
    return _attribute_groups(project, items, attribute) if attribute else {}


def standard_length(standard: str) -> int:
    """Grapheme clusters of the folded standard form."""
    return len(split_graphemes(fold_text(standard)))


def band_of(length: int, bands: Sequence[int]) -> str:
    """The name of the band that holds a length: `4-5`, `10+`, and `1-3` below the first band."""
    at = sum(1 for start in bands if start <= length)
    return _band_names(bands)[at]


def _band_names(bands: Sequence[int]) -> list[str]:
    starts = [1, *bands]
    names = [f"{low}-{high - 1}" if high - 1 > low else str(low) for low, high in zip(starts, bands, strict=False)]
    return [*names, f"{bands[-1]}+"]


def _checked(bands: Sequence[int]) -> tuple[int, ...]:
    if not bands or any(low >= high for low, high in zip((0, *bands), bands, strict=False)):
        raise UsageError(
            f"length bands: found {', '.join(map(str, bands)) or 'none'}; expected rising first lengths, as 4,6,8,10"
        )
    return tuple(bands)


def _attribute_groups(project: Project, items: ItemTable, attribute: str) -> Groups:
    with project.read() as connection:
        values = require_attribute(connection, attribute)
    names = np.array([values.get(int(key), "") for key in items.keys], dtype=object)
    return {str(name): np.asarray(names == name, dtype=bool) for name in sorted(set(names.tolist()))}


def _named(items: ItemTable, name_of: Callable[[int], str], order: Sequence[str]) -> Groups:
    names = np.array([name_of(at) for at in range(len(items))], dtype=object)
    masks = {name: np.asarray(names == name, dtype=bool) for name in order}
    return {name: mask for name, mask in masks.items() if mask.any()}
