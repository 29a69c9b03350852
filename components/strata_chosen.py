"""What the strata page stands on, for everything below the grid."""

from __future__ import annotations

import dataclasses

from annotator.analyses.strata.report import StrataReport, SystemStrata
from annotator.records import Cell, Query
from annotator.store.names import ProjectNames
from annotator.store.project import Project
from components.tables import Column

RUN = (Column("system", "System"), Column("condition", "Condition"))


@dataclasses.dataclass(frozen=True, slots=True)
class Chosen:
    """What the page stands on: everything that a read-out may need."""

    project: Project
    query: Query
    names: ProjectNames
    report: StrataReport
    mine: SystemStrata
    cells: tuple[Cell, ...]

    @property
    def cell(self) -> Cell | None:
        """The cell when exactly one is chosen."""
        return self.cells[0] if len(self.cells) == 1 else None

    @property
    def run(self) -> str:
        return f"{self.mine.system}@{self.mine.condition}"
