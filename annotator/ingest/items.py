"""Import of items: read, check all, then write all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from annotator.errors import Problem, ProjectReadOnlyError, UsageError
from annotator.ingest.boxes import plan_boxes
from annotator.ingest.columns import map_columns
from annotator.ingest.fields import ITEM_FIELDS, folded
from annotator.ingest.imagefolder import COPIED, copy_images
from annotator.ingest.itemimages import Progress, check_images
from annotator.ingest.itemplan import ItemPlan, plan_items, write_item_plan
from annotator.ingest.itemrows import check_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.prepared import PreparedItems
from annotator.ingest.reading import read_table
from annotator.ingest.report import SHOWN, IdReport, ImportReport, Mapped
from annotator.ingest.tables import Table, refused
from annotator.ingest.warned import WarningLog
from annotator.metrics.outcomes import fold_text
from annotator.records import ItemRow
from annotator.store.imports import finish_import, log_import
from annotator.store.items import read_stored_items
from annotator.store.project import Project, read_revision


def prepare_items(path: Path, options: ImportOptions, progress: Progress | None = None) -> PreparedItems:
    """Read and check a file of items. Touches no project. Raises `FileError` with every fault found."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    return prepare_item_table(table, path.absolute().parent, options, progress)


def prepare_item_table(
    table: Table, folder: Path, options: ImportOptions, progress: Progress | None = None
) -> PreparedItems:
    """The same from a table; `folder` is the image root unless the options name another.

    Raises `UsageError` when the folder that the options name is not there.
    """
    if options.images is not None and not options.images.is_dir():
        raise UsageError(f"--images {options.images}: no such folder")
    optional = frozenset({"gold"}) if options.no_gold else frozenset[str]()
    mapping = map_columns(table, ITEM_FIELDS, options.mapping, optional=optional)
    answers = _answer_column(table)
    if mapping.problems:
        hint = (
            [Problem(table.file, 1, answers, "a column of answers", "`import pairs`, which needs no id")]
            if answers
            else []
        )
        raise refused(table.file, sorted_by_line([*table.problems, *mapping.problems, *hint]))
    boxes = plan_boxes(mapping, options.box, table.separator == ";")
    log = WarningLog()
    checked = check_items(table, mapping, boxes, log, language=options.language, no_gold=options.no_gold)
    if table.problems or checked.problems:
        raise refused(table.file, sorted_by_line([*table.problems, *checked.problems]))
    root = (options.images or folder).absolute()
    image_problems = check_images(table, checked.rows, checked.places, root, boxes, log, progress)
    warnings = log.warnings()
    if options.strict and warnings:
        raise refused(table.file, sorted_by_line([problem for warned in warnings for problem in warned.first]))
    given = {*mapping.at, *(["box"] if boxes.columns else []), *(["language"] if options.language else [])}
    return PreparedItems(
        table.file,
        table.sha256,
        len(table.rows),
        tuple(_without_equal_standard(row) for row in checked.rows),
        frozenset(given),
        root,
        image_problems,
        checked.duplicates,
        _mapping_shown(mapping.shown(), boxes.columns),
        warnings,
        (*table.notes, *mapping.notes, *boxes.notes, *([_ANSWERS_KEPT.format(answers)] if answers else [])),
    )


_ANSWERS_KEPT = "{} is kept as an attribute, not as answers: `import pairs` takes gold and answers from one table"


def _answer_column(table: Table) -> str:
    """The column of an items file that by its name holds what a system returned; empty when there is none."""
    claimed = {"predicted", "prediction", "pred", "hypothesis"}
    return next((column.strip() for column in table.columns if folded(column) in claimed), "")


def sorted_by_line(problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the order of the file."""
    return sorted(problems, key=lambda problem: problem.line or 0)


def _mapping_shown(shown: tuple[Mapped, ...], box_columns: tuple[int, ...]) -> tuple[Mapped, ...]:
    return tuple(Mapped(m.column, "box") if k in box_columns else m for k, m in enumerate(shown))


def _without_equal_standard(row: ItemRow) -> ItemRow:
    """A standard form equal to gold after folding counts as none."""
    if row.standard and row.gold is not None and fold_text(row.standard) == fold_text(row.gold):
        return replace(row, standard="")
    return row


def import_items(
    project: Project, path: Path, options: ImportOptions | None = None, progress: Progress | None = None
) -> ImportReport:
    """Import a file of items into a project: all of it, or nothing.

    Raises `FileError` when the file is refused, or when it would change items that are there (`replace` allows it).
    """
    options = options or ImportOptions()
    return write_items(project, prepare_items(path, options, progress), options)


def write_items(project: Project, prepared: PreparedItems, options: ImportOptions) -> ImportReport:
    """Write items that were prepared, in one transaction. With `dry_run` only say what would be written."""
    source_root = prepared.root
    if options.copy_images:
        prepared = replace(prepared, root=Path(COPIED))
    with project.read() as connection:
        seen = read_revision(connection)
        plan = plan_items(prepared, read_stored_items(connection), options.replace)
    if options.dry_run or plan.nothing:
        return item_report(prepared, plan, options.dry_run, seen)
    with project.write() as connection:
        revision = read_revision(connection)
        if revision != seen + 1:  # somebody else has written in between
            plan = plan_items(prepared, read_stored_items(connection), options.replace)
        if options.copy_images:
            copy_shown(prepared, source_root, project.folder)
        return apply_items(connection, prepared, plan, options, revision, project.clock())


def copy_shown(prepared: PreparedItems, root: Path, folder: Path) -> None:
    """Copy the images that can be shown into the project. Raises `FileError` when another lies in the place of one.

    Raises `ProjectReadOnlyError` when the folder cannot be written.
    """
    shown = (row.image for row in prepared.rows if row.image and row.id not in prepared.image_problems)
    try:
        problems = list(copy_images(root, shown, folder))
    except OSError as error:
        raise ProjectReadOnlyError(
            f"cannot copy images into {folder / COPIED}: {error.strerror}. Nothing was imported. "
            "Free disk space or make the folder writable."
        ) from error
    if problems:
        raise refused(prepared.file, problems)


def apply_items(
    connection: sqlite3.Connection,
    prepared: PreparedItems,
    plan: ItemPlan,
    options: ImportOptions,
    revision: int,
    at: float,
    kind: str = "items",
) -> ImportReport:
    """Write a plan and its row of the log inside the caller's transaction."""
    import_key = log_import(connection, kind, prepared.file, prepared.sha256, options.document(), revision, at)
    write_item_plan(connection, prepared, plan, import_key, revision, at)
    report = item_report(prepared, plan, False, revision, kind)
    finish_import(connection, import_key, report.document())
    return report


def item_report(
    prepared: PreparedItems, plan: ItemPlan, dry_run: bool, revision: int, kind: str = "items"
) -> ImportReport:
    """The report of a plan. When nothing changes, images that lie only in the project's own folder are no news."""
    warnings = tuple(w for w in prepared.warnings if w.kind != "image" or plan.looks_at_images)
    ids = IdReport(
        matched=plan.unchanged + len(plan.changed),
        duplicates=len(prepared.duplicates),
        first_duplicates=prepared.duplicates[:SHOWN],
    )
    return ImportReport(
        kind,
        prepared.file,
        prepared.sha256,
        prepared.read,
        len(plan.new) + len(plan.changed),
        plan.unchanged,
        ids,
        len(plan.changed),
        prepared.mapping,
        warnings,
        prepared.notes,
        dry_run,
        revision,
    )
