"""The demo project: the shipped items and recognisers' outputs, brought in by the ordinary import."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import InputError
from annotator.ingest.items import import_items
from annotator.ingest.predictions import import_predictions
from annotator.store.imports import was_imported
from annotator.store.names import read_names
from annotator.store.project import Project, open_project
from annotator.store.systems import describe_system

DATA = Path(__file__).resolve().parents[2] / "data" / "demo"
# system -> family, what its confidence is
SYSTEMS = {
    "tesseract": ("Tesseract", "engine-score"),
    "tesseract-nodict": ("Tesseract", "engine-score"),
    "ppocr": ("PP-OCR", "softmax"),
}


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What the demo project holds. `written` counts the rows that this call added: 0 when all was there."""

    project: Path
    items: int
    systems: tuple[str, ...]
    predictions: int
    written: int

    def document(self) -> dict[str, Any]:
        """The `--json` document: `systems` is their number, `system_names` their names."""
        return {
            "project": str(self.project),
            "items": self.items,
            "systems": len(self.systems),
            "predictions": self.predictions,
            "system_names": list(self.systems),
            "written": self.written,
        }


def build_demo(folder: Path, data: Path = DATA) -> DemoReport:
    """Build the demo project in `folder` from the files in `data`; a second call changes nothing.

    Files that were imported before are not read again, so corrections and new predictions stay. No recogniser is run.
    Raises `InputError` when the shipped files are not there.
    """
    items = data / "items.csv"
    if not items.is_file():
        raise InputError(f"the demo set is not in {data}: expected items.csv there. Run from a checkout of Verbatim.")
    project = open_project(folder, create=True)
    written = 0
    if not _seen(project, "items", items):
        written += import_items(project, items).written
    for name in (*SYSTEMS, "conditions"):
        file = data / f"predictions_{name}.jsonl"
        if not _seen(project, "predictions", file):
            written += import_predictions(project, file).written
    _describe(project)
    with project.read() as connection:
        names = read_names(connection, 0)
    return DemoReport(folder, names.items, names.systems, names.predictions, written)


def _seen(project: Project, kind: str, file: Path) -> bool:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    with project.read() as connection:
        return was_imported(connection, kind, digest)


def _describe(project: Project) -> None:
    """Note family and kind of confidence; the revision goes up only with the imports, before any report is read."""
    with project.write(raises_revision=False) as connection:
        for name, (family, kind) in SYSTEMS.items():
            describe_system(connection, name, family=family, confidence_kind=kind)
