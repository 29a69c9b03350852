"""Providers read from another provider's charges: mode, class charge, type table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.metrics.severity.classes import classify_edit
from annotator.metrics.severity.levels import Distribution, class_charge, level_severity, nearest_level
from annotator.store.project import Project
from annotator.store.reading import RunRow, read_runs
from annotator.store.severities import (
    Charge,
    ChargedEdit,
    ProviderRow,
    find_provider,
    iter_charged,
    put_provider,
    run_stamp,
    write_charges,
)

Derive = Callable[[Sequence[ChargedEdit]], Iterator[Charge]]


def split_name(name: str) -> tuple[str, str] | None:
    """`mode:rubric` -> (mode, rubric); `None` for a name that is not derived."""
    kind, colon, source = name.partition(":")
    return (kind, source) if colon and kind in DERIVED and source else None


def require_derived(project: Project, name: str, origin: ProviderRow, runs: Sequence[RunRow]) -> ProviderRow:
    """The derived provider called `KIND:SOURCE`, computed when its source `origin` has changed."""
    kind = name.partition(":")[0]
    with project.read() as connection:
        changed = max((run.changed_revision for run in read_runs(connection)), default=0)
        version = f"1/{origin.name}-{origin.version}/{origin.at!r}/{changed}"
        known = find_provider(connection, name)
        if known is not None and known.version == version:
            return known
        charged = list(iter_charged(connection, origin.key))
    _store(project, name, kind, version, runs, list(DERIVED[kind](charged)), charged)
    with project.read() as connection:
        row = find_provider(connection, name)
    assert row is not None
    return row


def _store(
    project: Project,
    name: str,
    kind: str,
    version: str,
    runs: Sequence[RunRow],
    charges: Sequence[Charge],
    charged: Sequence[ChargedEdit],
) -> None:
    run_of = {edit.prediction_key: edit.run_key for edit in charged}
    by_run: dict[int, list[Charge]] = defaultdict(list)
    for charge in charges:
        by_run[run_of[charge.prediction_key]].append(charge)
    stamps = {run.key: run_stamp(run) for run in runs}
    with project.write(raises_revision=False) as connection:
        key = put_provider(connection, name, kind, version, {}, project.clock())
        for run_key, found in by_run.items():
            write_charges(connection, key, run_key, found, stamps.get(run_key, ""))


def _level(edit: ChargedEdit) -> int:
    return nearest_level(edit.severity) if edit.probabilities is None else Distribution(edit.probabilities).mode


def _mode(charged: Sequence[ChargedEdit]) -> Iterator[Charge]:
    for edit in charged:
        yield Charge(edit.prediction_key, edit.ordinal, level_severity(_level(edit)))


def _class_charge(charged: Sequence[ChargedEdit]) -> Iterator[Charge]:
    for edit in charged:
        yield Charge(edit.prediction_key, edit.ordinal, class_charge(_level(edit)))


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums and counts of severities by type, class and language, in all and for each item."""

    total: Mapping[tuple[str, ...], tuple[float, int]]
    item: Mapping[tuple[tuple[str, ...], int], tuple[float, int]]

    def mean(self, key: tuple[str, ...], item_key: int) -> float | None:
        """The mean of a group without the item's own edits; `None` when nothing else is in it."""
        total, n = self.total[key]
        own, own_n = self.item[key, item_key]
        return (total - own) / (n - own_n) if n > own_n else None


def _type_table(charged: Sequence[ChargedEdit]) -> Iterator[Charge]:
    """The mean severity of the same (op, gold, predicted) in the corpus, leaving the item out; where there is none, of
    its edit class, then of the language (semCER, section B.2)."""
    sums = _sum_up(charged)
    for edit in charged:
        means = (sums.mean(key, edit.item_key) for key in _keys(edit))
        found = next((mean for mean in means if mean is not None), None)
        if found is not None:
            yield Charge(edit.prediction_key, edit.ordinal, min(max(found, 0.0), 1.0))


def _keys(edit: ChargedEdit) -> tuple[tuple[str, ...], ...]:
    kind = classify_edit(edit.gold, edit.predicted)
    return (
        ("type", edit.language, edit.op, edit.gold, edit.predicted),
        ("class", edit.language, kind.value),
        ("language", edit.language),
    )


def _sum_up(charged: Iterable[ChargedEdit]) -> _Sums:
    total: dict[tuple[str, ...], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    item: dict[tuple[tuple[str, ...], int], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for edit in charged:
        for key in _keys(edit):
            sums, n = total[key]
            total[key] = (sums + edit.severity, n + 1)
            sums, n = item[key, edit.item_key]
            item[key, edit.item_key] = (sums + edit.severity, n + 1)
    return _Sums(total, item)


DERIVED: dict[str, Derive] = {"mode": _mode, "class-charge": _class_charge, "type-table": _type_table}
