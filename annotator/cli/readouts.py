"""What the read-outs of the grid share on the command line: the document, its foot, and cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotator.errors import UsageError
from annotator.records import Cell


def document_of(report: Any) -> dict[str, Any]:
    """A report as a `--json` document, with what it rests on at the top level."""
    import msgspec

    document: dict[str, Any] = msgspec.to_builtins(report)
    basis = document.pop("basis")
    return {**document, **basis}


def footer(document: dict[str, Any]) -> Iterator[str]:
    """The last lines of a table: reasons for what is undefined, and what the figures rest on."""
    if document.get("why"):
        yield f"note: {document['why']}"
    yield ""
    yield (
        f"{document['axes']} axes, reference {document['reference']}, language {document['language'] or '(none)'}, "
        f"kept {document['kept']}, dropped {document['dropped']}, gold wrong {document['gold_wrong']}, "
        f"seed {document['seed']}, {document['resamples']} resamples, revision {document['project_revision']}"
    )


def parse_cell(text: str) -> Cell:
    """`I-J`, or `UsageError`."""
    cell = Cell.parse(text)
    if cell is None:
        raise UsageError(f"--cell {text}: expected I-J, the word quintile and the n-gram quintile, each from 1 to 5")
    return cell
