"""Severity rows: edits to be charged, charges written, and per-run sums read back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.errors import UsageError
from annotator.store.reading import RunRow
from annotator.text.align import Alignment, Edit, Op, alignment_version

Probabilities = tuple[float, float, float, float, float]
RESERVED = ("rubric", "unit", "filter-label", "real-word-label", "ratings", "whole-line")


@dataclass(frozen=True, slots=True)
class Line:
    """One prediction that has edits, with all of them in order: what a provider charges."""

    prediction_key: int
    item_id: str
    system: str
    language: str
    gold: str
    predicted: str
    gold_length: int
    alignment: Alignment


@dataclass(frozen=True, slots=True)
class Charge:
    """What one edit of a prediction is charged; `imputed` when the provider could not decide."""

    prediction_key: int
    ordinal: int
    severity: float
    imputed: bool = False
    probabilities: Probabilities | None = None


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """A provider that has charged edits of this project. `at` grows with every write of its charges."""

    key: int
    name: str
    kind: str
    version: str
    details: Mapping[str, object]
    at: float


@dataclass(frozen=True, slots=True)
class RunSeverity:
    """Per prediction of a run that has edits: how many, how many are charged, their sum, how many imputed."""

    item_keys: npt.NDArray[np.int64]
    edits: npt.NDArray[np.int64]
    charged: npt.NDArray[np.int64]
    total: npt.NDArray[np.float64]
    imputed: npt.NDArray[np.int64]


def iter_lines(connection: sqlite3.Connection, run_key: int) -> Iterator[Line]:
    """Predictions of a run with at least one edit, by prediction key, streamed. Items whose gold is blank have none: they
    are in no rate.

    Texts and edits are read side by side, not joined: a text repeated for each of its edits grows with its square.
    """
    heads = connection.execute(
        "SELECT p.prediction_key, i.id, s.name, i.language, i.gold, p.predicted, p.gold_length, p.predicted_length "
        "FROM prediction p JOIN item i USING (item_key) JOIN run r USING (run_key) JOIN system s USING (system_key) "
        "WHERE p.run_key = ? AND i.gold IS NOT NULL ORDER BY p.prediction_key",
        (run_key,),
    )
    rows = connection.execute(
        "SELECT p.prediction_key, e.op, e.gold_index, e.predicted_index, e.gold, e.predicted "
        "FROM prediction p JOIN edit e USING (prediction_key) WHERE p.run_key = ? ORDER BY p.prediction_key, e.ordinal",
        (run_key,),
    )
    groups = groupby(rows, key=itemgetter(0))
    group = next(groups, None)
    for head in heads:
        while group is not None and group[0] < head[0]:
            group = next(groups, None)
        if group is None:
            return
        if group[0] == head[0] and str(head["gold"]).strip():
            yield _line(tuple(head), [Edit(Op(row[1]), *tuple(row)[2:]) for row in group[1]])


def _line(head: tuple[object, ...], edits: list[Edit]) -> Line:
    key, item_id, system, language, gold, predicted, gold_length, predicted_length = head
    kinds = [edit.op for edit in edits]
    alignment = Alignment(
        tuple(edits),
        int(str(gold_length)),
        int(str(predicted_length)),
        kinds.count(Op.SUBSTITUTION),
        kinds.count(Op.DELETION),
        kinds.count(Op.INSERTION),
    )
    texts = (str(item_id), str(system), str(language), str(gold), str(predicted))
    return Line(int(str(key)), *texts, int(str(gold_length)), alignment)


def read_providers(connection: sqlite3.Connection) -> tuple[ProviderRow, ...]:
    """All providers with charges, in the order in which they came."""
    rows = connection.execute(
        "SELECT provider_key, name, kind, version, details, at FROM provider ORDER BY provider_key"
    )
    return tuple(
        ProviderRow(key, name, kind, version, json.loads(details), at) for key, name, kind, version, details, at in rows
    )


def find_provider(connection: sqlite3.Connection, name: str) -> ProviderRow | None:
    """The provider called `name`, or `None`."""
    return next((row for row in read_providers(connection) if row.name == name), None)


def require_own_name(name: str, option: str) -> None:
    """Raise `UsageError` for a provider name that is built in, empty, or has the colon of derived providers."""
    if not name.strip() or ":" in name or name in RESERVED:
        raise UsageError(
            f"{option}: found {name!r}; expected a name of your own without a colon ({', '.join(RESERVED)} are built in)"
        )


def require_kind(connection: sqlite3.Connection, name: str, kind: str) -> ProviderRow | None:
    """The provider called `name`, `None` when there is none. Raises `UsageError` when it is of another kind than `kind`:
    its severities would be lost."""
    found = find_provider(connection, name)
    if found is not None and found.kind != kind:
        raise UsageError(
            f"severity provider {name}: found one of kind {found.kind} under this name; expected another name for a new "
            f"one of kind {kind}"
        )
    return found


def put_provider(
    connection: sqlite3.Connection, name: str, kind: str, version: str, details: Mapping[str, object], at: float
) -> int:
    """Add a provider, or bring its version up to date (its charges of an older version are dropped). Returns its key."""
    found = find_provider(connection, name)
    text = json.dumps(details, ensure_ascii=False, sort_keys=True)
    if found is None:
        key = connection.execute(
            "INSERT INTO provider (name, kind, version, details, at) VALUES (?, ?, ?, ?, ?)",
            (name, kind, version, text, at),
        ).lastrowid
        assert key is not None
        return key
    if found.version != version:
        connection.execute("DELETE FROM severity WHERE provider_key = ?", (found.key,))
        connection.execute("DELETE FROM severity_run WHERE provider_key = ?", (found.key,))
    connection.execute(
        "UPDATE provider SET kind = ?, version = ?, details = ?, at = max(?, at + 0.000001) WHERE provider_key = ?",
        (kind, version, text, at, found.key),
    )
    return found.key


def run_stamp(run: RunRow) -> str:
    """The state of a run that charges belong to."""
    return f"{run.changed_revision}|{alignment_version()}"


def charged_stamp(connection: sqlite3.Connection, provider_key: int, run_key: int) -> str | None:
    """The state of the run that the provider has charged, `None` when it has not."""
    row = connection.execute(
        "SELECT stamp FROM severity_run WHERE provider_key = ? AND run_key = ?", (provider_key, run_key)
    ).fetchone()
    return None if row is None else str(row[0])


def write_charges(
    connection: sqlite3.Connection, provider_key: int, run_key: int, charges: Iterable[Charge], stamp: str
) -> int:
    """Replace the provider's charges of a run; returns how many were written."""
    connection.execute(
        "DELETE FROM severity WHERE provider_key = ? AND prediction_key IN "
        "(SELECT prediction_key FROM prediction WHERE run_key = ?)",
        (provider_key, run_key),
    )
    before = connection.total_changes
    connection.executemany(
        "INSERT INTO severity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (provider_key, c.prediction_key, c.ordinal, c.severity, c.imputed, *(c.probabilities or (None,) * 5))
            for c in charges
        ),
    )
    written = connection.total_changes - before
    connection.execute("INSERT OR REPLACE INTO severity_run VALUES (?, ?, ?)", (provider_key, run_key, stamp))
    _touch(connection, provider_key)
    return written


