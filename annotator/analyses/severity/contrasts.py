"""`report equal-count` and `report load`: what the same number of edits costs, by system and by language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, load_dataset, load_items
from annotator.analyses.sampling import Codes, clusters_of, rng_for
from annotator.analyses.severity.loading import load_charges, require_provider
from annotator.analyses.severity.readable import without_writing
from annotator.analyses.severity.wordlists import primary_language
from annotator.errors import UsageError
from annotator.metrics.severity.classes import EditClass, classify_edit
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate, bootstrap_rate_difference
from annotator.stats.intervals import Estimate
from annotator.stats.paired import holm
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import ChargedEdit, iter_charged

FEWEST, MOST = 1, 5
WITHOUT_MARKS = frozenset({"zh", "yue", "wuu"})
"""Languages whose script has no marks: a marked letter in their texts is a foreign word's, and not their smallest edit."""


@dataclass(frozen=True, slots=True)
class EqualCountRow:
    """Two runs in one language on the `n` lines where both make the same number of edits, 1 to 5.

    a, b: mean severity an edit; difference = a - b with its paired interval; p as the bootstrap gives it, p_holm after
    Holm's correction over all rows of the report.
    """

    a: str
    b: str
    language: str
    n: int
    edits: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EqualCountReport:
    """Rows per pair of runs and language."""

    rows: tuple[EqualCountRow, ...]
    provider: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str


@without_writing
def report_equal_count(project: Project, query: Query, provider: str, a: str = "", b: str = "") -> EqualCountReport:
    """The equal-count contrast (semCER, section D.1) of runs `a` and `b`, or of every two runs.

    Lines that the provider did not charge in full are left out. Raises `UsageError` for an unknown run.
    """
    data = load_dataset(project, query)
    names = [data.run(name).run.name for name in (a, b) if name]
    if len(names) == 1:
        raise UsageError(f"equal-count: found one system, {names[0]}; expected two, or none for every two")
    charges = dict(zip([s.run.name for s in data.runs], load_charges(project, data, provider), strict=True))
    clusters = clusters_of(project, data.items, query)
    groups = _by_language(data)
    rows = []
    for one, two in [tuple(names)] if names else combinations(charges, 2):
        first, second = charges[one], charges[two]
        same = first.scored & second.scored & (first.edits == second.edits)
        same &= (first.edits >= FEWEST) & (first.edits <= MOST)
        for language, inside in groups.items():
            used = same & inside
            rng = rng_for(query.seed, "equal-count", one, two, language)
            sides = [(c.total[used], c.edits[used].astype(float)) for c in (first, second)]
            found = bootstrap_rate_difference(
                sides[0], sides[1], rng, query.resamples, None if clusters is None else clusters[used]
            )
            why = (
                {} if found.difference is not None else {"difference": "no line where both make the same 1 to 5 edits"}
            )
            rows.append(
                EqualCountRow(
                    one, two, language, int(used.sum()), int(first.edits[used].sum()), found.a, found.b,
                    found.difference, found.low, found.high, found.p, None, why,
                )
            )  # fmt: skip
    return EqualCountReport(
        _corrected(rows), provider, query.seed, query.resamples, data.revision, data.alignment_version
    )


def _by_language(data: Dataset) -> dict[str, npt.NDArray[np.bool_]]:
    found = np.array(
        [primary_language(tag, gold or "") for tag, gold in zip(data.items.language, data.items.gold, strict=True)],
        dtype=object,
    )
    return {str(name): np.asarray(found == name, dtype=bool) for name in sorted(set(found.tolist()))}


def _corrected(rows: list[EqualCountRow]) -> tuple[EqualCountRow, ...]:
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    corrected = dict(zip(tested, holm([rows[at].p or 0.0 for at in tested]), strict=True))
    return tuple(replace(row, p_holm=corrected.get(at)) for at, row in enumerate(rows))


