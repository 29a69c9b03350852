"""Import of items: read, check all, then write all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.boxes import plan_boxes
from annotator.ingest.columns import map_columns
from annotator.ingest.fields import ITEM_FIELDS
from annotator.ingest.itemimages import Progress, check_images
from annotator.ingest.itemrows import check_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.reading import read_table
from annotator.ingest.realign import realign_items
from annotator.ingest.report import SHOWN, IdReport, ImportReport, Mapped, Warned
from annotator.ingest.tables import Table, refused
from annotator.ingest.warned import WarningLog
from annotator.metrics.outcomes import fold_text
from annotator.records import ItemRow
from annotator.store.imports import finish_import, log_import
from annotator.store.items import (
    NewItem,
    StoredItem,
    end_corrections,
    image_root_key,
    insert_items,
    read_stored_items,
    update_image_problems,
    update_items,
)
from annotator.store.project import Project, read_revision

_COMPARED = ("gold", "standard", "image", "benchmark", "language", "split", "document")


@dataclass(frozen=True, slots=True)
class PreparedItems:
    """A file of items that passed every check. `given` names the fields that it has; the others stay as they are."""

    file: str
    sha256: str
    read: int
    rows: tuple[ItemRow, ...]
    given: frozenset[str]
    root: Path
    image_problems: dict[str, str]
    duplicates: tuple[str, ...]
    mapping: tuple[Mapped, ...]
    warnings: tuple[Warned, ...]
    notes: tuple[str, ...]


def prepare_items(path: Path, options: ImportOptions, progress: Progress | None = None) -> PreparedItems:
    """Read and check a file of items. Touches no project. Raises `FileError` with every fault found."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    return prepare_item_table(table, path.absolute().parent, options, progress)


def prepare_item_table(
    table: Table, folder: Path, options: ImportOptions, progress: Progress | None = None
) -> PreparedItems:
    """The same from a table; `folder` is the image root unless the options name another."""
    optional = frozenset({"gold"}) if options.no_gold else frozenset[str]()
    mapping = map_columns(table, ITEM_FIELDS, options.mapping, optional=optional)
    boxes = plan_boxes(mapping, options.box, table.separator == ";")
    log = WarningLog()
    problems = [*table.problems, *mapping.problems]
    if mapping.problems:
        raise refused(table.file, problems)
    checked = check_items(table, mapping, boxes, log, language=options.language, no_gold=options.no_gold)
    problems.extend(checked.problems)
    if problems:
        raise refused(table.file, sorted_by_line(problems))
    root = (options.images or folder).absolute()
    image_problems = check_images(table, checked.rows, checked.places, root, boxes, log, progress)
    warnings = log.warnings()
    if options.strict and warnings:
        raise refused(table.file, [problem for warned in warnings for problem in warned.first])
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
        (*table.notes, *mapping.notes, *boxes.notes),
    )


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
    with project.read() as connection:
        seen = read_revision(connection)
        plan = _plan(prepared, read_stored_items(connection), options)
    if options.dry_run or plan.nothing:
        return _report(prepared, plan, options.dry_run, seen)
    with project.write() as connection:
        revision = read_revision(connection)
        if revision != seen + 1:  # somebody else has written in between
            plan = _plan(prepared, read_stored_items(connection), options)
        import_key = log_import(
            connection, "items", prepared.file, prepared.sha256, options.document(), revision, project.clock()
        )
        root_key = image_root_key(connection, str(prepared.root)) if "image" in prepared.given else None
        new = (NewItem(row, root_key, prepared.image_problems.get(row.id, "")) for row in plan.new)
        insert_items(connection, new, import_key, revision)
        if plan.changed:
            changed = [(stored.key, _merged(stored, row, prepared, root_key)) for stored, row in plan.changed]
            update_items(connection, changed, revision)
            end_corrections(connection, _replaced_texts(plan, prepared), project.clock())
            golds = [(stored, new.row.gold) for (stored, _), (_, new) in zip(plan.changed, changed, strict=True)]
            realign_items(connection, [stored.key for stored, gold in golds if stored.gold != gold], revision)
        update_image_problems(connection, plan.images)
        report = _report(prepared, plan, False, revision)
        finish_import(connection, import_key, report.document())
    return report


