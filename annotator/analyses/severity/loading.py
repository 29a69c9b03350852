"""Find a provider by name, and read its charges as arrays beside a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import Dataset, Scored
from annotator.analyses.severity.charging import charge_runs
from annotator.analyses.severity.derived import DERIVED, require_derived, split_name
from annotator.analyses.severity.providers import BUILT_IN, DEFAULT_PROVIDER, built_in
from annotator.analyses.severity.rated import RATED, rated_provider
from annotator.analyses.severity.readable import without_writing
from annotator.errors import StoreError, UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.reading import RunRow, read_runs
from annotator.store.severities import (
    ProviderRow,
    RunSeverity,
    charged_stamp,
    find_provider,
    put_provider,
    read_providers,
    read_run_severity,
    run_stamp,
)
from annotator.store.studies import all_studies


@dataclass(frozen=True, slots=True)
class RunCharges:
    """Severities of one run against the items of a dataset; one entry per item.

    `scored`: answered, and every edit is stored and charged (an answer without edits is). `total`: the sum of its severities.
    """

    scored: npt.NDArray[np.bool_]
    total: npt.NDArray[np.float64]
    edits: npt.NDArray[np.int64]
    imputed: npt.NDArray[np.int64]


def require_provider(project: Project, name: str, runs: Sequence[RunRow]) -> ProviderRow:
    """The provider called `name`; a built-in or derived one (`mode:rubric`) charges what it has not charged yet.

    A name may be written with spaces (`filter label`), and a derived kind alone (`mode`) is of the default provider.
    Raises `UsageError` with the names known when there is no such provider.
    """
    name = _as_kept(project, name)
    if name in BUILT_IN:
        _charge_built_in(project, name, runs)
    elif name in RATED:
        charge_runs(project, rated_provider(project, name), runs)
    elif split := split_name(name):
        return require_derived(project, name, require_provider(project, split[1], runs), runs)
    with project.read() as connection:
        row = find_provider(connection, name)
        known = dict.fromkeys([*BUILT_IN, *(provider.name for provider in read_providers(connection))])
    if row is None:
        raise UsageError(f"unknown severity provider: found {name!r}; expected one of: {', '.join(known)}")
    return row


def _as_kept(project: Project, name: str) -> str:
    joined = "-".join(name.split())
    if joined in DERIVED:
        return f"{joined}:{default_provider(project)}"
    return joined if joined in (*BUILT_IN, *RATED) or split_name(joined) else name


def default_provider(project: Project) -> str:
    """The provider that came into the project when there is one alone (imported, judge, student), else the rubric rules."""
    with project.read() as connection:
        stored = [row.name for row in read_providers(connection) if row.kind != "judge-line"]
    own = [name for name in stored if name not in (*BUILT_IN, *RATED) and split_name(name) is None]
    return own[0] if len(own) == 1 else DEFAULT_PROVIDER


def provider_names(project: Project) -> tuple[str, ...]:
    """Every provider that can be asked for: built in, stored, and those derived from each of them that has levels."""
    with project.read() as connection:
        stored = [row.name for row in read_providers(connection)]
        kinds = {study.kind for study in all_studies(connection)}
    rated = [name for name, kind in RATED.items() if kind in kinds]
    plain = [name for name in dict.fromkeys((*BUILT_IN, *rated, *stored)) if split_name(name) is None]
    flat = (*BUILT_IN[1:], *RATED)
    sources = [name for name in plain if name not in flat and not name.startswith("judge-line:")]
    return (*plain, *(f"{kind}:{source}" for source in sources for kind in DERIVED))


def compared_names(project: Project) -> tuple[str, ...]:
    """The sources that are held against readers side by side: the rubric rules, and every one that came into the project
    (imported, judge, student); not the readers themselves, labels, or what is derived from a source."""
    with project.read() as connection:
        stored = [row.name for row in read_providers(connection) if row.kind != "judge-line"]
    plain = [name for name in stored if split_name(name) is None and name not in (*BUILT_IN, *RATED)]
    return (BUILT_IN[0], *plain)


def _charge_built_in(project: Project, name: str, runs: Sequence[RunRow]) -> None:
    provider = built_in(name)
    charge_runs(project, provider, runs)
    with project.read() as connection:
        known = find_provider(connection, name) is not None
    if not known:  # a project without runs
        with project.write(raises_revision=False) as connection:
            put_provider(connection, name, provider.kind, provider.version, {}, project.clock())


def belongs_to_raw(query: Query) -> bool:
    """Severities belong to the edits under profile raw against the item's gold; other queries have none."""
    return query.profile == "raw" and not query.own_gold


def provider_state(project: Project, query: Query, name: str) -> tuple[str, float]:
    """What a report on severities depends on beside the project's revision: the provider's version and its last write.

    A built-in provider charges what it has not charged yet; in a project that cannot be written the state is empty.
    """
    if not belongs_to_raw(query):
        return "", 0.0
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    try:
        row = require_provider(project, name, runs)
    except StoreError:
        return "", 0.0
    return row.version, row.at


def are_charged(project: Project, query: Query, name: str) -> bool:
    """Whether provider `name` has charged every run of the query as it stands: a report with its severities is then quick."""
    with project.read() as connection:
        row = find_provider(connection, name)
        runs = read_runs(connection, query.systems, query.conditions)
        return row is not None and all(charged_stamp(connection, row.key, run.key) == run_stamp(run) for run in runs)


def charges_state(project: Project, query: Query, name: str) -> tuple[str, float, tuple[tuple[int, int], ...]] | None:
    """What the charges of a provider are like: its version, its last write, and the state of every run. A built-in
    provider charges what it has not charged yet; `None` in a project that cannot be written."""
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    try:
        row = require_provider(project, name, runs)
    except StoreError:
        return None
    with project.read() as connection:
        states = tuple((run.key, run.changed_revision) for run in read_runs(connection))
    return row.version, row.at, states


@without_writing
def load_charges(project: Project, data: Dataset, name: str, impute: bool = False) -> tuple[RunCharges, ...]:
    """The charges of a provider for every run of a dataset, under profile raw.

    `impute` charges 1 for an edit without severity, and marks it. A project that cannot be written is charged in a copy.
    """
    row = require_provider(project, name, [scored.run for scored in data.runs])
    with project.read() as connection:
        found = [read_run_severity(connection, row.key, scored.run.key) for scored in data.runs]
    spread = []
    for scored, rows in zip(data.runs, found, strict=True):
        at = np.searchsorted(data.items.keys, rows.item_keys)
        inside = at < len(data.items)
        inside[inside] = data.items.keys[at[inside]] == rows.item_keys[inside]
        spread.append(_spread(scored, at[inside], rows, inside, impute))
    return tuple(spread)


def _spread(
    scored: Scored, place: npt.NDArray[np.intp], rows: RunSeverity, inside: npt.NDArray[np.bool_], impute: bool
) -> RunCharges:
    n = len(scored.answered)
    edits, total, imputed = np.zeros(n, np.int64), np.zeros(n, np.float64), np.zeros(n, np.int64)
    uncharged = np.zeros(n, np.int64)
    edits[place] = rows.edits[inside]
    total[place] = rows.total[inside]
    imputed[place] = rows.imputed[inside]
    uncharged[place] = (rows.edits - rows.charged)[inside]
    if impute:
        total, imputed, uncharged = total + uncharged, imputed + uncharged, np.zeros(n, np.int64)
    return RunCharges(scored.answered & (uncharged == 0) & (edits == scored.edits), total, edits, imputed)
