"""Score files of the semcer package (JSONL with edit detail): references and hypotheses as pairs."""

from __future__ import annotations

from pathlib import Path

from annotator.ingest.formats.brought import Brought, make_table, nothing_in
from annotator.ingest.jsonrows import read_jsonl
from annotator.ingest.sources import Source, decode
from annotator.ingest.tables import Table

_TAKEN = {
    "id": "id",
    "reference": "gold",
    "hypothesis": "predicted",
    "system": "system",
    "language": "language",
    "document_id": "document",
}


def looks_like(table: Table) -> bool:
    """Whether a JSONL table is a score file: it has the package's own keys."""
    return {"id", "status", "n_edits", "signature"} <= set(table.columns)


def read(source: Source, folder: Path) -> Brought:
    """Read a score file as pairs. Its severities come in with `import severities`.

    Scores without edit detail have no texts and are refused.
    """
    return pairs_of(read_jsonl(source.name, decode(source), source.sha256), folder)


def pairs_of(table: Table, folder: Path) -> Brought:
    """The same from a table that was read already."""
    places = [(own, table.columns.index(name)) for name, own in _TAKEN.items() if name in table.columns]
    columns = [own for own, _ in places]
    if not {"gold", "predicted"} <= set(columns):
        found = "scores without texts"
        raise nothing_in(table.file, found, "reference and hypothesis: score with edit detail", table.problems)
    rows = [tuple(cells[position] for _, position in places) for cells in table.rows]
    made = make_table(
        table.file, columns, rows, sha256=table.sha256, lines=table.lines, problems=table.problems, notes=table.notes
    )
    return Brought(made, folder)
