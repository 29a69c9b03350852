"""The import form: a file, what its columns are taken for, ten rows with images, every problem, then the import itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from annotator.errors import VerbatimError
from annotator.ingest.bringing import bring
from annotator.ingest.columns import ATTRIBUTE
from annotator.ingest.formats.brought import Kind
from annotator.ingest.joining import RULES
from annotator.ingest.options import ImportOptions
from annotator.ingest.preview import Preview, PreviewRow, changed_mapping, equivalent_command, preview_import
from annotator.ingest.sources import Source, source_of
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.data_more import MORE
from components.data_report import show_last_report, show_problems, show_report
from components.notes import command_block, empty_state, error_in_words, note
from components.numbers import Kind as Number
from components.state import Session
from components.sureness import KINDS as CONFIDENCES
from components.tables import Column, show_table

KINDS = {
    Kind.ITEMS: "Items",
    Kind.PREDICTIONS: "Predictions",
    Kind.PAIRS: "Pairs",
    Kind.ATTRIBUTES: "Attributes",
}
HELP = {
    Kind.ITEMS: "One row per image, with its gold text.",
    Kind.PREDICTIONS: "What systems returned, by the items' ids.",
    Kind.PAIRS: "Gold and predicted in one table: items and predictions at once.",
    Kind.ATTRIBUTES: "More columns for items that are there.",
}


def import_form(project: Project) -> None:
    """Draw the whole form, from the choice of a file to the report."""
    show_last_report()
    names = {kind.value: name for kind, name in KINDS.items()} | {what: name for what, (name, _, _) in MORE.items()}
    what = st.segmented_control(
        "What is in the file",
        list(names),
        default=Kind.ITEMS.value,
        required=True,
        format_func=lambda each: names[each],
        key="import-kind",
    )
    if what in MORE:
        note(MORE[what][1])
        MORE[what][2](project, choose_file())
    else:
        _test_set_form(project, Kind(what or Kind.ITEMS))


def _test_set_form(project: Project, kind: Kind) -> None:
    note(HELP[kind])
    given = choose_file()
    options = choose_options(kind)
    if given is None:
        empty_state(
            "No file chosen",
            "CSV, TSV, JSONL, JSON, Parquet (gzip too), PAGE, ALTO, hOCR, Label Studio, word lists; or the path of a folder.",
            f"python -m annotator import {kind.value} FILE --project {project.folder}",
        )
        return
    guess = _preview(project, kind, given, options)
    options = choose_columns(guess, options)
    preview = _preview(project, kind, given, options) if options.mapping else guess
    show_rows(preview)
    show_outcome(preview)
    command_block(
        equivalent_command(kind, str(given) if isinstance(given, Path) else given.name, options, project.folder)
    )
    if preview.report is not None and st.button("Import", type="primary", icon=":material/upload:", key="import-now"):
        _import(project, kind, given, options)


def _preview(project: Project, kind: Kind, given: Path | Source, options: ImportOptions) -> Preview:
    if isinstance(given, Source):
        state = given.sha256
    else:
        found = given.stat() if given.exists() else None
        state = f"{given} {found.st_mtime_ns} {found.st_size}" if found else ""
    return _cached_preview(
        (str(project.folder), project.revision(), kind.value, state, repr(options)), given, options, project
    )


@st.cache_data(max_entries=4, show_spinner="Reading the file")
def _cached_preview(
    asked: tuple[str, int, str, str, str], _given: Path | Source, _options: ImportOptions, _project: Project
) -> Preview:
    return preview_import(Kind(asked[2]), _given, _options, lambda: _project)


def choose_file() -> Path | Source | None:
    """An upload, or the path of a file or folder on the machine that serves the page."""
    left, right = st.columns(2)
    with left:
        upload = st.file_uploader("Upload a file", key="import-upload")
    with right:
        typed = st.text_input(
            "Or a path on this computer", key="import-path", placeholder="/data/items.tsv", help="A file or a folder."
        )
    if upload is not None:
        try:
            return source_of(upload.name, upload.getvalue())
        except VerbatimError as error:
            error_in_words(error)
            return None
    return Path(typed.strip()).expanduser() if typed.strip() else None


def choose_options(kind: Kind) -> ImportOptions:
    """The options of the command line, the usual ones in sight."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        images = system = condition = language = sure = ""
        if kind in (Kind.ITEMS, Kind.PAIRS):
            images = st.text_input("Image folder", key="import-images", placeholder="the folder of the file")
            language = st.text_input("Language", key="import-language", placeholder="en, bn, ar", width=140)
        if kind in (Kind.PREDICTIONS, Kind.PAIRS):
            system = st.text_input("System", key="import-system", help="Of a file without a system column.")
            condition = st.text_input("Condition", key="import-condition", placeholder="default")
            sure = st.selectbox(
                "Confidences are",
                ["", *CONFIDENCES],
                key="import-confidence",
                format_func=lambda v: CONFIDENCES.get(v, "not said"),
                width=180,
                help="softmax: probabilities. engine score: an order and no more.",
            )
        with st.popover("More", icon=":material/tune:"):
            encoding = st.text_input("Encoding", key="import-encoding", placeholder="utf-8")
            wide = kind is Kind.PREDICTIONS and st.toggle("One column per system", key="import-wide")
            no_gold = kind is Kind.ITEMS and st.toggle("Items without gold", key="import-no-gold")
            copy = kind in (Kind.ITEMS, Kind.PAIRS) and st.toggle("Copy images into the project", key="import-copy")
            box = st.selectbox(
                "A bbox column is", ["", "xywh", "xyxy"], key="import-box", format_func=lambda v: v or "an attribute"
            )
            quoted = st.toggle("TSV cells are quoted", key="import-quoted")
            replace = st.toggle("Changed rows replace those in the project", key="import-replace")
            strict = st.toggle("Refuse what is otherwise a warning", key="import-strict")
            join = st.multiselect("Ids may also join without regard to", list(RULES), key="import-join")
    return ImportOptions(
        images=Path(images).expanduser() if images.strip() else None,
        language=language.strip(),
        encoding=encoding.strip() or None,
        system=system.strip(),
        condition=condition.strip(),
        wide=bool(wide),
        no_gold=bool(no_gold),
        copy_images=bool(copy),
        box=box or None,
        quoted=quoted,
        replace=replace,
        strict=strict,
        join=tuple(join),
        confidence_kind=sure,
    )


