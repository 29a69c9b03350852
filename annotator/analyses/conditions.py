"""Conditions as prompts: the best one per system among those marked deployment-realistic (BanglaWild, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.analyses.dataset import Dataset, Scored
from annotator.metrics.rates import Metric, pooled
from annotator.records import Query
from annotator.store.project import Project

REALISTIC, ORACLE = "realistic", "oracle"
FALLING = frozenset({Metric.CER, Metric.WER})
ALL_ORACLE = "every condition of this system is marked oracle"
NONE_ANSWERED = "no condition has answers to items with gold"


@dataclass(frozen=True, slots=True)
class BestCondition:
    """The condition with the best value of `metric` (lowest CER or WER, highest of the others) of one system.

    `chosen_from`: the conditions that took part: those marked realistic, or all but the oracle ones when none is
    marked. `oracle`: the best value of an oracle condition, for reference only. Ties go to the first condition.
    """

    system: str
    metric: str
    condition: str | None
    value: float | None
    n: int
    chosen_from: tuple[str, ...]
    oracle_condition: str | None
    oracle_value: float | None
    why: str = ""


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
    best, best_oracle = _first_of(candidates, metric), _first_of(oracle, metric)
    return BestCondition(
        system=system,
        metric=str(metric),
        condition=best[0].run.condition if best else None,
        value=best[1] if best else None,
        n=best[0].n if best else 0,
        chosen_from=tuple(scored.run.condition for scored in candidates),
        oracle_condition=best_oracle[0].run.condition if best_oracle else None,
        oracle_value=best_oracle[1] if best_oracle else None,
        why="" if best else (NONE_ANSWERED if candidates else ALL_ORACLE),
    )


def _first_of(runs: list[Scored], metric: str) -> tuple[Scored, float] | None:
    values = [(scored, pooled(scored.scores.select(scored.answered), metric).value) for scored in runs]
    defined = [(scored, value) for scored, value in values if value is not None]
    sign = 1 if metric in FALLING else -1
    return min(defined, key=lambda pair: sign * pair[1], default=None)


def condition_roles(project: Project, query: Query) -> dict[str, str]:
    """What the user said of each condition: `realistic`, `oracle` or nothing."""
    from annotator.store.reading import read_runs

    with project.read() as connection:
        return {run.condition: run.role for run in read_runs(connection, query.systems)}
