"""`report traces`: whether the reasoning before an answer names gold, the standard form, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import regex

from annotator.analyses.outcomes.data import OUTCOMES, OutcomeData, OutcomeRun, load_outcomes
from annotator.metrics.outcomes import Outcome, fold_text
from annotator.records import Query
from annotator.stats.intervals import wilson_estimate
from annotator.store.project import Project
from annotator.store.systems import read_reasoning


class Named(StrEnum):
    """What a reasoning text holds as whole words, after folding case and white space."""

    BOTH = "both"
    GOLD = "gold"
    STANDARD = "standard"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One run and outcome: `n` answers with reasoning, how many name which text; `keys` are the items behind each.

    `both_share` is the share that names both, with its Wilson interval. `without` answers have no reasoning.
    """

    system: str
    condition: str
    outcome: str
    n: int
    without: int
    both: int
    gold: int
    standard: int
    neither: int
    both_share: float | None
    low: float | None
    high: float | None
    keys: dict[str, tuple[int, ...]]
    why: str = ""


@dataclass(frozen=True, slots=True)
class TraceReport:
    """Rows for every run that has reasoning at all."""

    rows: tuple[TraceRow, ...]
    project_revision: int
    alignment_version: str
    why: dict[str, str] = field(default_factory=dict)


def report_traces(project: Project, query: Query) -> TraceReport:
    """Reasoning by outcome. Gold and the standard form are looked for as whole words, case and white space folded."""
    data = load_outcomes(project, query)
    rows: list[TraceRow] = []
    for one in data.runs:
        with project.read() as connection:
            reasoning = read_reasoning(connection, one.run.key)
        if reasoning:
            named = _named(data, reasoning)
            rows += [_row(data, one, named, code) for code in range(len(OUTCOMES))]
    why = {} if rows else {"rows": "no prediction has reasoning (a column reasoning, thinking or trace)"}
    return TraceReport(tuple(rows), data.revision, data.alignment_version, why)


def names_in(reasoning: str, gold: str, standard: str) -> Named:
    """What of gold and the standard form a reasoning text holds as whole words."""
    folded = fold_text(reasoning)
    has_gold, has_standard = _holds(folded, fold_text(gold)), _holds(folded, fold_text(standard))
    if has_gold and has_standard:
        return Named.BOTH
    if has_gold:
        return Named.GOLD
    return Named.STANDARD if has_standard else Named.NEITHER


def _holds(text: str, word: str) -> bool:
    return (
        bool(word)
        and regex.search(rf"(?<![\p{{L}}\p{{N}}\p{{M}}]){regex.escape(word)}(?![\p{{L}}\p{{N}}\p{{M}}])", text)
        is not None
    )


def _named(data: OutcomeData, reasoning: dict[int, str]) -> Sequence[Named | None]:
    found: list[Named | None] = []
    for at in range(len(data.items)):
        text = reasoning.get(int(data.items.keys[at]))
        found.append(None if text is None else names_in(text, data.items.gold[at] or "", data.items.standard[at]))
    return found


def _row(data: OutcomeData, one: OutcomeRun, named: Sequence[Named | None], code: int) -> TraceRow:
    places = np.flatnonzero((one.codes == code) & one.has_row).tolist()
    keys = {name.value: tuple(int(data.items.keys[at]) for at in places if named[at] == name) for name in Named}
    n = sum(len(part) for part in keys.values())
    share = wilson_estimate(len(keys["both"]), n)
    outcome: Outcome = OUTCOMES[code]
    return TraceRow(
        one.run.system,
        one.run.condition,
        outcome.value,
        n,
        len(places) - n,
        len(keys["both"]),
        len(keys["gold"]),
        len(keys["standard"]),
        len(keys["neither"]),
        share.value,
        share.low,
        share.high,
        keys,
        "" if n else "no answer of this outcome has reasoning",
    )
