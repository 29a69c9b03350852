"""Agreement of raters: Krippendorff's alpha, ICC(2,k), Cohen's kappa per pair. Undefined is said, never 0 or 1.

The figures come from `krippendorff`, `pingouin` and scikit-learn; only the item bootstrap of alpha is ours, because
alpha is a function of coincidence counts that add over items (Krippendorff 2019, chapter 12).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from annotator.errors import UsageError
from annotator.stats.alpha import Level, alpha_interval, krippendorff_alpha
from annotator.stats.intervals import Interval
from annotator.stats.resample import Floats

Value = float | int | str | None
MIN_SHARE = 0.5
ALPHA_RESAMPLES = 10_000

ALL_EQUAL = "all ratings are equal"
ONE_RATER = "fewer than two raters"
NO_OVERLAP = "no item was rated by two raters"

_ICC_MOST = 1 + 1e-9
BEYOND_ONE = "raters differ within items more than items differ: the formula's denominator is negative"
_PINGOUIN_RATINGS = 5
# pingouin's name of ICC(2,k), until 0.5 and from 0.6 on.
_ICC2K_NAMES = ("ICC2k", "ICC(A,k)")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of the chosen raters.

    `alpha` with the ends of its 95 % item-bootstrap interval; `icc2k` over the `icc_items` items that all
    `icc_raters` chosen raters answered; `kappa` per pair of raters, key `"r1|r2"` with the names sorted as text:
    unweighted for nominal, quadratic weights otherwise. A figure that is undefined is `None` and `why` says why under
    its name (`alpha`, `icc2k`, `kappa`, `kappa r1|r2`). `items`, `raters` and `ratings` are what was used; raters
    under the smallest share are in `dropped_raters`, second ratings of one item by one rater in `repeats`.
    """

    level: Level
    alpha: float | None
    alpha_low: float | None
    alpha_high: float | None
    icc2k: float | None
    icc_items: int
    icc_raters: int
    kappa: dict[str, float | None]
    items: int
    raters: int
    ratings: int
    dropped_raters: tuple[str, ...] = ()
    repeats: int = 0
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Table:
    """Chosen ratings as codes: raters x items, NaN missing. `levels` are the values behind the codes, ascending."""

    codes: Floats
    levels: tuple[float | str, ...]
    raters: tuple[str, ...]
    dropped: tuple[str, ...]
    repeats: int

    @property
    def numbers(self) -> Floats | None:
        """The ratings as numbers, or `None` for text values."""
        if any(isinstance(level, str) for level in self.levels):
            return None
        known = np.asarray([*self.levels, np.nan], dtype=np.float64)
        return np.asarray(known[np.where(np.isnan(self.codes), -1, self.codes).astype(np.int64)])


def rate_agreement(
    ratings: Iterable[tuple[str, str, Value]],
    level: str,
    min_share: float = MIN_SHARE,
    rng: np.random.Generator | None = None,
    resamples: int = ALPHA_RESAMPLES,
) -> Agreement:
    """Agreement of (item, rater, value) ratings at a level of measurement (`ordinal`, `nominal` or `interval`).

    A value of `None` or `""` is a missing rating. Chosen raters are those who rated at least `min_share` of the rated
    items. Of several ratings of one item by one rater the first counts. Ordinal and interval values are numbers or
    text that reads as a number; nominal values may be any text. The bootstrap of alpha takes `rng` (seed 0 when none).

    Raises `UsageError` for an unknown level, a share outside 0..1, or a value that is not a number where one is needed.
    """
    scale = _level(level)
    if not 0 <= min_share <= 1:
        raise UsageError(f"Agreement: found a smallest share of {min_share}; expected a number from 0 to 1.")
    table = _build_table(ratings, scale, min_share)
    why: dict[str, str] = {}
    alpha, interval = _alpha(table, scale, rng or np.random.default_rng(0), resamples, why)
    icc, complete = _icc2k(table, why)
    return Agreement(
        level=scale,
        alpha=alpha,
        alpha_low=interval.low,
        alpha_high=interval.high,
        icc2k=icc,
        icc_items=complete,
        icc_raters=len(table.raters),
        kappa=_kappas(table, scale, why),
        items=int((~np.isnan(table.codes)).any(axis=0).sum()),
        raters=len(table.raters),
        ratings=int((~np.isnan(table.codes)).sum()),
        dropped_raters=table.dropped,
        repeats=table.repeats,
        why=why,
    )


def _level(level: str) -> Level:
    try:
        return Level(level)
    except ValueError:
        raise UsageError(
            f"Agreement: found level {level!r}; expected one of {', '.join(one.value for one in Level)}."
        ) from None


def _build_table(ratings: Iterable[tuple[str, str, Value]], level: Level, min_share: float) -> _Table:
    kept: dict[tuple[str, str], float | str] = {}
    repeats = 0
    for item, rater, value in ratings:
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        key = (str(item), str(rater))
        if key in kept:
            repeats += 1
        else:
            kept[key] = _number_or_text(value, level)
    values = _one_type(kept)
    items = list(dict.fromkeys(item for item, _ in values))
    rated = dict.fromkeys(sorted({rater for _, rater in values}), 0)
    for _, rater in values:
        rated[rater] += 1
    chosen = tuple(rater for rater, n in rated.items() if n >= min_share * len(items))
    used = {key: value for key, value in values.items() if key[1] in set(chosen)}
    levels = tuple(sorted(set(used.values()), key=lambda value: (isinstance(value, str), value)))
    place = {value: at for at, value in enumerate(levels)}
    row = {rater: at for at, rater in enumerate(chosen)}
    column = {item: at for at, item in enumerate(items)}
    codes = np.full((len(chosen), len(items)), np.nan)
    for (item, rater), value in used.items():
        codes[row[rater], column[item]] = place[value]
    return _Table(codes, levels, chosen, tuple(rater for rater in rated if rater not in row), repeats)


