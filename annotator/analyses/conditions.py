"""Conditions as prompts: the best one per system among those marked deployment-realistic (BanglaWild, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotator.analyses.dataset import Dataset, Scored
from annotator.metrics.rates import Metric, pooled

REALISTIC, ORACLE = "realistic", "oracle"
FALLING = frozenset({Metric.CER, Metric.WER})
ALL_ORACLE = "every condition of this system is marked oracle"
NO_ORACLE = "no condition of this system is marked as oracle"
NONE_ANSWERED = "no item was answered under every one of these conditions"


@dataclass(frozen=True, slots=True)
class BestCondition:
    """The condition with the best value of `metric` (lowest CER or WER, highest of the others) of one system.

    `chosen_from`: the conditions that took part: those marked realistic, or all but the oracle ones when none is
    marked. They are compared on the `n` items that were answered under all of them. `oracle_value`: the best of the oracle
    conditions, on the `oracle_n` items answered under all of those, for reference only. Ties go to the first condition.
    """

    system: str
    metric: str
    condition: str | None
    value: float | None
    n: int
    chosen_from: tuple[str, ...]
    oracle_condition: str | None
    oracle_value: float | None
    oracle_n: int
    why: str = ""
    oracle_why: str = ""


def best_conditions(data: Dataset, metric: str = Metric.CER) -> tuple[BestCondition, ...]:
    """The best condition of every system of `data` that has several conditions."""
    by_system: dict[str, list[Scored]] = {}
    for scored in data.runs:
        by_system.setdefault(scored.run.system, []).append(scored)
    return tuple(_best(system, runs, metric) for system, runs in by_system.items() if len(runs) > 1)


def _best(system: str, runs: list[Scored], metric: str) -> BestCondition:
    marked = [scored for scored in runs if scored.run.role == REALISTIC]
    oracle = [scored for scored in runs if scored.run.role == ORACLE]
    candidates = marked or [scored for scored in runs if scored.run.role != ORACLE]
    best, n = _first_of(candidates, metric)
    best_oracle, oracle_n = _first_of(oracle, metric)
    return BestCondition(
        system=system,
        metric=str(metric),
        condition=best[0].run.condition if best else None,
        value=best[1] if best else None,
        n=n,
        chosen_from=tuple(scored.run.condition for scored in candidates),
        oracle_condition=best_oracle[0].run.condition if best_oracle else None,
        oracle_value=best_oracle[1] if best_oracle else None,
        oracle_n=oracle_n,
        why="" if best else (NONE_ANSWERED if candidates else ALL_ORACLE),
        oracle_why="" if best_oracle else (NONE_ANSWERED if oracle else NO_ORACLE),
    )


def _first_of(runs: list[Scored], metric: str) -> tuple[tuple[Scored, float] | None, int]:
    """The best run on the items that all of `runs` answered, with its value, and how many items those are."""
    if not runs:
        return None, 0
    both = np.logical_and.reduce([scored.answered for scored in runs])
    values = [(scored, pooled(scored.scores.select(both), metric).value) for scored in runs]
    defined = [(scored, value) for scored, value in values if value is not None]
    sign = 1 if metric in FALLING else -1
    return min(defined, key=lambda pair: sign * pair[1], default=None), int(both.sum())