@dataclass(frozen=True, slots=True)
class _Plan:
    new: tuple[ItemRow, ...]
    changed: tuple[tuple[StoredItem, ItemRow], ...]
    unchanged: int
    images: tuple[tuple[int, str], ...]

    @property
    def nothing(self) -> bool:
        return not (self.new or self.changed or self.images)


def _plan(prepared: PreparedItems, stored: dict[str, StoredItem], options: ImportOptions) -> _Plan:
    new, changed, problems = [], [], []
    unchanged, images = 0, []
    for row in prepared.rows:
        old = stored.get(row.id)
        if old is None:
            new.append(row)
            continue
        differs = _differences(old, row, prepared)
        if not differs:
            unchanged += 1
            fault = prepared.image_problems.get(row.id, "")
            if "image" in prepared.given and fault != old.image_problem:
                images.append((old.key, fault))
        elif options.replace:
            changed.append((old, row))
        else:
            name, before, after = differs[0]
            found = f"item {row.id} with another {name} than in the project: {after!r:.60}, there {before!r:.60}"
            problems.append(Problem(prepared.file, row.line, name, found, "the same row, or --replace"))
    if problems:
        raise refused(prepared.file, problems)
    return _Plan(tuple(new), tuple(changed), unchanged, tuple(images))


def _differences(old: StoredItem, row: ItemRow, prepared: PreparedItems) -> list[tuple[str, object, object]]:
    found: list[tuple[str, object, object]] = []
    for name in _COMPARED:
        if name in prepared.given and getattr(old.row, name) != getattr(row, name):
            found.append((name, getattr(old.row, name), getattr(row, name)))
    if "box" in prepared.given and old.row.box != row.box:
        found.append(("box", old.row.box, row.box))
    if row.image and "image" in prepared.given and old.root != str(prepared.root):
        found.append(("image folder", old.root, str(prepared.root)))
    had = dict(old.row.attributes)
    found.extend((name, had.get(name, ""), value) for name, value in row.attributes if had.get(name, "") != value)
    return found


def _merged(stored: StoredItem, row: ItemRow, prepared: PreparedItems, root_key: int | None) -> NewItem:
    """The row over what is stored: fields and attributes that the file lacks stay."""
    kept = {name: getattr(stored.row, name) for name in (*_COMPARED, "box") if name not in prepared.given}
    for name in ("gold", "standard"):
        if name in kept or getattr(stored.row, name) == getattr(row, name):
            kept[name] = getattr(stored, name)
    attributes = tuple({**dict(stored.row.attributes), **dict(row.attributes)}.items())
    merged = replace(row, **kept, attributes=attributes)
    fault = prepared.image_problems.get(row.id, "") if "image" in prepared.given else stored.image_problem
    return NewItem(merged, root_key, fault)


def _replaced_texts(plan: _Plan, prepared: PreparedItems) -> list[tuple[int, str]]:
    """(item key, field) of the golds and standard forms that the file has changed."""
    return [
        (stored.key, name)
        for stored, row in plan.changed
        for name in ("gold", "standard")
        if name in prepared.given and getattr(stored.row, name) != getattr(row, name)
    ]


def _report(prepared: PreparedItems, plan: _Plan, dry_run: bool, revision: int) -> ImportReport:
    ids = IdReport(
        matched=plan.unchanged + len(plan.changed),
        duplicates=len(prepared.duplicates),
        first_duplicates=prepared.duplicates[:SHOWN],
    )
    return ImportReport(
        "items",
        prepared.file,
        prepared.sha256,
        prepared.read,
        len(plan.new) + len(plan.changed),
        plan.unchanged,
        ids,
        len(plan.changed),
        prepared.mapping,
        prepared.warnings,
        prepared.notes,
        dry_run,
        revision,
    )
