"""Ratings made elsewhere: a table of item, rater and value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.cells import CellError, attribute_of, id_of, number_of, problem
from annotator.ingest.columns import ColumnMap, map_columns
from annotator.ingest.fields import Field
from annotator.ingest.ratingtools import is_tool_export, read_tool_export
from annotator.ingest.reading import read_table
from annotator.ingest.tables import ABSENT, Cells, Table, refused
from annotator.stats.alpha import Level

RATING_FIELDS = (
    Field("item", True, ("item_id", "task", "id", "image_id")),
    Field("rater", True, ("rater_id", "annotator", "user")),
    Field("value", True, ("rating", "score", "severity", "label")),
)


@dataclass(frozen=True, slots=True)
class RatingFile:
    """Ratings as (item, rater, value) in the file's order, and what a reader must know about them.

    A missing rating (an empty cell, null) has the value `None`. `duplicates` are rows that say again what an earlier
    row said. When the file has a `repeat` column, later answers of one rater to one item stay in `ratings`.
    """

    file: str
    ratings: tuple[tuple[str, str, float | str | None], ...]
    duplicates: int
    notes: tuple[str, ...] = ()


def read_given_ratings(
    path: Path,
    question: str = "",
    mapping: tuple[tuple[str, str], ...] = (),
    encoding: str | None = None,
    quoted: bool = False,
) -> tuple[tuple[str, str, float | str | None], ...]:
    """Ratings as (item, rater, value) of a plain table or of another tool's export, told apart by what is in the file.

    `question` chooses one of a tool's questions. The errors are those of `read_ratings` and `read_tool_export`, and
    `InputError` for a file that cannot be opened.
    """
    if is_tool_export(path):
        return read_tool_export(path, question)
    return read_ratings(path, Level.NOMINAL, mapping, encoding, quoted).ratings


def read_ratings(
    path: Path,
    level: Level,
    mapping: tuple[tuple[str, str], ...] = (),
    encoding: str | None = None,
    quoted: bool = False,
) -> RatingFile:
    """Read a rating file; every row is checked before anything is returned.

    At the ordinal and interval level a value must be a number; at the nominal level any text is a choice. Raises
    `FileError` with every fault by physical line: an empty item or rater, a value that is no number, and two different
    values of one rater for one item (unless the file has a `repeat` column, which makes later ones repeats).
    """
    table = read_table(path, encoding=encoding, quoted=quoted)
    columns = map_columns(table, RATING_FIELDS, mapping)
    problems = [*table.problems, *columns.problems]
    if columns.problems:
        raise refused(table.file, problems)
    reader = _Reader(table, columns, level, any(name.casefold() == "repeat" for name, _ in columns.extra), problems, {})
    ratings = tuple(rating for at in range(len(table.rows)) if (rating := reader.row(at)) is not None)
    if problems:
        raise refused(table.file, problems)
    return RatingFile(table.file, ratings, len(table.rows) - len(ratings), (*table.notes, *columns.notes))


@dataclass(frozen=True, slots=True)
class _Reader:
    table: Table
    columns: ColumnMap
    level: Level
    repeats: bool
    problems: list[Problem]
    seen: dict[tuple[str, str], tuple[float | str | None, int]]

    def row(self, at: int) -> tuple[str, str, float | str | None] | None:
        """The rating of a row, or `None` for a duplicate or a fault (which joins the problems)."""
        place = 0
        cells = self.table.rows[at]
        try:
            place = self.columns.at["item"]
            item = id_of(cells[place])
            place = self.columns.at["rater"]
            rater = id_of(cells[place])
            place = self.columns.at["value"]
            value = self._value(cells, place)
            if self._duplicate(at, item, rater, value):
                return None
        except CellError as error:
            self.problems.append(problem(self.table, at, place, error))
            return None
        return item, rater, value

    def _value(self, cells: Cells, place: int) -> float | str | None:
        cell = cells[place]
        if cell is None or cell is ABSENT or (isinstance(cell, str) and not cell.strip()):
            return None
        if self.level is not Level.NOMINAL:
            return number_of(cell, self.table.separator == ";")
        return attribute_of(cell).strip()

    def _duplicate(self, at: int, item: str, rater: str, value: float | str | None) -> bool:
        earlier = self.seen.get((item, rater))
        if earlier is None:
            self.seen[item, rater] = (value, at)
            return False
        if earlier[0] == value:
            return not self.repeats
        if self.repeats:
            return False
        where = self.table.where(earlier[1])
        raise CellError(f"another value of {rater} for {item} than in {where}", "one value for each item and rater")