def _number_or_text(value: float | int | str, level: Level) -> float | str:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if math.isfinite(number):
        return number
    if level is Level.NOMINAL:
        return str(value).strip()
    raise UsageError(f"Agreement: found the value {value!r}; expected a number at the {level.value} level.")


def _one_type(values: dict[tuple[str, str], float | str]) -> dict[tuple[str, str], float | str]:
    """Numbers stay numbers only when every value is one: among choices, `1` is a name like any other."""
    if not any(isinstance(value, str) for value in values.values()):
        return values
    return {key: value if isinstance(value, str) else f"{value:g}" for key, value in values.items()}


def _alpha(
    table: _Table, level: Level, rng: np.random.Generator, resamples: int, why: dict[str, str]
) -> tuple[float | None, Interval]:
    reason = _why_undefined(table)
    if reason:
        why["alpha"] = reason
        return None, Interval(None, None)
    numbers = table.numbers
    alpha = krippendorff_alpha(table.codes if numbers is None else numbers, level)
    return alpha, alpha_interval(table.codes, numbers, level, rng, resamples)


def _why_undefined(table: _Table) -> str:
    """Why no agreement can be measured at all, or `""`."""
    if len(table.raters) < 2:
        return ONE_RATER
    pairable = table.codes[:, (~np.isnan(table.codes)).sum(axis=0) >= 2]
    if not pairable.size:
        return NO_OVERLAP
    return ALL_EQUAL if np.nanmin(pairable) == np.nanmax(pairable) else ""


def _icc2k(table: _Table, why: dict[str, str]) -> tuple[float | None, int]:
    """ICC(2,k) over the items that every chosen rater answered, and how many those are."""
    complete = ~np.isnan(table.codes).any(axis=0) if len(table.raters) else np.zeros(0, dtype=bool)
    items = int(complete.sum())
    numbers = table.numbers
    if numbers is None:
        why["icc2k"] = "the ratings are text, not numbers"
    elif len(table.raters) < 2:
        why["icc2k"] = ONE_RATER
    elif items < 2:
        why["icc2k"] = f"{items} items were rated by all {len(table.raters)} raters; at least 2 are needed"
    elif np.ptp(numbers[:, complete]) == 0:
        why["icc2k"] = ALL_EQUAL
    elif items * len(table.raters) < _PINGOUIN_RATINGS:
        why["icc2k"] = f"fewer than {_PINGOUIN_RATINGS} ratings"
    else:
        value = _pingouin_icc2k(numbers[:, complete])
        if math.isfinite(value) and value <= _ICC_MOST:
            return value, items
        why["icc2k"] = BEYOND_ONE if math.isfinite(value) else "items and raters do not vary enough"
    return None, items


def _pingouin_icc2k(ratings: Floats) -> float:
    """ICC(2,k) of a full raters x items matrix."""
    with warnings.catch_warnings():
        # pingouin 0.7 calls pandas in a way that pandas 3 announces to drop, and divides by 0 in degenerate tables.
        warnings.simplefilter("ignore")
        import pandas as pd
        import pingouin

        raters, items = ratings.shape
        long = pd.DataFrame(
            {
                "item": np.tile(np.arange(items), raters),
                "rater": np.repeat(np.arange(raters), items),
                "value": ratings.ravel(),
            }
        )
        result = pingouin.intraclass_corr(data=long, targets="item", raters="rater", ratings="value")
    return float(result.loc[result["Type"].isin(_ICC2K_NAMES), "ICC"].iloc[0])


def _kappas(table: _Table, level: Level, why: dict[str, str]) -> dict[str, float | None]:
    kappas: dict[str, float | None] = {}
    values = table.numbers if level is Level.INTERVAL else None
    for one, other in combinations(range(len(table.raters)), 2):
        key = f"{table.raters[one]}|{table.raters[other]}"
        both = ~np.isnan(table.codes[[one, other]]).any(axis=0)
        if not both.any():
            kappas[key], why[f"kappa {key}"] = None, "no item was rated by both"
            continue
        if values is not None:
            kappa = quadratic_kappa(values[one, both], values[other, both])
        else:
            kappa = _cohen_kappa(table.codes[one, both], table.codes[other, both], level, len(table.levels))
        if not math.isfinite(kappa):
            kappas[key], why[f"kappa {key}"] = None, "both gave one and the same value to every item"
            continue
        kappas[key] = kappa
    if len(table.raters) < 2:
        why["kappa"] = ONE_RATER
    return kappas


def _cohen_kappa(a: Floats, b: Floats, level: Level, levels: int) -> float:
    from sklearn.metrics import cohen_kappa_score

    if len({*a, *b}) == 1:
        return math.nan
    weights = None if level is Level.NOMINAL else "quadratic"
    return float(cohen_kappa_score(a.astype(int), b.astype(int), labels=list(range(levels)), weights=weights))


def quadratic_kappa(a: Floats, b: Floats) -> float:
    """Cohen's kappa weighted by squared distance of the values themselves (Cohen 1968): 1 - seen / expected distance.

    Equals scikit-learn's quadratic kappa when the values are evenly spaced. NaN when both sides hold one same value.
    """
    seen = float(np.mean((a - b) ** 2))
    expected = float(np.var(a) + np.var(b) + (np.mean(a) - np.mean(b)) ** 2)
    return math.nan if expected == 0 else 1 - seen / expected