def read_run_severity(connection: sqlite3.Connection, provider_key: int, run_key: int) -> RunSeverity:
    """Sums per prediction with edits. A prediction whose `charged` is below its `edits` is unscored."""
    rows = connection.execute(
        "SELECT p.item_key, count(*), count(v.severity), coalesce(sum(v.severity), 0), coalesce(sum(v.imputed), 0) "
        "FROM prediction p JOIN edit e USING (prediction_key) LEFT JOIN severity v "
        "ON v.provider_key = ? AND v.prediction_key = e.prediction_key AND v.ordinal = e.ordinal "
        "WHERE p.run_key = ? GROUP BY p.prediction_key ORDER BY p.item_key",
        (provider_key, run_key),
    ).fetchall()
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    keys, edits, charged, imputed = (np.array(columns[k], dtype=np.int64) for k in (0, 1, 2, 4))
    return RunSeverity(keys, edits, charged, np.array(columns[3], dtype=np.float64), imputed)


@dataclass(frozen=True, slots=True)
class ChargedEdit:
    """An edit as one provider charged it, with what derived providers look at."""

    prediction_key: int
    ordinal: int
    item_key: int
    run_key: int
    language: str
    op: str
    gold: str
    predicted: str
    severity: float
    probabilities: Probabilities | None


