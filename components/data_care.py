"""Exports to take home, the health of the project, and imports taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from annotator.errors import VerbatimError
from annotator.exports.bundle import write_bundle
from annotator.exports.cells import list_table
from annotator.exports.tables import edits_table, items_table, predictions_table
from annotator.exports.writing import Format, Table, left_out_words, write_table
from annotator.ingest.history import delete_system, list_imports, undo_imports
from annotator.ingest.upkeep import backup_project, check_project, realign_project
from annotator.records import Query
from annotator.store.project import Project
from components.filters import command_options, names_of
from components.notes import command_block, error_in_words, note
from components.numbers import Kind
from components.state import Session, say_after
from components.tables import Column, show_table

Maker = Callable[[Project, Query, Path, Format, bool], tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Export:
    """One thing to take home. `suffix` "" takes the chosen format's; `make` writes the file and says what it holds."""

    label: str
    suffix: str
    make: Maker
    command: str = ""


def _of_table(build: Callable[[Project, Query], Table]) -> Maker:
    def make(project: Project, query: Query, path: Path, format: Format, excel: bool) -> tuple[str, tuple[str, ...]]:
        table = build(project, query)
        written = write_table(project, table, path, format, excel=excel)
        return f"{written.rows:,} rows", tuple(left_out_words(table.left_out))

    return make


def _bundle(project: Project, query: Query, path: Path, format: Format, excel: bool) -> tuple[str, tuple[str, ...]]:
    return f"{write_bundle(project, query, path, format, excel=excel).rows:,} rows", ()


def _report(project: Project, query: Query, path: Path, format: Format, excel: bool) -> tuple[str, tuple[str, ...]]:
    from annotator.exports.report.whole import write_report

    made = write_report(project, query, path)
    return f"{len(made.chapters)} chapters", ("; ".join(made.chapters),)


EXPORTS = {
    "items": Export("Items", "", _of_table(items_table)),
    "predictions": Export("Predictions", "", _of_table(predictions_table)),
    "edits": Export("Edits", "", _of_table(edits_table)),
    "list": Export("Items with a column per system", "", _of_table(list_table)),
    "bundle": Export("Everything, as one zip", "zip", _bundle),
    "report": Export("The report, as one page", "html", _report, "report all --out report.html"),
}
_IMPORTS = (
    Column("revision", "Revision", Kind.COUNT),
    Column("kind", "What"),
    Column("file", "File", Kind.READ),
    Column("written", "Rows", Kind.COUNT),
    Column("at", "When (UTC)"),
    Column("state", "State"),
)


def export_form(project: Project, query: Query) -> None:
    """Choose what and how; make the file; take it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what = st.selectbox("What", list(EXPORTS), key="export-what", format_func=lambda each: EXPORTS[each].label)
        export = EXPORTS[what]
        format, excel = _choose_format() if not export.command else (Format.CSV, False)
        make = st.button("Make the file", key="export-make", type="primary", icon=":material/download:")
    asked = (what, format, excel, query, project.revision())
    if make:
        _make(project, export, asked)
    made = st.session_state.get(Session.EXPORTED)
    if made and made[0] == asked:
        _, data, name, holds, words = made
        note(f"{name}: {holds}")
        for line in words:
            note(line)
        st.download_button("Download", data, file_name=name, key="export-take", on_click="ignore")
    command = export.command or f"export {what} --format {format.value}{' --excel' if excel else ''}"
    command_block(f"python -m annotator {command}{command_options(query)} --project {project.folder}")


def _choose_format() -> tuple[Format, bool]:
    format = Format(st.selectbox("Format", [each.value for each in Format], key="export-format"))
    excel = st.toggle("For a spreadsheet", key="export-excel", help="Adds a byte order mark; disarms formula cells.")
    return format, excel


def _make(project: Project, export: Export, asked: tuple[str, Format, bool, Query, int]) -> None:
    what, format, excel, query, _ = asked
    name = f"{what}.{export.suffix or format.value}"
    try:
        with TemporaryDirectory() as folder, st.spinner("Writing the file"):
            path = Path(folder) / name
            holds, words = export.make(project, query, path, format, excel)
            st.session_state[Session.EXPORTED] = (asked, path.read_bytes(), name, holds, words)
    except VerbatimError as error:
        error_in_words(error)


def health_form(project: Project) -> None:
    """Check, repair, back up."""
    if st.button("Check the project", key="health-check", icon=":material/health_and_safety:"):
        with st.spinner("Looking at the database, the alignments and the images"):
            st.session_state[Session.CHECKED] = check_project(project)
    health = st.session_state.get(Session.CHECKED)
    if health is not None:
        rows = [{"words": fault.words, "repair": fault.repair} for fault in health.faults]
        if rows:
            show_table(
                (Column("words", "Found"), Column("repair", "Repair")), rows, key="faults", caption="Problems found"
            )
            st.button("Repair alignments and images", key="health-repair", on_click=_repair, args=(project,))
        else:
            st.success("No problems found.", icon=":material/check:")
        if health.known_image_problems:
            note(f"{health.known_image_problems:,} images could not be shown at import already.")
    command_block(f"python -m annotator check --project {project.folder}")
    target = st.text_input("Back up to", key="backup-path", placeholder=str(project.folder.parent / "backup.db"))
    st.button("Back up", key="backup-now", disabled=not target.strip(), on_click=_backup, args=(project, target))


def _repair(project: Project) -> None:
    done = realign_project(project)
    st.session_state[Session.CHECKED] = check_project(project)
    say_after(f"{done.realigned:,} predictions aligned anew, {done.images:,} images noted anew.")


def _backup(project: Project, target: str) -> None:
    try:
        size = backup_project(project, Path(target.strip()).expanduser())
        say_after(f"Backed up: {size:,} bytes.")
    except VerbatimError as error:
        say_after(str(error))


def history_form(project: Project) -> None:
    """The imports, newest first; take the last back; delete a system."""
    log = list_imports(project)
    if not log:
        note("Nothing has been imported yet.")
        return
    rows = [
        {
            "revision": row.revision,
            "kind": row.kind,
            "file": row.file,
            "written": row.report.get("written"),
            "at": datetime.fromtimestamp(row.at, UTC).strftime("%Y-%m-%d %H:%M"),
            "state": "undone" if row.undone_at is not None else "",
        }
        for row in log
    ]
    show_table(_IMPORTS, rows, key="imports", caption="Imports, newest first")
    standing = list(dict.fromkeys(row.revision for row in log if row.undone_at is None))
    if standing:
        _undo_form(project, standing)
    systems = list(names_of(project).systems)
    if systems:
        _delete_form(project, systems)


def _undo_form(project: Project, standing: Sequence[int]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        revision = st.selectbox("Revision", standing, key="undo-revision")
        sure = st.checkbox("I want its rows gone", key="undo-sure")
        st.button("Undo this import", key="undo-now", disabled=not sure, on_click=_undo, args=(project, revision))


def _delete_form(project: Project, systems: Sequence[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox("System", systems, key="delete-system")
        sure = st.checkbox("I want its predictions gone", key="delete-sure")
        st.button("Delete this system", key="delete-now", disabled=not sure, on_click=_delete, args=(project, system))


def _undo(project: Project, revision: int) -> None:
    try:
        say_after("; ".join(undo_imports(project, revision).what))
    except VerbatimError as error:
        say_after(str(error))


def _delete(project: Project, system: str) -> None:
    try:
        say_after("; ".join(delete_system(project, system).what))
    except VerbatimError as error:
        say_after(str(error))
