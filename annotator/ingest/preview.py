"""Look before the leap: what each column is taken for, the first rows with their images, every problem, nothing written."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.errors import FileError, InputError, Problem
from annotator.images.paths import inside
from annotator.images.thumbnails import make_preview
from annotator.ingest.attributes import ATTRIBUTE_FIELDS
from annotator.ingest.bringing import brought, import_brought
from annotator.ingest.cells import CellError, attribute_of
from annotator.ingest.columns import ColumnMap, map_columns
from annotator.ingest.fields import ITEM_FIELDS, PAIR_FIELDS, PREDICTION_FIELDS, PREDICTION_ID_STAND_INS, Field, said
from annotator.ingest.formats.brought import Brought, Kind
from annotator.ingest.itemimages import look_at
from annotator.ingest.options import ImportOptions
from annotator.ingest.report import ImportReport, Mapped
from annotator.ingest.sources import Source
from annotator.ingest.tables import Table
from annotator.ingest.wide import widened
from annotator.store.project import Project

ROWS = 10
_THUMBNAIL = (240, 80)
_FIELDS: dict[Kind, tuple[Field, ...]] = {
    Kind.ITEMS: ITEM_FIELDS,
    Kind.PREDICTIONS: PREDICTION_FIELDS,
    Kind.PAIRS: PAIR_FIELDS,
    Kind.ATTRIBUTES: ATTRIBUTE_FIELDS,
}


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One row as text cells, with a small JPEG of its image, or why there is none."""

    line: int
    cells: tuple[str, ...]
    jpeg: bytes | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """`mapping` is what each column is taken for, `fields` what it could be. `report` is that of a dry run, `None` when
    the file is refused: then `summary` and `problems` say why.
    """

    file: str
    mapping: tuple[Mapped, ...] = ()
    fields: tuple[str, ...] = ()
    rows: tuple[PreviewRow, ...] = ()
    report: ImportReport | None = None
    summary: str = ""
    problems: tuple[Problem, ...] = ()


def preview_import(
    kind: Kind, given: Path | Source, options: ImportOptions, open_project: Callable[[], Project]
) -> Preview:
    """Read a file or folder and say what an import would do. Never raises for what is wrong with it; writes nothing."""
    name = given.name
    try:
        with brought(given, kind, options) as found:
            table, mapping = _mapped(kind, found.table, options)
            root = options.images or found.root
            shown = Preview(
                table.file, mapping.shown(), tuple(said(f.name) for f in _FIELDS[kind]), _rows(table, mapping, root)
            )
            return _with_report(shown, kind, found, options, open_project)
    except FileError as error:
        return Preview(name, summary=error.summary, problems=error.problems)
    except InputError as error:
        return Preview(name, summary=str(error))


def _with_report(
    shown: Preview, kind: Kind, found: Brought, options: ImportOptions, open_project: Callable[[], Project]
) -> Preview:
    parts = (shown.file, shown.mapping, shown.fields, shown.rows)
    try:
        return Preview(*parts, report=import_brought(kind, found, options.changed(dry_run=True), open_project))
    except FileError as error:
        return Preview(*parts, summary=error.summary, problems=error.problems)
    except InputError as error:
        return Preview(*parts, summary=str(error))


def _mapped(kind: Kind, table: Table, options: ImportOptions) -> tuple[Table, ColumnMap]:
    if options.wide and kind is Kind.PREDICTIONS:
        table = widened(table, options.mapping)
    everything = frozenset(field.name for field in _FIELDS[kind])
    stand_ins = {"id": PREDICTION_ID_STAND_INS} if kind is Kind.PREDICTIONS else {}
    return table, map_columns(table, _FIELDS[kind], options.mapping, optional=everything, stand_ins=stand_ins)


def _rows(table: Table, mapping: ColumnMap, root: Path) -> tuple[PreviewRow, ...]:
    rows = []
    for line, cells in zip(table.lines[:ROWS], table.rows[:ROWS], strict=True):
        jpeg, why = _picture(root, cells[mapping.at["image"]]) if "image" in mapping.at else (None, "")
        rows.append(PreviewRow(line, tuple(_shown(cell) for cell in cells), jpeg, why))
    return tuple(rows)


def _shown(cell: object) -> str:
    try:
        return attribute_of(cell)
    except CellError as error:
        return f"({error.found})"


def _picture(root: Path, relative: object) -> tuple[bytes | None, str]:
    if not isinstance(relative, str) or not relative:
        return None, "no image"
    problem = look_at(root, relative).problem
    path = inside(root, relative)
    if problem or path is None:
        return None, problem
    try:
        return make_preview(path, *_THUMBNAIL).jpeg, ""
    except InputError as error:
        return None, str(error)


_FLAGS = ("wide", "replace", "quoted", "strict", "copy_images", "no_gold")
_VALUES = ("images", "language", "encoding", "system", "condition", "box", "level", "confidence_kind")


def equivalent_command(kind: Kind, file: str, options: ImportOptions, project: Path) -> str:
    """The command line that does the same."""
    parts: list[str] = ["python", "-m", "annotator", "import", kind.value, file]
    for name, column in options.mapping:
        parts += ["--map", f"{name}={column}"]
    for name in _VALUES:
        value = getattr(options, name)
        parts += [f"--{name.replace('_', '-')}", str(value)] if value else []
    parts += [f"--{name.replace('_', '-')}" for name in _FLAGS if getattr(options, name)]
    parts += [part for rule in options.join for part in ("--join", rule)]
    parts += ["--as", options.format] if options.format else []
    return shlex.join([*parts, "--project", str(project)])


def changed_mapping(mapping: Sequence[Mapped], chosen: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The `--map` choices that turn what the columns were taken for into what was chosen, column by column."""
    return tuple(
        (choice, mapped.column.strip())
        for mapped, choice in zip(mapping, chosen, strict=True)
        if choice != mapped.field and mapped.field != "box"
    )
