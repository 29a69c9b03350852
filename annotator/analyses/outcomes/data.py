"""The outcomes of a project: per run one code for each item with a gold and a standard form that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import items_in_scope
from annotator.errors import UsageError
from annotator.metrics.outcomes import Outcome, OutcomeCounts, classify_outcome, fold_text
from annotator.records import MissingRule, Query
from annotator.store.project import Project, read_revision
from annotator.store.reading import ItemTable, RunRow, RunTexts, read_runs, read_texts
from annotator.text.align import alignment_version

Codes = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]

OUTCOMES = tuple(Outcome)
MISSING, NONE = 3, 4
_CODE = {outcome: at for at, outcome in enumerate(OUTCOMES)}


@dataclass(frozen=True, slots=True)
class OutcomeRun:
    """One run: a code per item, 0 Literal, 1 Canonical, 2 Other, 3 missing, 4 no outcome (its own gold has none).

    `has_row`: there is a prediction. Without one the code is 3, or 2 when a missing prediction counts as an empty answer.
    """

    run: RunRow
    codes: Codes
    has_row: Mask

    @property
    def answered(self) -> Mask:
        """Items that are in this run's rates."""
        return np.asarray(self.codes < MISSING)

    def counts(self, inside: Mask | None = None) -> OutcomeCounts:
        """Outcomes counted over all items, or those of a mask."""
        used = np.ones(len(self.codes), dtype=bool) if inside is None else inside
        seen = np.bincount(self.codes[used], minlength=NONE + 1)
        return OutcomeCounts(int(seen[0]), int(seen[1]), int(seen[2]), int((used & ~self.has_row).sum()))


@dataclass(frozen=True, slots=True)
class OutcomeData:
    """Items with an outcome and the runs asked for, with what was left out of the scope.

    `without_standard` counts items whose standard form is empty or equals gold after folding, `without_gold` those
    without gold, `gold_wrong` those whose gold is marked wrong or unreadable.
    """

    revision: int
    alignment_version: str
    query: Query
    items: ItemTable
    runs: tuple[OutcomeRun, ...]
    gold_wrong: int
    without_gold: int
    without_standard: int

    def run(self, name: str) -> OutcomeRun:
        """The run called `system` or `system@condition`; a lone condition other than default needs no name."""
        for one in self.runs:
            if name in (one.run.name, f"{one.run.system}@{one.run.condition}"):
                return one
        alone = [one for one in self.runs if one.run.system == name]
        if len(alone) == 1:
            return alone[0]
        names = ", ".join(one.run.name for one in self.runs) or "none yet"
        raise UsageError(f"unknown system: found {name!r}; expected one of: {names}")

    @property
    def conditions(self) -> tuple[str, ...]:
        """Conditions of the runs, in order of import."""
        return tuple(dict.fromkeys(one.run.condition for one in self.runs))

    def under(self, condition: str) -> tuple[OutcomeRun, ...]:
        """The runs of one condition."""
        return tuple(one for one in self.runs if one.run.condition == condition)


def load_outcomes(project: Project, query: Query) -> OutcomeData:
    """Classify every prediction of `query`. Raises `UsageError` for systems and conditions that are not there.

    With `own_gold` each prediction is held against the gold of its own file; with `missing=error` a missing prediction
    is an empty answer, which is Other.
    """
    with project.read() as connection:
        found, gold_wrong = items_in_scope(connection, query)
        with_gold = [at for at in range(len(found)) if fold_text(found.gold[at] or "")]
        kept = [at for at in with_gold if _differs(found, at)]
        items = found.take(kept)
        runs = read_runs(connection, query.systems, query.conditions)
        coded = tuple(_classified(run, items, read_texts(connection, run.key), query) for run in runs)
        revision = read_revision(connection)
    without_gold = len(found) - len(with_gold)
    without_standard = len(with_gold) - len(kept)
    return OutcomeData(revision, alignment_version(), query, items, coded, gold_wrong, without_gold, without_standard)


def _differs(items: ItemTable, at: int) -> bool:
    standard = items.standard[at]
    return bool(standard) and fold_text(standard) not in ("", fold_text(items.gold[at] or ""))


def _classified(run: RunRow, items: ItemTable, texts: RunTexts, query: Query) -> OutcomeRun:
    missing = MISSING if query.missing is MissingRule.EXCLUDE else _CODE[Outcome.OTHER]
    codes = np.full(len(items), missing, dtype=np.int8)
    has_row = np.zeros(len(items), dtype=bool)
    places = np.searchsorted(items.keys, texts.keys)
    for place, key, predicted, own in zip(
        places.tolist(), texts.keys.tolist(), texts.predicted, texts.own_gold, strict=True
    ):
        if place < len(items) and items.keys[place] == key:
            gold = own if query.own_gold and own is not None else items.gold[place] or ""
            outcome = classify_outcome(gold, items.standard[place], predicted)
            codes[place] = NONE if outcome is None else _CODE[outcome]
            has_row[place] = True
    return OutcomeRun(run, codes, has_row)


def indicator(codes: Codes, outcome: Outcome) -> npt.NDArray[np.float64]:
    """1 where the code is this outcome, else 0."""
    return np.asarray(codes == _CODE[outcome], dtype=np.float64)


def pooled_columns(runs: Sequence[OutcomeRun]) -> npt.NDArray[np.float64]:
    """Per item over all runs: how many answers were Literal, Canonical and Other."""
    codes = np.stack([one.codes for one in runs])
    return np.stack([(codes == code).sum(axis=0) for code in range(len(OUTCOMES))], axis=1).astype(np.float64)
