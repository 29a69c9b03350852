"""Bring in what is no test set: reference corpora, severities of edits, ratings made elsewhere."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st

from annotator.analyses.references import list_references, wordfreq_languages
from annotator.errors import VerbatimError
from annotator.ingest.options import ImportOptions
from annotator.ingest.ratingfile import read_given_ratings
from annotator.ingest.reference import ReadCorpus, ReferenceKind, prepare_corpus, remove_reference, write_corpus
from annotator.ingest.report import ImportReport
from annotator.ingest.severities import import_severities
from annotator.ingest.sources import Source
from annotator.store.project import Project
from annotator.studies.importing import guess_kind, import_ratings
from annotator.studies.kinds import StudyKind
from components.data_report import Counted, show_report
from components.notes import command_block, empty_state, error_in_words, note
from components.numbers import Kind
from components.state import Session, say_after
from components.tables import Column, show_table

Given = Path | Source
_WORDS = (Column("word", "Word", Kind.READ), Column("count", "Count", Kind.COUNT))
_REFERENCES = (
    Column("name", "Name"),
    Column("kind", "Read as"),
    Column("words", "Words", Kind.COUNT),
    Column("file", "File", Kind.READ),
    Column("at", "When (UTC)"),
)
_RATINGS = (Column("item", "Item", Kind.READ), Column("rater", "Rater", Kind.READ), Column("value", "Value", Kind.READ))
_READ_AS = {
    "": "told from the file",
    ReferenceKind.COUNTS: "word and count, by tab",
    ReferenceKind.TEXT: "running text",
    ReferenceKind.WORDS: "a word a line, most frequent first",
}
_SHOWN = 10


def reference_form(project: Project, given: Given | None) -> None:
    """Look into a corpus and keep it under a name; the corpora that are there, each with a way to take it out."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", key="reference-name", help="By which reports find it.").strip()
        kind = st.selectbox("Read as", list(_READ_AS), key="reference-kind", format_func=lambda each: _READ_AS[each])
        replace = st.toggle("Replace a corpus of this name", key="reference-replace")
    command = f"--name {shlex.quote(name or 'NAME')}" + (f" --kind {kind}" if kind else "")
    command += " --replace" if replace else ""
    if given is None:
        _nothing(
            project, "reference", command, "Words with counts, a text that is counted, or a list of words by rank."
        )
    elif name:
        _look_at_corpus(project, given, name, kind, replace)
        _command(project, "reference", given, command)
    else:
        note("Give the corpus a name.")
    _show_references(project)


def _look_at_corpus(project: Project, given: Given, name: str, kind: str, replace: bool) -> None:
    try:
        with on_disk(given) as path:
            read = prepare_corpus(path, name, kind)
        show_report(write_corpus(project, read, replace, dry_run=True), "preview")
    except VerbatimError as error:
        error_in_words(error)
        return
    _show_words(read)
    if st.button("Import", type="primary", icon=":material/upload:", key="import-now"):
        _keep(lambda: write_corpus(project, read, replace))


def _show_words(read: ReadCorpus) -> None:
    table = read.corpus.words
    counts = table.counts if read.corpus.counted else None
    rows = [
        {"word": word, "count": None if counts is None else float(counts[at])}
        for at, word in enumerate(table.names[:_SHOWN])
    ]
    show_table(_WORDS[: 2 if counts is not None else 1], rows, key="reference-words", caption="The most frequent words")


def _show_references(project: Project) -> None:
    rows = [
        {
            "name": row.name,
            "kind": row.kind,
            "words": row.words,
            "file": row.file,
            "at": datetime.fromtimestamp(row.at, UTC).strftime("%Y-%m-%d %H:%M"),
        }
        for row in list_references(project)
    ]
    if rows:
        show_table(_REFERENCES, rows, key="references", caption="Reference corpora of this project")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("Corpus", [str(row["name"]) for row in rows], key="reference-out")
            sure = st.checkbox("I want it gone", key="reference-sure")
            st.button("Take it out", key="reference-drop", disabled=not sure, on_click=_remove, args=(project, name))
    names = ", ".join(f"wordfreq-{language}" for language in wordfreq_languages())
    note(f"There without an import: {names}.")


def _remove(project: Project, name: str) -> None:
    try:
        remove_reference(project, name)
        say_after(f"{name} is gone.")
    except VerbatimError as error:
        say_after(str(error))


