"""What an import did: one frozen report, the same words on the command line and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.errors import Problem


@dataclass(frozen=True, slots=True)
class Warned:
    """Rows that were imported, but of which the user should know: how many, in words, and the first of them."""

    kind: str
    count: int
    words: str
    first: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a column was taken for. `field` is a name of the tables of this product, or `attribute`."""

    column: str
    field: str


@dataclass(frozen=True, slots=True)
class IdReport:
    """How ids met: counts, and the first of each."""

    matched: int = 0
    missing: int = 0
    extra: int = 0
    duplicates: int = 0
    first_missing: tuple[str, ...] = ()
    first_extra: tuple[str, ...] = ()
    first_duplicates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of one import. `read` rows = `written` + `unchanged` + extra + duplicates + null predictions.

    `replaced` of the written rows took the place of others. `revision` is the project's after the import; it stays
    as it was when nothing was written (`dry_run`, or nothing new).
    """

    kind: str
    file: str
    sha256: str
    read: int
    written: int
    unchanged: int
    ids: IdReport = IdReport()
    replaced: int = 0
    mapping: tuple[Mapped, ...] = ()
    warnings: tuple[Warned, ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False
    revision: int = 0

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The named rows of every warning."""
        return tuple(problem for warned in self.warnings for problem in warned.first)

    def document(self) -> dict[str, Any]:
        """The `--json` document."""
        return {
            "kind": self.kind,
            "file": self.file,
            "read": self.read,
            "written": self.written,
            "unchanged": self.unchanged,
            "replaced": self.replaced,
            "matched": self.ids.matched,
            "missing": self.ids.missing,
            "extra": self.ids.extra,
            "duplicates": self.ids.duplicates,
            "first_missing": list(self.ids.first_missing),
            "first_extra": list(self.ids.first_extra),
            "first_duplicates": list(self.ids.first_duplicates),
            "problems": [problem_document(problem) for problem in self.problems],
            "warnings": [{"kind": w.kind, "count": w.count, "words": w.words} for w in self.warnings],
            "notes": list(self.notes),
            "mapping": {mapped.column: mapped.field for mapped in self.mapping},
            "dry_run": self.dry_run,
            "project_revision": self.revision,
        }

    def lines(self, *, rows: bool = True) -> Iterable[str]:
        """The report in words, one fact a line; without `rows` the named rows are left to a table."""
        done = "would write" if self.dry_run else "wrote"
        yield f"{self.file}: read {self.read:,} rows, {done} {self.written:,}, unchanged {self.unchanged:,}"
        if self.mapping:
            yield "columns: " + ", ".join(f"{m.column} -> {m.field}" for m in self.mapping)
        yield from _id_lines(self.ids)
        for warned in self.warnings:
            yield f"warning: {warned.words}"
            if not rows:
                continue
            yield from (f"  {problem}" for problem in warned.first[:SHOWN])
            if warned.count > len(warned.first[:SHOWN]) > 0:
                yield f"  ... and {warned.count - len(warned.first[:SHOWN]):,} more"
        yield from (f"note: {note}" for note in self.notes)


SHOWN = 20


def problem_document(problem: Problem, grade: str = "warning") -> dict[str, Any]:
    """A problem as the `--json` contract has it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "found": problem.found,
        "expected": problem.expected,
        "grade": grade,
    }


def refusal_document(kind: str, file: str, summary: str, problems: Sequence[Problem]) -> dict[str, Any]:
    """The `--json` document of a refused file: nothing written, every problem."""
    counts = dict.fromkeys(("read", "written", "unchanged", "missing", "extra", "duplicates"), 0)
    found = [problem_document(problem, "refusal") for problem in problems]
    return {"kind": kind, "file": file, **counts, "problems": found, "refused": summary}


def _id_lines(ids: IdReport) -> Iterable[str]:
    for name, count, first in (
        ("missing", ids.missing, ids.first_missing),
        ("extra", ids.extra, ids.first_extra),
        ("duplicates", ids.duplicates, ids.first_duplicates),
    ):
        if count:
            more = f" and {count - len(first):,} more" if count > len(first) > 0 else ""
            yield f"{name}: {count:,}" + (f" ({', '.join(first)}{more})" if first else "")
