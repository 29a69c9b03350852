"""Charge the edits of runs with a provider, once: stored charges stay until the run or the provider changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from annotator.analyses.severity.providers import Provider
from annotator.store.project import Project
from annotator.store.reading import RunRow
from annotator.store.severities import (
    Charge,
    charged_stamp,
    find_provider,
    iter_lines,
    put_provider,
    run_stamp,
    write_charges,
)

Progress = Callable[[int, int], None]


def charge_runs(
    project: Project, provider: Provider, runs: Sequence[RunRow], progress: Progress | None = None
) -> dict[str, int]:
    """Charge every run that `provider` has not charged in its present state; returns edits charged by run name."""
    charged: dict[str, int] = {}
    for done, run in enumerate(runs):
        if progress:
            progress(done, len(runs))
        with project.read() as connection:
            row = find_provider(connection, provider.name)
            if (
                row
                and row.version == provider.version
                and charged_stamp(connection, row.key, run.key) == run_stamp(run)
            ):
                continue
            charges = list(provider.charge_lines(iter_lines(connection, run.key)))
        charged[run.name] = store_charges(project, provider, run, charges)
    return charged


def store_charges(project: Project, provider: Provider, run: RunRow, charges: Sequence[Charge]) -> int:
    """Write the charges of one run in one transaction."""
    with project.write(raises_revision=False) as connection:
        key = put_provider(connection, provider.name, provider.kind, provider.version, {}, project.clock())
        return write_charges(connection, key, run.key, charges, run_stamp(run))
