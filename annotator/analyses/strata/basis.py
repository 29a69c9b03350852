"""What every read-out of the grid rests on, and the stage that it is measured on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotator.analyses.dataset import load_dataset
from annotator.analyses.strata.grids import Stage, set_stage
from annotator.analyses.strata.placing import PlacingSummary, edges_path, load_placing
from annotator.records import Query
from annotator.store.project import Project


@dataclass(frozen=True, slots=True)
class Basis:
    """The reference, axes and language of a grid, what it left out, and what its figures depend on."""

    reference: str
    axes: str
    language: str
    languages_left_out: Mapping[str, int]
    kept: int
    dropped: int
    gold_wrong: int
    profile: str
    seed: int
    resamples: int
    project_revision: int
    alignment_version: str


@dataclass(frozen=True, slots=True)
class Staged:
    """The items and runs of a query on the grid."""

    stage: Stage
    summary: PlacingSummary

    @property
    def basis(self) -> Basis:
        """What the read-outs of this stage rest on."""
        data, summary = self.stage.data, self.summary
        return Basis(
            reference=summary.reference,
            axes=summary.axes,
            language=summary.language,
            languages_left_out=summary.languages_left_out,
            kept=summary.kept,
            dropped=summary.dropped,
            gold_wrong=data.left_out.gold_wrong,
            profile=data.query.profile,
            seed=data.query.seed,
            resamples=data.query.resamples,
            project_revision=data.revision,
            alignment_version=data.alignment_version,
        )


def load_stage(project: Project, query: Query) -> Staged:
    """The items and runs of `query` on the grid; the same errors as `load_placing`."""
    data = load_dataset(project, replace(query, language=""))
    placing = load_placing(project, query, data.items, data.revision)
    return Staged(set_stage(project, query, data, placing), placing.summary)


def edges_mark(query: Query) -> float:
    """When the edges file was last changed, 0 without one: a report is remembered for one state of the file."""
    path = edges_path(query.edges)
    return path.stat().st_mtime if path is not None and path.is_file() else 0.0