def iter_charged(connection: sqlite3.Connection, provider_key: int) -> Iterator[ChargedEdit]:
    """Every edit that a provider has charged, by prediction key, streamed."""
    rows = connection.execute(
        "SELECT v.prediction_key, v.ordinal, p.item_key, p.run_key, i.language, e.op, e.gold, e.predicted, v.severity, "
        "v.p0, v.p1, v.p2, v.p3, v.p4 FROM severity v JOIN prediction p USING (prediction_key) "
        "JOIN item i USING (item_key) JOIN edit e ON e.prediction_key = v.prediction_key AND e.ordinal = v.ordinal "
        "WHERE v.provider_key = ? ORDER BY v.prediction_key, v.ordinal",
        (provider_key,),
    )
    for row in rows:
        p0, p1, p2, p3, p4 = tuple(row)[9:]
        fields: list[Any] = [*tuple(row)[:9], None if p0 is None else (p0, p1, p2, p3, p4)]
        yield ChargedEdit(*fields)


def read_shared(connection: sqlite3.Connection, one: int, other: int) -> npt.NDArray[np.float64]:
    """Rows (item key, run key, severity by provider `one`, by provider `other`) of the edits that both have charged."""
    rows = connection.execute(
        "SELECT p.item_key, p.run_key, a.severity, b.severity FROM severity a JOIN severity b "
        "ON b.provider_key = ? AND b.prediction_key = a.prediction_key AND b.ordinal = a.ordinal "
        "JOIN prediction p ON p.prediction_key = a.prediction_key WHERE a.provider_key = ? "
        "ORDER BY a.prediction_key, a.ordinal",
        (other, one),
    ).fetchall()
    return np.array([tuple(row) for row in rows], dtype=np.float64).reshape(-1, 4)


def find_edits(connection: sqlite3.Connection, run_key: int) -> dict[str, tuple[int, tuple[Edit, ...]]]:
    """Every prediction of a run by item id: its key and its edits in order."""
    found: dict[str, tuple[int, tuple[Edit, ...]]] = {
        item_id: (key, ())
        for item_id, key in connection.execute(
            "SELECT i.id, p.prediction_key FROM prediction p JOIN item i USING (item_key) WHERE p.run_key = ?",
            (run_key,),
        )
    }
    for line in iter_lines(connection, run_key):
        found[line.item_id] = (line.prediction_key, line.alignment.edits)
    return found


def add_charges(connection: sqlite3.Connection, provider_key: int, charges: Iterable[Charge]) -> int:
    """Write charges over those of the same edits; returns how many changed."""
    before = connection.total_changes
    connection.executemany(
        "INSERT INTO severity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET severity = excluded.severity, imputed = excluded.imputed, p0 = excluded.p0, "
        "p1 = excluded.p1, p2 = excluded.p2, p3 = excluded.p3, p4 = excluded.p4 WHERE "
        "(severity, imputed, p0, p1, p2, p3, p4) IS NOT (excluded.severity, excluded.imputed, excluded.p0, excluded.p1, "
        "excluded.p2, excluded.p3, excluded.p4)",
        (
            (provider_key, c.prediction_key, c.ordinal, c.severity, c.imputed, *(c.probabilities or (None,) * 5))
            for c in charges
        ),
    )
    changed = connection.total_changes - before
    if changed:
        _touch(connection, provider_key)
    return changed


def _touch(connection: sqlite3.Connection, provider_key: int) -> None:
    """Let `at` grow, so that what was computed from the older charges is known to be old."""
    connection.execute("UPDATE provider SET at = at + 0.000001 WHERE provider_key = ?", (provider_key,))
