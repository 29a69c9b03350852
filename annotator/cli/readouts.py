"""What the read-outs of the grid share on the command line: the document and its foot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


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