def choose_columns(preview: Preview, options: ImportOptions) -> ImportOptions:
    """Show what every column was taken for; a change becomes a `--map`."""
    if not preview.mapping:
        return options
    st.subheader("Columns", anchor=False)
    choices = [ATTRIBUTE, *preview.fields]
    chosen = []
    for start in range(0, len(preview.mapping), 4):
        for place, mapped in zip(st.columns(4), preview.mapping[start : start + 4], strict=False):
            number = len(chosen) + 1
            with place:
                st.text(escape_controls(mapped.column)[:60])
                shown = choices if mapped.field in choices else [*choices, mapped.field]
                key = f"import-column-{preview.file}-{number}-{mapped.field}"
                label = f"Column {number} is taken for"
                picked = st.selectbox(label, shown, shown.index(mapped.field), key=key, label_visibility="collapsed")
                chosen.append(picked or mapped.field)
    return options.changed(mapping=changed_mapping(preview.mapping, chosen))


def show_rows(preview: Preview) -> None:
    """The first rows as a table, then their images."""
    if not preview.rows:
        return
    columns = [Column("line", "Line", Number.COUNT)]
    columns += [
        Column(str(k), escape_controls(f"{mapped.column.strip()} → {mapped.field}"), Number.READ)
        for k, mapped in enumerate(preview.mapping)
    ]
    rows = [{"line": row.line, **{str(k): cell for k, cell in enumerate(row.cells)}} for row in preview.rows]
    show_table(columns, rows, key="import-rows", caption=f"The first {len(rows)} rows")
    _show_images(preview.rows)


def _show_images(rows: Sequence[PreviewRow]) -> None:
    shown = [row for row in rows if row.jpeg is not None]
    with st.container(horizontal=True):
        for row in shown:
            if row.jpeg is not None:
                st.image(row.jpeg, caption=f"line {row.line}", width=120)
    reasons = dict.fromkeys(row.why for row in rows if row.jpeg is None and row.why and row.why != "no image")
    for why in reasons:
        lines = [str(row.line) for row in rows if row.jpeg is None and row.why == why]
        where = ". Say under Image folder where the images lie." if why == "not a file here" else ""
        note(f"No picture, {why}: line {', '.join(lines)}{where}")


def show_outcome(preview: Preview) -> None:
    """What an import would do, or why the file is refused: the words of the command line."""
    if preview.report is None:
        st.error("This file is refused; nothing would be imported.", icon=":material/block:")
        note(preview.summary)
        show_problems(preview.problems, "Problems", "preview")
        note("What begins with -- above is chosen here: columns in the lists above, the rest under More.")
        return
    st.subheader("What would be imported", anchor=False)
    show_report(preview.report, "preview")


def _import(project: Project, kind: Kind, given: Path | Source, options: ImportOptions) -> None:
    """Import with a bar of progress, then draw the page anew with the report on top."""
    bar = st.progress(0.0, "Reading and checking every row")

    def tell(what: str, done: int, total: int) -> None:
        bar.progress(done / max(total, 1), f"{what}: {done:,} of {total:,}")

    try:
        st.session_state[Session.IMPORTED] = bring(kind, given, options, lambda: project, progress=tell)
    except VerbatimError as error:
        st.session_state[Session.IMPORTED] = error
    st.rerun()
