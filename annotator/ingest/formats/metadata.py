"""Image folders with a `metadata.csv`, `.jsonl` or `.parquet` beside the images (Hugging Face image folder)."""

from __future__ import annotations

from array import array
from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.fields import folded
from annotator.ingest.formats.brought import Brought, nothing_in, without_extension
from annotator.ingest.reading import read_table
from annotator.ingest.tables import ABSENT, Cells, Table, refused

NAMES = ("metadata.csv", "metadata.jsonl", "metadata.tsv", "metadata.parquet")
_FILE = ("file_name", "filename", "image", "image_path", "path", "file")
_IDS = ("id", "item_id", "image_id", "uid")


def metadata_files(folder: Path) -> list[Path]:
    """The metadata of a folder: its own, else those of its subfolders (one a split)."""
    own = [folder / name for name in NAMES if (folder / name).is_file()]
    return own[:1] or [
        path
        for below in sorted(folder.iterdir())
        if below.is_dir()
        for path in [below / name for name in NAMES if (below / name).is_file()][:1]
    ]


def read(folder: Path, encoding: str | None = None) -> Brought:
    """Read the metadata as items: without an id column the id is the image's path without extension.

    Subfolders with their own metadata become splits. Raises `FileError` as a table does, and when columns differ.
    """
    files = metadata_files(folder)
    if not files:
        raise nothing_in(folder.name, "no metadata file", f"one of {', '.join(NAMES)}")
    tables = [_with_ids(read_table(path, encoding=encoding), _prefix(path, folder)) for path in files]
    if len(tables) == 1:
        return Brought(tables[0], folder)
    first = tables[0]
    for table in tables:
        if table.columns != first.columns:
            found = f"other columns than in {first.file}: {', '.join(table.columns)}"
            raise refused(table.file, [Problem(table.file, 1, None, found, ", ".join(first.columns))])
    rows: list[Cells] = [row for table in tables for row in table.rows]
    lines = array("Q", [line for table in tables for line in table.lines])
    problems = tuple(problem for table in tables for problem in table.problems)
    joined = Table(folder.name, first.columns, lines, rows, first.typed, first.sha256, first.separator, problems)
    return Brought(joined, folder)


def _prefix(path: Path, folder: Path) -> str:
    return "" if path.parent == folder else f"{path.parent.name}/"


def _with_ids(table: Table, prefix: str) -> Table:
    """The table with image paths below the folder, an id where there is none, and the split of a subfolder."""
    names = {folded(column): position for position, column in enumerate(table.columns)}
    at = next((names[name] for name in _FILE if name in names), None)
    if at is None:
        found = f"no column with the image's name among: {', '.join(table.columns)}"
        raise refused(table.file, [Problem(table.file, 1, None, found, "file_name")])
    has_id, has_split = any(name in names for name in _IDS), not prefix or "split" in names
    columns = (*table.columns, *(() if has_id else ("id",)), *(() if has_split else ("split",)))
    rows: list[Cells] = []
    for cells in table.rows:
        image = cells[at]
        if isinstance(image, str) and image:
            image = prefix + image
        named = without_extension(image) if isinstance(image, str) else image
        row = [image if k == at else cell for k, cell in enumerate(cells)]
        row += [] if has_id else [ABSENT if named is None else named]
        row += [] if has_split else [prefix.rstrip("/")]
        rows.append(tuple(row))
    name = prefix + table.file
    return Table(
        name, columns, table.lines, rows, table.typed, table.sha256, table.separator, table.problems, table.notes
    )
