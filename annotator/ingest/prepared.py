"""Files that passed every check that needs no project: what the use cases write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotator.ingest.predictionrows import CheckedPredictions
from annotator.ingest.report import Mapped, Warned
from annotator.ingest.tables import Table
from annotator.records import ItemRow


@dataclass(frozen=True, slots=True)
class PreparedItems:
    """A file of items. `given` names the fields that it has; the others stay as they are in the project.

    `image_problems` says by id why an image cannot be shown.
    """

    file: str
    sha256: str
    read: int
    rows: tuple[ItemRow, ...]
    given: frozenset[str]
    root: Path
    image_problems: Mapping[str, str]
    duplicates: tuple[str, ...]
    mapping: tuple[Mapped, ...]
    warnings: tuple[Warned, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreparedPredictions:
    """A file of predictions. `given` names the fields that it has, `parses` whether texts were parsed from responses."""

    table: Table
    checked: CheckedPredictions
    mapping: tuple[Mapped, ...]
    notes: tuple[str, ...]
    parses: bool
    given: frozenset[str]