def severities_form(project: Project, given: Given | None) -> None:
    """Severities of edits made elsewhere: what would join, then the import under a provider's name."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        provider = st.text_input(
            "Provider", key="severities-provider", help="The name that they are kept under."
        ).strip()
        system = st.text_input("System", key="severities-system", help="Of a file without a system column.").strip()
        condition = st.text_input("Condition", key="severities-condition", placeholder="default").strip()
    command = f"--provider {shlex.quote(provider or 'NAME')}"
    command += f" --system {shlex.quote(system)}" if system else ""
    command += f" --condition {shlex.quote(condition)}" if condition else ""
    if given is None:
        words = "A table of id, system, op, gold_index and severity, or what semcer score writes."
        _nothing(project, "severities", command, words)
        return
    if not provider:
        note("Name the provider.")
        return
    options = ImportOptions(system=system, condition=condition)

    def run(dry_run: bool) -> ImportReport:
        with on_disk(given) as path:
            return import_severities(project, path, provider, options.changed(dry_run=dry_run))

    try:
        show_report(run(True), "preview")
    except VerbatimError as error:
        error_in_words(error)
        return
    _command(project, "severities", given, command)
    if st.button("Import", type="primary", icon=":material/upload:", key="import-now"):
        _keep(lambda: run(False))


def ratings_form(project: Project, given: Given | None) -> None:
    """Ratings made elsewhere: the first rows, what they are taken for, then the import into a study."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        study = st.text_input("Study", key="ratings-study", placeholder="the file's name").strip()
        question = st.text_input("Question", key="ratings-question", help="Of a Label Studio or Potato file.").strip()
        kind = st.selectbox(
            "They are", ["", *StudyKind], key="ratings-kind", format_func=lambda each: each or "told from their values"
        )
    command = f"--study {shlex.quote(study)}" if study else ""
    command += f" --question {shlex.quote(question)}" if question else ""
    command = f"{command} --kind {kind}".strip() if kind else command.strip()
    if given is None:
        _nothing(project, "ratings", command, "A table of item, rater and value, Label Studio JSON, or Potato.")
        return
    try:
        with on_disk(given) as path:
            rows = read_given_ratings(path, question)
    except VerbatimError as error:
        error_in_words(error)
        return
    guess = StudyKind(kind) if kind else guess_kind(rows)
    _show_ratings(rows, guess)
    _command(project, "ratings", given, command)
    if st.button("Import", type="primary", icon=":material/upload:", key="import-now"):
        name = study or Path(given.name).stem
        _keep(lambda: Counted(import_ratings(project, rows, name, guess).document()))


def _show_ratings(rows: tuple[tuple[str, str, Any], ...], kind: StudyKind | None) -> None:
    items, raters = len({row[0] for row in rows}), len({row[1] for row in rows})
    note(f"ratings {len(rows):,}, items {items:,}, raters {raters:,}; taken for: {kind or 'not told, choose'}")
    shown = [{"item": item, "rater": rater, "value": value} for item, rater, value in rows[:_SHOWN]]
    show_table(_RATINGS, shown, key="ratings-rows", caption=f"The first {len(shown)} rows")


MORE: dict[str, tuple[str, str, Callable[[Project, Given | None], None]]] = {
    "reference": (
        "Reference corpus",
        "How common words and letter sequences are; reports rank against it.",
        reference_form,
    ),
    "severities": ("Severities", "What each edit costs a reader, judged elsewhere.", severities_form),
    "ratings": ("Ratings", "What people answered elsewhere.", ratings_form),
}


@contextmanager
def on_disk(given: Given) -> Iterator[Path]:
    """The file's path; an upload lies in a folder of its own until the block ends."""
    if isinstance(given, Path):
        yield given
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / Path(given.name).name
        path.write_bytes(given.data)
        yield path


def _keep(work: Callable[[], ImportReport | Counted]) -> None:
    try:
        st.session_state[Session.IMPORTED] = work()
    except VerbatimError as error:
        st.session_state[Session.IMPORTED] = error
    st.rerun()


def _nothing(project: Project, what: str, command: str, words: str) -> None:
    empty_state(
        "No file chosen",
        words,
        f"python -m annotator import {what} FILE {command}".strip() + f" --project {project.folder}",
    )


def _command(project: Project, what: str, given: Given, command: str) -> None:
    file = shlex.quote(str(given) if isinstance(given, Path) else given.name)
    command_block(" ".join(f"python -m annotator import {what} {file} {command} --project {project.folder}".split()))
