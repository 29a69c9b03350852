"""One confidence per answer, and what kind of number it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from annotator.analyses.dataset import Dataset, Scored
from annotator.analyses.quantities import Floats, confidences, numbers, spread
from annotator.errors import UsageError
from annotator.store.project import Project
from annotator.store.quantities import read_char_confidences, read_confidences
from annotator.store.systems import set_confidence_kind

KINDS = ("softmax", "engine-score", "unknown")
COMBINE: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda values: sum(values) / len(values),
    "min": min,
    "product": math.prod,
}


def answer_confidence(
    project: Project, data: Dataset, scored: Scored, field: str = "", combine: str = "mean"
) -> Floats:
    """A number per item of the dataset, NaN where there is none (shape (items,)).

    Without `field`: the characters' confidences combined by mean (StratiSTR Table 12), min or product (the chance that all
    characters are right, if they were independent probabilities), nulls skipped; else `confidence`.
    """
    if field:
        return numbers(project, data, scored, field)
    if combine == "mean":
        return confidences(project, data, scored)
    with project.read() as connection:
        whole = read_confidences(connection, scored.run.key)
        lists = read_char_confidences(connection, scored.run.key)
    known = {key: [value for value in values if value is not None] for key, values in lists.items()}
    return spread(data, {**whole, **{key: COMBINE[combine](values) for key, values in known.items() if values}})


def say_confidence_kind(project: Project, system: str, kind: str) -> None:
    """Say what a system's confidences are: softmax (probabilities), engine-score (an order and no more) or unknown.

    Raises `UsageError` for another kind or an unknown system.
    """
    if kind not in KINDS:
        raise UsageError(f"kind of confidence: found {kind!r}; expected one of {', '.join(KINDS)}")
    with project.write() as connection:
        if not set_confidence_kind(connection, system, kind):
            raise UsageError(f"unknown system: found {system!r}. See `report scores` for the names.")
