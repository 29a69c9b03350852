"""Import of a reference corpus: words with counts, a plain text that is counted, or a word list in order of rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from annotator.errors import FileError, Problem, UsageError
from annotator.ingest.report import IdReport, ImportReport
from annotator.ingest.sources import Source, decode, read_source
from annotator.metrics.strata.labels import fold_label
from annotator.metrics.strata.packing import pack_words
from annotator.metrics.strata.reference import WORDFREQ, ReferenceCorpus
from annotator.store.imports import finish_import, log_import
from annotator.store.project import Project, read_revision
from annotator.store.references import ReferenceRow, delete_reference, find_reference, write_reference


class ReferenceKind(StrEnum):
    """What a file of words is: word and count on each line, running text, or one word a line, most frequent first."""

    COUNTS = "counts"
    TEXT = "text"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class ReadCorpus:
    """A corpus read from a file: `lines` that held words, and repeats that were dropped."""

    source: Source
    corpus: ReferenceCorpus
    kind: ReferenceKind
    lines: int
    repeats: int


def import_reference(
    project: Project, path: Path, name: str, kind: str = "", encoding: str | None = None, replace: bool = False
) -> ImportReport:
    """Bring a reference corpus into a project under `name`; `kind` "" tells from the file.

    Raises `FileError` for a file that holds no words or a line that cannot be read, `UsageError` for a name that cannot
    be taken, or is taken by another corpus unless `replace`.
    """
    return write_corpus(project, prepare_corpus(path, name, kind, encoding), replace)


def prepare_corpus(path: Path, name: str, kind: str = "", encoding: str | None = None) -> ReadCorpus:
    """Read and check a corpus. Touches no project."""
    if not name.strip() or name.startswith(WORDFREQ):
        raise UsageError(f"--name {name!r}: expected a name that does not begin with {WORDFREQ}")
    return read_corpus(name, read_source(path), kind, encoding)


def write_corpus(project: Project, read: ReadCorpus, replace: bool = False, dry_run: bool = False) -> ImportReport:
    """Keep a corpus that was read; its n-gram tables are built when a report first asks for them."""
    name, source, size = read.corpus.name, read.source, len(read.corpus)
    with project.read() as connection:
        old, revision = find_reference(connection, name), read_revision(connection)
    same = old is not None and (old.sha256, old.kind) == (source.sha256, read.kind)
    if old is not None and not same and not replace:
        raise UsageError(
            f"--name {name}: the project has another reference corpus of this name, from {old.file} with {old.words:,} "
            "words; expected another name, or --replace"
        )
    if same or dry_run:
        return _report(read, 0 if same else size, dry_run, revision)
    with project.write() as connection:
        revision = read_revision(connection)
        options = {"name": name, "kind": read.kind.value}
        key = log_import(connection, "reference", source.name, source.sha256, options, revision, project.clock())
        row = ReferenceRow(name, read.kind.value, source.name, source.sha256, size, revision, project.clock())
        write_reference(connection, row, pack_words(read.corpus))
        report = _report(read, size, False, revision)
        finish_import(connection, key, report.document())
    return report


def remove_reference(project: Project, name: str) -> None:
    """Forget an imported reference corpus and its tables. Raises `UsageError` when there is none of that name."""
    with project.write() as connection:
        if not delete_reference(connection, name):
            raise UsageError(f"no imported reference corpus is called {name!r}")


def read_corpus(name: str, source: Source, kind: str = "", encoding: str | None = None) -> ReadCorpus:
    """Read a corpus from a source; the same errors as `import_reference`."""
    text = decode(source, encoding)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        problem = Problem(source.name, None, None, "no words", "words with counts, a word list or a text")
        raise FileError(f"{source.name}: refused, nothing was imported", [problem])
    chosen = ReferenceKind(kind) if kind else _tell_kind(lines)
    if chosen is ReferenceKind.COUNTS:
        return _read_counts(name, source, lines)
    if chosen is ReferenceKind.WORDS:
        words = [line.strip() for _, line in lines]
        corpus = ReferenceCorpus.from_order(name, words)
        return ReadCorpus(source, corpus, chosen, len(words), len(words) - len(corpus))
    return ReadCorpus(source, ReferenceCorpus.from_text(name, text), chosen, len(lines), 0)


def _tell_kind(lines: Sequence[tuple[int, str]]) -> ReferenceKind:
    cells = [line.split("\t") for _, line in lines[1:21] or lines]
    if all(len(row) >= 2 and _count(row[1]) is not None for row in cells):
        return ReferenceKind.COUNTS
    if any("\t" in line for _, line in lines[:21]):
        return ReferenceKind.COUNTS
    return ReferenceKind.WORDS if all(len(line.split()) == 1 for _, line in lines) else ReferenceKind.TEXT


def _read_counts(name: str, source: Source, lines: Sequence[tuple[int, str]]) -> ReadCorpus:
    counts: dict[str, float] = {}
    problems: list[Problem] = []
    has_header = len(lines) > 1 and _count(lines[0][1].partition("\t")[2].split("\t")[0]) is None
    for number, line in lines[has_header:]:
        word, _, rest = line.partition("\t")
        word, count = word.strip(), _count(rest.split("\t")[0])
        if count is None or not word:
            problems.append(Problem(source.name, number, None, repr(line)[:80], "a word, a tab and a number above 0"))
        elif counts.setdefault(word, count) != count:
            found = f"{word!r} a second time, with another count"
            problems.append(Problem(source.name, number, "word", found, "each word once"))
    if problems:
        raise FileError(f"{source.name}: refused, nothing was imported", problems)
    corpus = ReferenceCorpus.from_counts(name, counts)
    return ReadCorpus(
        source, corpus, ReferenceKind.COUNTS, len(lines) - has_header, len(lines) - has_header - len(counts)
    )


def _count(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


def _report(read: ReadCorpus, written: int, dry_run: bool, revision: int) -> ImportReport:
    words = read.corpus.words.names
    unfolded = sum(word != fold_label(word) for word in words)
    notes = [f"read as {read.kind.value}, {len(words):,} different words"]
    if unfolded:
        notes.append(f"{unfolded:,} words are not case-folded NFC; labels are, so these words are never met")
    return ImportReport(
        "reference",
        read.source.name,
        read.source.sha256,
        read.lines,
        written,
        0 if written else len(words),
        IdReport(duplicates=read.repeats),
        notes=tuple(notes),
        dry_run=dry_run,
        revision=revision,
    )
