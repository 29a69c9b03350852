"""`report providers A B`: do two sources of severities order edits alike, and whom do readers follow where they override CER?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import load_items
from annotator.analyses.sampling import clusters_of, rng_for
from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.preferences import OverrideRow, report_preferences
from annotator.analyses.severity.readable import without_writing
from annotator.analyses.severity.wordlists import primary_language
from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.intervals import Estimate
from annotator.stats.partial import clustered_spearman
from annotator.stats.resample import use_clusters
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import read_shared

ALL = "all"
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TwoProvidersRow:
    """The `n` edits of `items` items that both providers charge, in one language or in all (`all`).

    `spearman` is the correlation of the two severities, with an interval over documents (items where there are fewer than five);
    `mean_difference` is A minus B, `mean_absolute_difference` without its sign.
    """

    language: str
    n: int
    items: int
    spearman: Estimate
    mean_a: float | None
    mean_b: float | None
    mean_difference: float | None
    mean_absolute_difference: float | None


@dataclass(frozen=True, slots=True)
class TwoProvidersReport:
    """Two providers on the edits that both charge; `overrides` where a preference study is given: the pairs of outputs
    on which each picks the output that CER rejects, and the readers' agreement with it there."""

    rows: tuple[TwoProvidersRow, ...]
    overrides: tuple[OverrideRow, ...]
    a: str
    b: str
    study: str
    seed: int
    resamples: int
    project_revision: int


@without_writing
def report_two_providers(project: Project, query: Query, a: str, b: str, study: str = "") -> TwoProvidersReport:
    """Hold provider `a` against provider `b` (semCER, section C.3), over the runs and items of `query`.

    Raises `UsageError` for an unknown provider or study, and when `a` is `b`.
    """
    if a == b:
        raise UsageError(f"found {a!r} twice; expected two different severity providers")
    items = load_items(project, query)
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    keys = [require_provider(project, name, runs).key for name in (a, b)]
    with project.read() as connection:
        shared = read_shared(connection, *keys)
    at = np.searchsorted(items.items.keys, shared[:, 0])
    inside = np.isin(shared[:, 0], items.items.keys) & np.isin(shared[:, 1], [run.key for run in runs])
    shared, at = shared[inside], at[inside]
    codes, _ = use_clusters(clusters_of(project, items.items, query))
    cluster = at if codes is None else codes[at]
    names = _languages(items.items.language, items.items.gold)
    groups = {ALL: np.ones(len(at), dtype=bool)} | {
        name: names[at] == name for name in sorted(set(names[at].tolist())) if name
    }
    rows = tuple(
        _row(query, name, (a, b), shared[chosen], at[chosen], cluster[chosen])
        for name, chosen in groups.items()
        if name == ALL or len(groups) > 2
    )
    over = report_preferences(project, query, study, (a, b)).overrides if study else ()
    return TwoProvidersReport(rows, over, a, b, study, query.seed, query.resamples, items.revision)


def _languages(tags: tuple[str, ...], golds: tuple[str | None, ...]) -> npt.NDArray[np.object_]:
    return np.array([primary_language(tag, gold or "") for tag, gold in zip(tags, golds, strict=True)], dtype=object)


def _row(
    query: Query,
    language: str,
    names: tuple[str, str],
    shared: Floats,
    item: npt.NDArray[np.intp],
    cluster: npt.NDArray[np.intp],
) -> TwoProvidersRow:
    one, other = shared[:, 2], shared[:, 3]
    rng = rng_for(query.seed, "two providers", *names, language)
    codes = np.unique(cluster, return_inverse=True)[1]
    found = clustered_spearman(one, other, codes, rng, query.resamples)
    some = len(one) > 0
    return TwoProvidersRow(
        language,
        len(one),
        len(np.unique(item)),
        found,
        float(one.mean()) if some else None,
        float(other.mean()) if some else None,
        float((one - other).mean()) if some else None,
        float(np.abs(one - other).mean()) if some else None,
    )
