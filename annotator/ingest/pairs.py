"""Import of pairs: gold and predicted in one table become items and predictions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.errors import FileError, Problem
from annotator.ingest.columns import ColumnMap, map_columns
from annotator.ingest.fields import ITEM_FIELDS, PAIR_FIELDS
from annotator.ingest.itemimages import Progress
from annotator.ingest.items import prepare_item_table, sorted_by_line
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictions import prepare_prediction_table
from annotator.ingest.prepared import PreparedItems, PreparedPredictions
from annotator.ingest.reading import read_table
from annotator.ingest.report import ImportReport
from annotator.ingest.tables import Cells, Table, refused
from annotator.ingest.together import write_together
from annotator.store.project import Project

_ROW_NUMBER = "row number"


@dataclass(frozen=True, slots=True)
class PreparedPairs:
    """A table of pairs that passed every check, as items and as predictions."""

    items: PreparedItems
    predictions: PreparedPredictions


def import_pairs(
    project: Project, path: Path, options: ImportOptions | None = None, progress: Progress | None = None
) -> ImportReport:
    """Import one table with gold and predicted, both or nothing. Without an id column the row number is the id.

    Without a system column or `options.system` the system is called after the file. Raises `FileError` as the two imports.
    """
    options = options or ImportOptions()
    prepared = prepare_pairs(path, options, progress)
    return write_together(project, "pairs", prepared.items, prepared.predictions, options, progress)


def prepare_pairs(path: Path, options: ImportOptions, progress: Progress | None = None) -> PreparedPairs:
    """Read and check a table of pairs. Touches no project. Raises `FileError` with every fault found."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    return prepare_pair_table(table, path.absolute().parent, options, progress)


def prepare_pair_table(
    table: Table, folder: Path, options: ImportOptions, progress: Progress | None = None
) -> PreparedPairs:
    """The same from a table."""
    mapping = map_columns(table, PAIR_FIELDS, options.mapping, optional=_optional(table))
    if mapping.problems:
        raise refused(table.file, sorted_by_line([*table.problems, *mapping.problems]))
    of_item, of_answer = _sides(table, mapping)
    item_table = _view(table, mapping, of_item)
    answer_table = _view(table, mapping, of_answer)
    system = options.system or Path(table.file).name.split(".")[0]
    faults: list[Problem] = []
    items = predictions = None
    try:
        items = prepare_item_table(item_table, folder, _for(options, mapping, of_item), progress)
    except FileError as error:
        faults.extend(error.problems)
    try:
        predictions = prepare_prediction_table(answer_table, _for(options, mapping, of_answer, system))
    except FileError as error:
        faults.extend(problem for problem in error.problems if problem not in faults)
    if items is None or predictions is None:
        raise refused(table.file, sorted_by_line(faults))
    return PreparedPairs(items, predictions)


def _optional(table: Table) -> frozenset[str]:
    columns = {column.strip().casefold() for column in table.columns}
    has_raw = columns & {"raw", "raw_response", "response"}
    return frozenset({"system", *(["predicted"] if has_raw else [])})


def _sides(table: Table, mapping: ColumnMap) -> tuple[dict[str, int], dict[str, int]]:
    """Columns of the item and of the prediction, by field. Other columns are the item's where each id has one value."""
    item_names = {field.name for field in ITEM_FIELDS}
    of_item = {name: position for name, position in mapping.at.items() if name in item_names}
    of_answer = {name: position for name, position in mapping.at.items() if name not in item_names or name == "id"}
    for name, position in mapping.extra:
        side = of_item if _one_value_per_id(table, mapping.at.get("id"), position) else of_answer
        side[f"attribute {name}"] = position
    return of_item, of_answer


def _one_value_per_id(table: Table, id_position: int | None, position: int) -> bool:
    if id_position is None:
        return True
    seen: dict[str, str] = {}
    return all(
        seen.setdefault(str(cells[id_position]).strip(), str(cells[position])) == str(cells[position])
        for cells in table.rows
    )


def _view(table: Table, mapping: ColumnMap, side: dict[str, int]) -> Table:
    """The columns of one side. A missing id column is made of row numbers."""
    positions = tuple(side.values())
    columns = tuple(table.columns[position] for position in positions)
    rows: Sequence[Cells] = [tuple(cells[position] for position in positions) for cells in table.rows]
    if "id" not in mapping.at:
        columns = (_ROW_NUMBER, *columns)
        rows = [(str(number), *cells) for number, cells in enumerate(rows, start=1)]
    return Table(
        table.file, columns, table.lines, rows, table.typed, table.sha256, table.separator, table.problems, table.notes
    )


def _for(options: ImportOptions, mapping: ColumnMap, side: dict[str, int], system: str = "") -> ImportOptions:
    chosen = [(name.split(" ")[0], mapping.columns[position]) for name, position in side.items()]
    if "id" not in mapping.at:
        chosen.append(("id", _ROW_NUMBER))
    return options.changed(mapping=tuple(chosen), system="" if "system" in side else system)
