"""Position bias in preferences: is the output that is shown first chosen more often, and does a swap turn an answer?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.stats.intervals import Estimate, wilson_estimate
from annotator.store.study_records import RatingRow

SIDES = ("a", "b")


@dataclass(frozen=True, slots=True)
class PositionBias:
    """`first_chosen`: share of decided answers that chose the output shown first, against one half (`p`, exact binomial).

    Swap test, over pairs that one rater answered twice with the sides swapped: `swapped` pairs, `same` output chosen
    both times, `same_side` (the first or the second both times), and the exact sign test `swap_p` of the two sides among
    the latter. `None` where nothing was answered.
    """

    first_chosen: Estimate
    p: float | None
    swapped: int
    same: int
    same_side: int
    swap_p: float | None
    why: str = ""


def position_bias(rows: Iterable[RatingRow]) -> PositionBias:
    """Position bias over answers by raters who were not withdrawn; attention tasks are left out."""
    used = [r for r in rows if r.value is not None and not r.withdrawn and not r.attention and r.rater_kind == "person"]
    decided = [r for r in used if r.value in SIDES and r.shown_first in SIDES]
    first = sum(r.value == r.shown_first for r in decided)
    by_key = {(r.task_key, r.rater_key, r.repeat): r for r in used}
    pairs = [
        (before, row)
        for (task, rater, repeat), row in by_key.items()
        if repeat
        and (before := by_key.get((task, rater, 0))) is not None
        and {row.shown_first, before.shown_first} == set(SIDES)
    ]
    turned = [(one, two) for one, two in pairs if {one.value, two.value} == set(SIDES)]
    firsts = sum(one.value == one.shown_first for one, _two in turned)
    return PositionBias(
        first_chosen=wilson_estimate(first, len(decided)),
        p=_binomial(first, len(decided)),
        swapped=len(pairs),
        same=sum(one.value == two.value for one, two in pairs),
        same_side=len(turned),
        swap_p=_binomial(firsts, len(turned)),
        why=_undefined(len(decided), len(turned)),
    )


def _undefined(decided: int, turned: int) -> str:
    if not decided:
        return "no decided answers"
    return "" if turned else "no pair answered both ways chose one side both times"


def _binomial(successes: int, n: int) -> float | None:
    if not n:
        return None
    from scipy.stats import binomtest

    return float(binomtest(successes, n, 0.5).pvalue)
