"""What a cell or a comparison measures: a metric of the texts, a confidence, or a numeric column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored
from annotator.errors import UsageError
from annotator.metrics.rates import Metric, item_parts
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.quantities import extra_names, read_char_confidences, read_confidences, read_extra
from annotator.store.reading import attribute_names, read_attribute

CONFIDENCE = "confidence"
CHAR_CONFIDENCE = "char_confidence"
SEMCER = "semcer"
DEFAULT_PROVIDER = "rubric"
YES_NO = frozenset({Metric.EXACT.value, Metric.STR_ACCURACY.value, Metric.CHARITABLE.value})

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity per item of a dataset: `total / weight` pooled over any items is its value (shapes (items,)).

    `weight` is 0 where the item is not measured: no answer, blank gold, or no number.
    """

    name: str
    total: Floats
    weight: Floats

    @property
    def measured(self) -> npt.NDArray[np.bool_]:
        """Which items are measured."""
        return self.weight > 0


def measure(project: Project, data: Dataset, scored: Scored, metric: str = "") -> Quantity:
    """The quantity `metric` of one run: a metric of the texts (default STR word accuracy), `confidence`
    (as `confidences`), `char_confidence` (mean per answer), `semcer` or `semcer:PROVIDER` (severities / gold graphemes), or the name of a numeric column of the predictions or the items.

    Raises `UsageError` for a name that is none of these, naming those there are.
    """
    name = metric or Metric.STR_ACCURACY.value
    if name in {known.value for known in Metric}:
        parts = item_parts(scored.scores, name)
        return Quantity(name, parts.numerator * scored.answered, parts.denominator * scored.answered)
    if name.partition(":")[0] == SEMCER:
        return _measure_semcer(project, data, scored, name)
    combined = name == CONFIDENCE
    values = confidences(project, data, scored) if combined else numbers(project, data, scored, name)
    given = scored.answered & ~np.isnan(values)
    return Quantity(name, np.where(given, values, 0.0), given.astype(np.float64))


def _measure_semcer(project: Project, data: Dataset, scored: Scored, name: str) -> Quantity:
    """Severities over gold graphemes, where every edit of the answer is charged."""
    from annotator.analyses.severity.loading import load_charges

    (charges,) = load_charges(project, replace(data, runs=(scored,)), _provider(name))
    weight = np.asarray(scored.scores.gold_length, dtype=np.float64) * charges.scored
    return Quantity(name, charges.total * charges.scored, weight)


def _provider(name: str) -> str:
    return name.partition(":")[2] or DEFAULT_PROVIDER


def quantity_state(project: Project, query: Query, metric: str) -> tuple[str, float]:
    """What a remembered report depends on beside the revision: the version and last write of the severities it reads."""
    if metric.partition(":")[0] != SEMCER:
        return "", 0.0
    from annotator.analyses.severity.loading import belongs_to_raw, provider_state

    if not belongs_to_raw(query):
        raise UsageError(
            "metric semcer: severities belong to profile raw and the items' golds; leave --profile and --own-gold out"
        )
    return provider_state(project, query, _provider(metric))


def numbers(project: Project, data: Dataset, scored: Scored, name: str) -> Floats:
    """A number per item of the dataset, NaN where there is none (shape (items,))."""
    if name == CONFIDENCE:
        with project.read() as connection:
            return spread(data, read_confidences(connection, scored.run.key))
    if name == CHAR_CONFIDENCE:
        return spread(data, _mean_char_confidences(project, scored))
    with project.read() as connection:
        extra = read_extra(connection, scored.run.key, name)
        texts = extra or read_attribute(connection, name)
    found = {key: value for key, text in texts.items() if (value := _number(text)) is not None}
    known = number_names(project)
    if not found and name not in known:
        raise UsageError(f"metric: found {name!r}; expected one of {', '.join((*Metric, SEMCER, *known))}")
    return spread(data, found)


def confidences(project: Project, data: Dataset, scored: Scored) -> Floats:
    """An answer's confidence: the mean of its `char_confidence` (nulls skipped) where given, else `confidence`.

    NaN where neither is given (shape (items,)). Source: StratiSTR Table 12, mean per-position top-1 confidence.
    """
    with project.read() as connection:
        whole = read_confidences(connection, scored.run.key)
    return spread(data, {**whole, **_mean_char_confidences(project, scored)})


def _mean_char_confidences(project: Project, scored: Scored) -> dict[int, float]:
    with project.read() as connection:
        lists = read_char_confidences(connection, scored.run.key)
    given = {key: [value for value in values if value is not None] for key, values in lists.items()}
    return {key: sum(values) / len(values) for key, values in given.items() if values}


def spread(data: Dataset, values: Mapping[int, float]) -> Floats:
    """Values by item key as an array over the dataset's items, NaN where there is none."""
    return np.array([values.get(key, math.nan) for key in data.items.keys.tolist()], dtype=np.float64)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def number_names(project: Project) -> tuple[str, ...]:
    """The confidences and the further columns of predictions and items, any of which may hold numbers."""
    with project.read() as connection:
        columns = dict.fromkeys((*extra_names(connection), *attribute_names(connection)))
    return (CONFIDENCE, CHAR_CONFIDENCE, *(name for name in columns if name not in _NAMES))


_NAMES = ("benchmark", "language", "split", "document")
