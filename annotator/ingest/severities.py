"""`import severities FILE --provider P`: severities made elsewhere, joined to our edits one for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.errors import Problem, UsageError
from annotator.ingest.options import ImportOptions
from annotator.ingest.report import IdReport, ImportReport
from annotator.ingest.severityrows import GivenSeverity, read_severities
from annotator.ingest.warned import WarningLog
from annotator.store.imports import finish_import, log_import
from annotator.store.project import Project, read_revision
from annotator.store.reading import RunRow, read_runs
from annotator.store.severities import Charge, add_charges, find_edits, put_provider, require_kind, require_own_name
from annotator.text.align import Edit, Op

KIND = "imported"
ROUNDING = 0.01
"""How far from 1 a distribution may be before the user is told."""


@dataclass(frozen=True, slots=True)
class _Joined:
    charges: tuple[Charge, ...]
    unscored: int
    matched_ids: frozenset[str]
    unmatched: int


def import_severities(project: Project, path: Path, provider: str, options: ImportOptions) -> ImportReport:
    """Read a severities file (a table, or what the semcer package's `score` writes) and store it as `provider`.

    Rows join by item id, system, condition, op and gold index (and predicted index where given). A row that meets no
    edit of ours is a warning, named: its file was aligned otherwise. Raises `FileError` for rows that cannot be read, and
    `UsageError` for a reserved provider name, an unknown system, or when no row joins.
    """
    require_own_name(provider, "--provider")
    given = read_severities(path, options)
    log = WarningLog()
    with project.read() as connection:
        require_kind(connection, provider, KIND)
        runs = read_runs(connection)
        tables = {run.key: find_edits(connection, run.key) for run in _wanted(runs, given.rows, options)}
    joined = _join(given.rows, runs, tables, options, log)
    if not joined.charges:
        raise UsageError(f"{path.name}: {_why_nothing(len(given.rows), joined.unscored)}")
    return _write(project, provider, given.sha256, path, options, joined, log, len(given.rows))


def _why_nothing(rows: int, unscored: int) -> str:
    if not rows:
        return "found no edits; expected a row an edit, or a semcer score file with edit detail (semcer score --details edits)"
    if unscored:
        return (
            f"found {unscored} rows that meet an edit of this project, all without a severity; expected one in some row"
        )
    return (
        f"none of {rows} rows meets an edit of this project. Rows join by item id, system, condition, op and gold_index; "
        "check --system and --condition"
    )


def _wanted(runs: Sequence[RunRow], rows: Sequence[GivenSeverity], options: ImportOptions) -> Iterator[RunRow]:
    names = {_run_name(row, runs, options) for row in rows}
    yield from (run for run in runs if (run.system, run.condition) in names)


def _run_name(row: GivenSeverity, runs: Sequence[RunRow], options: ImportOptions) -> tuple[str, str]:
    system = row.system or options.system
    if not system:
        systems = {run.system for run in runs}
        if len(systems) != 1:
            raise UsageError("the file names no system; say which with --system")
        (system,) = systems
    return system, row.condition or options.condition or "default"


def _join(
    rows: Sequence[GivenSeverity],
    runs: Sequence[RunRow],
    tables: dict[int, dict[str, tuple[int, tuple[Edit, ...]]]],
    options: ImportOptions,
    log: WarningLog,
) -> _Joined:
    keys = {(run.system, run.condition): run.key for run in runs}
    charges: dict[tuple[int, int], Charge] = {}
    used: dict[int, set[int]] = defaultdict(set)
    ids: set[str] = set()
    unmatched = unscored = 0
    for row in rows:
        table = tables.get(keys.get(_run_name(row, runs, options), 0), {})
        key, edits = table.get(row.id, (0, ()))
        at = _find(row, edits, used[key])
        if at is None and _find(row, edits, set()) is not None:
            log.add(
                "repeated", "{count} row{s} name an edit that an earlier row has, and were left out", _repeated(row)
            )
            continue
        if at is None:
            unmatched += 1
            log.add("unmatched", "{count} row{s} met no edit of ours and were left out", _unmatched(row, bool(key)))
            continue
        used[key].add(at)
        ids.add(row.id)
        if row.severity is None:
            unscored += 1
            continue
        if row.probabilities is not None and abs(sum(row.probabilities) - 1) > ROUNDING:
            words = "{count} distribution{s} did not sum to 1 and were taken as shares of their sum"
            log.add("renormalised", words, _share(row, sum(row.probabilities)))
        charges[key, at] = Charge(key, at, row.severity, probabilities=row.probabilities)
    return _Joined(tuple(charges.values()), unscored, frozenset(ids), unmatched)


def _find(row: GivenSeverity, edits: Sequence[Edit], used: set[int]) -> int | None:
    """The edit with this op, gold index and, where given, predicted index; insertions at one place go in order."""
    for at, edit in enumerate(edits):
        if at in used or edit.op is not Op(row.op) or edit.gold_index != row.gold_index:
            continue
        if row.predicted_index is None or row.predicted_index == edit.predicted_index:
            return at
    return None


def _repeated(row: GivenSeverity) -> Problem:
    where = f"{row.op} at gold_index {row.gold_index} of item {row.id}"
    return Problem(row.file, row.line, None, f"{where} again", "one row an edit")


def _share(row: GivenSeverity, total: float) -> Problem:
    return Problem(row.file, row.line, None, f"a sum of {total:.4g} (id {row.id})", "probabilities that sum to 1")


def _unmatched(row: GivenSeverity, known: bool) -> Problem:
    where = f"{row.op} at gold_index {row.gold_index} of item {row.id}"
    expected = "an edit of our alignment of that item" if known else "an item that this system has answered"
    return Problem(row.file, row.line, None, where, expected)


def _write(
    project: Project,
    provider: str,
    sha256: str,
    path: Path,
    options: ImportOptions,
    joined: _Joined,
    log: WarningLog,
    read: int,
) -> ImportReport:
    warnings = log.warnings()

    def report(written: int, revision: int) -> ImportReport:
        unchanged = len(joined.charges) - written
        ids = IdReport(matched=len(joined.matched_ids), extra=joined.unmatched)
        return ImportReport(
            "severities", path.name, sha256, read, written, unchanged, ids, warnings=warnings,
            dry_run=options.dry_run, revision=revision,
        )  # fmt: skip

    if options.dry_run:
        return report(len(joined.charges), project.revision())
    with project.write() as connection:
        revision = read_revision(connection)
        found = require_kind(connection, provider, KIND)
        details = {"files": [*(found.details.get("files", []) if found else []), path.name]}  # type: ignore[misc]
        key = put_provider(connection, provider, KIND, "1", details, project.clock())
        log_key = log_import(connection, "severities", path.name, sha256, options.document(), revision, project.clock())
        done = report(add_charges(connection, key, joined.charges), revision)
        finish_import(connection, log_key, done.document())
    return done
