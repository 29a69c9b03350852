"""`report scores`: error rates and accuracies per system and condition, over all items or by an attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored, load_dataset
from annotator.analyses.memo import remembered
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.analyses.severity.loading import RunCharges, belongs_to_raw, load_charges, provider_state
from annotator.analyses.severity.providers import DEFAULT_PROVIDER
from annotator.errors import StoreError
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate
from annotator.stats.intervals import Estimate, wilson_interval
from annotator.store.edgespace import items_with_edge_space
from annotator.store.project import Project
from annotator.store.reading import require_attribute

Mask = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]

NO_ANSWERS = "no answered items with gold"


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One system under one condition (in one group). Rates are fractions; `None` is undefined, `why` says why by key.

    n: answered items with gold. missing: items with gold and no prediction. without_gold: items whose gold is none,
    empty or blank under the profile. edge_space: of n, those with white space at the ends of gold or answer, which counts
    under profile raw alone (0 under every other).
    """

    system: str
    condition: str
    group: str | None
    n: int
    missing: int
    without_gold: int
    edge_space: int
    edits: int
    gold_length: int
    cer: float | None
    cer_low: float | None
    cer_high: float | None
    cer_macro: float | None
    wer: float | None
    one_minus_ned: float | None
    exact: float | None
    exact_low: float | None
    exact_high: float | None
    str_accuracy: float | None
    str_low: float | None
    str_high: float | None
    charitable: float | None
    semcer: float | None = None
    semcer_low: float | None = None
    semcer_high: float | None = None
    why: dict[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The rows, and what they rest on."""

    rows: tuple[ScoreRow, ...]
    by: str
    profile: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str
    gold_wrong: int
    items: int
    provider: str


def report_scores(project: Project, query: Query, by: str = "", provider: str = DEFAULT_PROVIDER) -> ScoreReport:
    """Scores of every run of `query`, in all or for each value of the attribute `by` (items without one: group "").

    semCER is with the severities of `provider`, under profile raw alone: severities belong to its edits. Without a
    provider ("") no edit is charged and semCER is undefined. Raises `UsageError` for unknown systems, conditions,
    profiles, attributes and providers.
    """
    asked = (query, by, provider, provider_state(project, query, provider) if provider else ("", 0.0))
    return remembered(project, "scores 3", asked, ScoreReport, lambda: _build(project, query, by, provider))


def _build(project: Project, query: Query, by: str, provider: str) -> ScoreReport:
    data = load_dataset(project, query)
    clusters = clusters_of(project, data.items, query)
    groups = _groups(project, data, by)
    charges, edges = _charges(project, data, provider), _edge_spaces(project, data)
    rows = tuple(
        replace(score_row(data, scored, name, mask, clusters, charged), edge_space=int((edge & mask).sum()))
        for scored, charged, edge in zip(data.runs, charges, edges, strict=True)
        for name, mask in groups.items()
    )
    return ScoreReport(
        rows,
        by,
        query.profile,
        query.seed,
        query.resamples,
        data.revision,
        data.alignment_version,
        data.left_out.gold_wrong,
        len(data.items),
        provider,
    )


def _edge_spaces(project: Project, data: Dataset) -> list[Mask]:
    """Of each run's answered items, those with white space at the ends; none where the profile drops it."""
    if data.query.profile != "raw":
        return [np.zeros(len(data.items), dtype=bool) for _ in data.runs]
    with project.read() as connection:
        found = [items_with_edge_space(connection, scored.run.key, data.query.own_gold) for scored in data.runs]
    return [
        scored.answered & np.isin(data.items.keys, np.array(keys, dtype=np.int64))
        for scored, keys in zip(data.runs, found, strict=True)
    ]


def _charges(project: Project, data: Dataset, provider: str) -> Sequence[RunCharges | None]:
    if not provider or not belongs_to_raw(data.query):
        return [None] * len(data.runs)
    try:
        return load_charges(project, data, provider)
    except StoreError:
        return [None] * len(data.runs)


def _groups(project: Project, data: Dataset, by: str) -> dict[str | None, Mask]:
    if not by:
        return {None: np.ones(len(data.items), dtype=bool)}
    with project.read() as connection:
        values = require_attribute(connection, by)
    names = np.array([values.get(int(key), "") for key in data.items.keys], dtype=object)
    return {str(name): np.asarray(names == name, dtype=bool) for name in sorted(set(names.tolist()))}


def score_row(
    data: Dataset,
    scored: Scored,
    group: str | None,
    inside: Mask,
    clusters: Codes | None = None,
    charged: RunCharges | None = None,
) -> ScoreRow:
    """The scores of one run over the items of the mask `inside`; `charged` gives semCER, over its scored items."""
    query, scores = data.query, scored.scores
    used = scored.answered & inside
    edits = scored.edits[used].astype(np.float64)
    gold = np.asarray(scores.gold_length)[used].astype(np.float64)
    longer = np.maximum(gold, np.asarray(scores.predicted_length)[used])
    n = int(used.sum())
    rng = rng_for(query.seed, "cer", scored.run.name, *([group] if group else []))
    estimate = bootstrap_rate(edits, gold, rng, query.resamples, None if clusters is None else clusters[used])
    exact, folded, starts = (
        int(np.asarray(a)[used].sum()) for a in (scores.exact, scores.str_exact, scores.charitable)
    )
    exact_interval, str_interval = wilson_interval(exact, n), wilson_interval(folded, n)
    words = int(np.asarray(scores.gold_words)[used].sum())
    semcer = _semcer(data, scored, charged, group, inside, clusters)
    return ScoreRow(
        system=scored.run.system,
        condition=scored.run.condition,
        group=group,
        n=n,
        missing=int((inside & scored.with_gold & ~scored.has_row).sum()),
        without_gold=int((inside & ~scored.with_gold).sum()),
        edge_space=0,
        edits=int(edits.sum()),
        gold_length=int(gold.sum()),
        cer=estimate.value,
        cer_low=estimate.low,
        cer_high=estimate.high,
        cer_macro=float(np.mean(edits / gold)) if n else None,
        wer=_ratio(int(np.asarray(scores.word_edits)[used].sum()), words),
        one_minus_ned=float(np.mean(1 - edits / longer)) if n else None,
        exact=_ratio(exact, n),
        exact_low=exact_interval.low,
        exact_high=exact_interval.high,
        str_accuracy=_ratio(folded, n),
        str_low=str_interval.low,
        str_high=str_interval.high,
        charitable=_ratio(starts, n),
        semcer=semcer.value,
        semcer_low=semcer.low,
        semcer_high=semcer.high,
        why=_why(n, words) | _why_semcer(data.query, charged, inside),
        note=estimate.note,
    )


def _semcer(
    data: Dataset, scored: Scored, charged: RunCharges | None, group: str | None, inside: Mask, clusters: Codes | None
) -> Estimate:
    """semCER over the scored items, drawn with the numbers that `report severity` draws with."""
    used = inside & (charged.scored if charged is not None else False)
    charges = charged.total[used].astype(np.float64) if charged is not None else np.zeros(0)
    gold = np.asarray(scored.scores.gold_length)[used].astype(np.float64)
    rng = rng_for(data.query.seed, "semcer", scored.run.name, *([group] if group else []))
    return bootstrap_rate(charges, gold, rng, data.query.resamples, None if clusters is None else clusters[used])


def _why_semcer(query: Query, charged: RunCharges | None, inside: Mask) -> dict[str, str]:
    if not belongs_to_raw(query):
        return {"semcer": "severities belong to the edits under profile raw against the item's gold"}
    if charged is None:
        return {"semcer": "no severities are computed for these edits"}
    return {} if (charged.scored & inside).any() else {"semcer": "no answer has all its edits charged"}


def _ratio(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _why(n: int, words: int) -> dict[str, str]:
    if not n:
        rates = ("cer", "cer_macro", "wer", "one_minus_ned", "exact", "str_accuracy", "charitable")
        return dict.fromkeys(rates, NO_ANSWERS)
    return {} if words else {"wer": "no gold words"}
