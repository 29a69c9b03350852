"""Import of attributes: more columns for items that are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.boxes import BoxPlan
from annotator.ingest.columns import ColumnMap, map_columns
from annotator.ingest.fields import ITEM_FIELDS, Field, folded
from annotator.ingest.itemplan import plan_items
from annotator.ingest.itemrows import CheckedItems, check_items
from annotator.ingest.items import apply_items, item_report, sorted_by_line
from annotator.ingest.joining import join_ids
from annotator.ingest.options import ImportOptions
from annotator.ingest.prepared import PreparedItems
from annotator.ingest.reading import read_table
from annotator.ingest.report import SHOWN, IdReport, ImportReport, Warned
from annotator.ingest.tables import Table, refused
from annotator.ingest.warned import WarningLog
from annotator.metrics.outcomes import fold_text
from annotator.records import ItemRow
from annotator.store.items import StoredItem, read_stored_items
from annotator.store.project import Project, read_revision

# Own names only: a column `text` beside an id is a measurement of somebody, not another gold.
ATTRIBUTE_FIELDS = (
    ITEM_FIELDS[0],
    *(Field(name) for name in ("standard", "benchmark", "language", "split", "document")),
)
# Fields of an item that an attributes file does not change: in an export that comes back with more columns.
_LEFT = ("gold", "image", "box")


def import_attributes(project: Project, path: Path, options: ImportOptions | None = None) -> ImportReport:
    """Import columns for items by id. Empty places are filled; a value that is there changes only with `replace`.

    Rows with an unknown id are skipped and counted (`extra`), items without a row are `missing`. Raises `FileError` when
    the file is refused or no id of it is known.
    """
    options = options or ImportOptions()
    return import_attribute_table(project, read_table(path, encoding=options.encoding, quoted=options.quoted), options)


def import_attribute_table(project: Project, table: Table, options: ImportOptions) -> ImportReport:
    """The same from a table."""
    mapping = _without_own_fields(map_columns(table, ATTRIBUTE_FIELDS, options.mapping))
    if mapping.problems:
        raise refused(table.file, sorted_by_line([*table.problems, *mapping.problems]))
    checked = check_items(table, mapping, BoxPlan(lambda cells: None), WarningLog(), no_gold=True)
    if table.problems or checked.problems:
        raise refused(table.file, sorted_by_line([*table.problems, *checked.problems]))
    source = _Source(table, checked, mapping, options)
    with project.read() as connection:
        seen = read_revision(connection)
        stored = read_stored_items(connection)
        plan = plan_items(source.prepare(stored), stored, options.replace, fills=True)
    if options.dry_run or plan.nothing:
        report = item_report(source.prepare(stored), plan, options.dry_run, seen, "attributes")
        return replace(report, ids=source.ids(stored))
    with project.write() as connection:
        revision = read_revision(connection)
        if revision != seen + 1:  # somebody else has written in between
            stored = read_stored_items(connection)
            plan = plan_items(source.prepare(stored), stored, options.replace, fills=True)
        report = apply_items(connection, source.prepare(stored), plan, options, revision, project.clock(), "attributes")
    return replace(report, ids=source.ids(stored))


def _without_own_fields(mapping: ColumnMap) -> ColumnMap:
    left = [name for name, _ in mapping.extra if folded(name) in _LEFT]
    if not left:
        return mapping
    kept = tuple(pair for pair in mapping.extra if pair[0] not in left)
    note = f"{', '.join(left)} of the items stay as they are (import items --replace changes them)"
    return replace(mapping, extra=kept, notes=(*mapping.notes, note))


@dataclass(frozen=True, slots=True)
class _Source:
    table: Table
    checked: CheckedItems
    mapping: ColumnMap
    options: ImportOptions

    def prepare(self, stored: Mapping[str, StoredItem]) -> PreparedItems:
        """The rows whose items are there. Raises `FileError` when there are none."""
        met = self._met(stored)
        if not met:
            found = f"0 of {len(self.checked.rows)} ids known to the project"
            raise refused(self.table.file, [Problem(self.table.file, None, "id", found, "ids of the project's items")])
        rows = tuple(
            _without_equal_standard(replace(row, id=met[row.id]), stored[met[row.id]])
            for row in self.checked.rows
            if row.id in met
        )
        return PreparedItems(
            self.table.file,
            self.table.sha256,
            len(self.table.rows),
            rows,
            frozenset(self.mapping.at) - {"id"},
            Path(),
            {},
            self.checked.duplicates,
            self.mapping.shown(),
            self._unknown(met),
            (*self.table.notes, *self.mapping.notes),
        )

    def ids(self, stored: Mapping[str, StoredItem]) -> IdReport:
        """How the ids met."""
        met = self._met(stored)
        answered = set(met.values())
        missing = [id_ for id_ in stored if id_ not in answered]
        extra = [row.id for row in self.checked.rows if row.id not in met]
        repeats = self.checked.duplicates
        return IdReport(
            len(met),
            len(missing),
            len(extra),
            len(repeats),
            tuple(missing[:SHOWN]),
            tuple(extra[:SHOWN]),
            repeats[:SHOWN],
        )

    def _met(self, stored: Mapping[str, StoredItem]) -> dict[str, str]:
        return join_ids([row.id for row in self.checked.rows], stored, self.options.join)

    def _unknown(self, met: Mapping[str, str]) -> tuple[Warned, ...]:
        log = WarningLog()
        for place, row in zip(self.checked.places, self.checked.rows, strict=True):
            if row.id not in met:
                found = f"{self.table.where(place)}, id {row.id}: not an item of the project"
                words = "{count} row{s} with an unknown id skipped (extra)"
                log.add("extra", words, Problem(self.table.file, row.line, "id", found, "an item's id"))
        return log.warnings()


def _without_equal_standard(row: ItemRow, stored: StoredItem) -> ItemRow:
    if row.standard and stored.gold is not None and fold_text(row.standard) == fold_text(stored.gold):
        return replace(row, standard="")
    return row
