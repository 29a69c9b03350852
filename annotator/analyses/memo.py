"""Finished reports, remembered in the project by what was asked and at which revision."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from annotator import __version__
from annotator.errors import StoreError
from annotator.store.project import Project, read_revision
from annotator.store.reading import load_report, save_report
from annotator.text.align import alignment_version

Report = TypeVar("Report")


def remembered(project: Project, name: str, asked: Any, kind: type[Report], build: Callable[[], Report]) -> Report:
    """Return the report that `build` makes, from the project's cache when nothing has changed since.

    `asked` is everything the report depends on besides the project (a `Query`, a tuple of values). `kind` is a frozen
    dataclass that msgspec can write and read. A project that cannot be written gives the same report, uncached.
    """
    key = hashlib.sha256(msgspec.json.encode([name, __version__, alignment_version(), asked])).hexdigest()
    with project.read() as connection:
        revision = read_revision(connection)
        document = load_report(connection, key, revision)
    known = None if document is None else _decoded(document, kind)
    if known is not None:
        return known
    report = build()
    try:
        with project.write(raises_revision=False) as connection:
            if read_revision(connection) == revision:
                save_report(connection, key, revision, msgspec.json.encode(report).decode(), project.clock())
    except StoreError:
        pass
    return report


def _decoded(document: str, kind: type[Report]) -> Report | None:
    """The stored report, `None` when a build of the same version wrote it in another form."""
    try:
        return msgspec.json.decode(document, type=kind, strict=False)
    except msgspec.ValidationError:
        return None
