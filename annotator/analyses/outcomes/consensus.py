"""`report consensus`: which items a panel of systems agrees on, and what the agreed answers are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from annotator.analyses.outcomes.data import OUTCOMES, OutcomeData, load_outcomes
from annotator.errors import UsageError
from annotator.metrics.outcomes import OutcomeCounts, fold_text
from annotator.records import Query
from annotator.stats.intervals import Estimate, wilson_estimate
from annotator.store.project import Project
from annotator.store.reading import read_texts


@dataclass(frozen=True, slots=True)
class Consensus:
    """Agreed answers of a panel: `accepted` of `items`, by outcome. `keys` are the items by outcome, L, C, O.

    `missing` items lack the answer of at least one member and cannot be agreed on. Rates are fractions; undefined is
    `None` and `why` says why.
    """

    panel: tuple[str, ...]
    fold: bool
    items: int
    missing: int
    accepted: int
    coverage: Estimate
    literal: int
    canonical: int
    other: int
    error_rate: Estimate
    keys: tuple[tuple[int, ...], ...]
    project_revision: int
    alignment_version: str
    why: dict[str, str] = field(default_factory=dict)


def report_consensus(project: Project, query: Query, panel: Sequence[str], fold: bool = False) -> Consensus:
    """Items on which every run of `panel` gives the same text.

    Same means equal code point for code point, or with `fold` equal after folding case and white space. Coverage is
    over all items with gold and a standard form that differ. Raises `UsageError` for fewer than two different runs.
    """
    data = load_outcomes(project, query)
    runs = [data.run(name) for name in panel]
    if len({one.run.key for one in runs}) < 2 or len({one.run.key for one in runs}) < len(runs):
        raise UsageError(f"panel: found {', '.join(panel) or 'nobody'}; expected two or more different systems")
    texts = [_texts(project, data, one.run.key) for one in runs]
    same = fold_text if fold else str
    agreed = np.zeros(len(data.items), dtype=bool)
    complete = np.zeros(len(data.items), dtype=bool)
    for at in range(len(agreed)):
        given = [answers.get(int(data.items.keys[at])) for answers in texts]
        present = [text for text in given if text is not None]
        complete[at] = len(present) == len(given)
        agreed[at] = complete[at] and len({same(text) for text in present}) == 1
    codes = runs[0].codes
    keys = tuple(tuple(data.items.keys[agreed & (codes == code)].tolist()) for code in range(len(OUTCOMES)))
    counts = OutcomeCounts(*(len(part) for part in keys))
    errors = wilson_estimate(counts.canonical + counts.other, counts.n)
    coverage = wilson_estimate(counts.n, len(agreed))
    why = {} if counts.n else {"error_rate": "no agreed items"}
    if not len(agreed):
        why["coverage"] = "no items with gold and a standard form that differ"
    return Consensus(
        tuple(one.run.name for one in runs),
        fold,
        len(agreed),
        int((~complete).sum()),
        counts.n,
        coverage,
        counts.literal,
        counts.canonical,
        counts.other,
        errors,
        keys,
        data.revision,
        data.alignment_version,
        why,
    )


def _texts(project: Project, data: OutcomeData, run_key: int) -> dict[int, str]:
    with project.read() as connection:
        texts = read_texts(connection, run_key)
    return dict(zip(texts.keys.tolist(), texts.predicted, strict=True))