@dataclass(frozen=True, slots=True)
class LoadRow:
    """One language, over `lines` answers with 1 to 5 edits that are all charged.

    `mark_only`, `content`, `edit`: mean severity of a mark-only edit, of another letter substituted, of any edit; each
    with its n and interval. `load` is the first of the two that the language has (Chinese has no marks, whatever foreign words its lines hold).
    """

    language: str
    lines: int
    mark_only: Estimate
    content: Estimate
    edit: Estimate
    load: float | None
    load_is: str


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Rows by language, dearest first; `rank_correlation` of load and severity an edit over languages with marks."""

    rows: tuple[LoadRow, ...]
    rank_correlation: float | None
    languages: int
    provider: str
    seed: int
    resamples: int
    project_revision: int
    why: dict[str, str] = field(default_factory=dict)


@without_writing
def report_load(project: Project, query: Query, provider: str) -> LoadReport:
    """The grapheme load by language (semCER, section D.2), pooled over the runs of `query`."""
    scope = load_items(project, query)
    clusters = clusters_of(project, scope.items, query)
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    row = require_provider(project, provider, runs)
    lines: dict[str, list[tuple[int, list[ChargedEdit]]]] = defaultdict(list)
    at_item = {int(key): at for at, key in enumerate(scope.items.keys)}
    for edits in _whole_lines(project, row.key, {run.key for run in runs}):
        at = at_item.get(edits[0].item_key)
        if at is not None and FEWEST <= len(edits) <= MOST:
            lines[primary_language(scope.items.language[at], scope.items.gold[at] or "")].append((at, edits))
    rows = [_load_row(query, name, found, clusters) for name, found in lines.items()]
    rows.sort(key=lambda one: -(one.edit.value or 0))
    marked = [(r.load, r.edit.value) for r in rows if r.load_is == "mark-only" and r.load is not None]
    return LoadReport(
        tuple(rows), _rank(marked), len(marked), provider, query.seed, query.resamples, scope.revision,
        {} if len(marked) > 2 else {"rank_correlation": "fewer than three languages with mark-only edits"},
    )  # fmt: skip


def _whole_lines(project: Project, provider_key: int, run_keys: set[int]) -> Iterator[list[ChargedEdit]]:
    """The charged edits of each answer that is charged in full, answer by answer."""
    with project.read() as connection:
        held: list[ChargedEdit] = []
        for edit in iter_charged(connection, provider_key):
            if held and edit.prediction_key != held[0].prediction_key:
                yield held
                held = []
            if edit.run_key in run_keys:
                held.append(edit)
        if held:
            yield held


def _load_row(
    query: Query, language: str, lines: list[tuple[int, list[ChargedEdit]]], clusters: Codes | None
) -> LoadRow:
    def mean(kind: EditClass | None) -> Estimate:
        chosen = [[e for e in edits if kind in (None, classify_edit(e.gold, e.predicted))] for _, edits in lines]
        total = np.array([sum(e.severity for e in edits) for edits in chosen])
        count = np.array([len(edits) for edits in chosen], dtype=np.float64)
        codes = None if clusters is None else clusters[[at for at, _ in lines]]
        found = bootstrap_rate(total, count, rng_for(query.seed, "load", language, str(kind)), query.resamples, codes)
        return replace(found, n=int(count.sum()))

    marks, content = mean(EditClass.MARK_ONLY), mean(EditClass.CONTENT)
    written_with_marks = marks.n and language not in WITHOUT_MARKS
    load_is = "mark-only" if written_with_marks else "content" if content.n else ""
    load = marks.value if written_with_marks else content.value
    return LoadRow(language, len(lines), marks, content, mean(None), load, load_is)


def _rank(pairs: list[tuple[float, float | None]]) -> float | None:
    from scipy.stats import spearmanr

    if len(pairs) < 3 or len({a for a, _ in pairs}) < 2:
        return None
    value = float(spearmanr([a for a, _ in pairs], [b for _, b in pairs]).statistic)
    return None if np.isnan(value) else value
