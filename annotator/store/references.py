"""Reference corpora of a project: imported ones, and the tables of any that were built before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.metrics.strata.packing import PACKING_VERSION, PackedTable


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """An imported reference corpus. `kind` is counts (word and count), text (counted) or words (order is the rank)."""

    name: str
    kind: str
    file: str
    sha256: str
    words: int
    revision: int
    at: float

    @property
    def stamp(self) -> str:
        """What its tables are kept under: another file, or another packing, makes others."""
        return f"{PACKING_VERSION}|{self.kind}|{self.sha256}"


def read_references(connection: sqlite3.Connection) -> tuple[ReferenceRow, ...]:
    """The imported reference corpora, by name."""
    rows = connection.execute(
        "SELECT name, kind, file, sha256, words, revision, at FROM reference_corpus ORDER BY name"
    )
    return tuple(ReferenceRow(*row) for row in rows)


def find_reference(connection: sqlite3.Connection, name: str) -> ReferenceRow | None:
    """The imported reference corpus called `name`, or `None`."""
    row = connection.execute(
        "SELECT name, kind, file, sha256, words, revision, at FROM reference_corpus WHERE name = ?", (name,)
    ).fetchone()
    return None if row is None else ReferenceRow(*row)


def write_reference(connection: sqlite3.Connection, row: ReferenceRow, words: PackedTable) -> None:
    """Keep a reference corpus in place of an older one of that name; its n-gram tables are built when asked for."""
    connection.execute("DELETE FROM reference_table WHERE reference = ?", (row.name,))
    connection.execute(
        "INSERT OR REPLACE INTO reference_corpus (name, kind, file, sha256, words, revision, at) VALUES (?,?,?,?,?,?,?)",
        (row.name, row.kind, row.file, row.sha256, row.words, row.revision, row.at),
    )
    save_tables(connection, row.name, row.stamp, [words])


def delete_reference(connection: sqlite3.Connection, name: str) -> bool:
    """Forget an imported reference corpus and its tables; whether there was one."""
    found = connection.execute("DELETE FROM reference_corpus WHERE name = ?", (name,)).rowcount
    connection.execute("DELETE FROM reference_table WHERE reference = ?", (name,))
    return bool(found)


def load_tables(
    connection: sqlite3.Connection, reference: str, version: str, parts: Sequence[str]
) -> tuple[PackedTable, ...] | None:
    """The tables of `parts` in that order, `None` unless every one is there in this version."""
    found = []
    for part in parts:
        row = connection.execute(
            "SELECT names, counts, by_order FROM reference_table WHERE reference = ? AND part = ? AND version = ?",
            (reference, part, version),
        ).fetchone()
        if row is None:
            return None
        found.append(PackedTable(part, bytes(row[0]), bytes(row[1]), bool(row[2])))
    return tuple(found)


def save_tables(connection: sqlite3.Connection, reference: str, version: str, tables: Iterable[PackedTable]) -> None:
    """Keep tables in place of those of another version."""
    connection.executemany(
        "INSERT OR REPLACE INTO reference_table (reference, part, version, by_order, names, counts) VALUES (?,?,?,?,?,?)",
        [(reference, table.part, version, table.by_order, table.names, table.counts) for table in tables],
    )
