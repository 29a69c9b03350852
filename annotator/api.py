"""The public Python interface: open a project, and read scores, strata, outcomes, classes and agreement as data frames.

Every function takes a project (or the path of its folder) and the fields of `annotator.records.Query` as keywords
(`systems=("a",)`, `benchmark="svt"`, `profile="full"`, `seed=1` ...), and gives the numbers of the page and the command.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.records import Query
from annotator.store.project import Project
from annotator.store.project import open_project as _open

if TYPE_CHECKING:
    import pandas as pd

    from annotator.exports.writing import Table

Where = Project | Path | str


def open_project(folder: Path | str, *, create: bool = False) -> Project:
    """Open the project in `folder`; `create` makes one when there is none.

    Raises `annotator.errors.ProjectMissingError` without one, `StoreError` when the file is not a project.
    """
    return _open(Path(folder), create=create)


def scores(project: Where, by: str = "", **query: Any) -> pd.DataFrame:
    """One row per system and condition (and value of the attribute `by`): CER with interval, WER, exact, semCER ..."""
    from annotator.analyses.scores import report_scores

    return _frame(report_scores(_project(project), Query(**query), by).rows)


def strata(project: Where, metric: str = "", **query: Any) -> pd.DataFrame:
    """One row per system and condition: aggregate, corner, centre, gap with interval, gap stratified by benchmark."""
    from annotator.analyses.strata.report import report_strata

    rows = [
        {
            "system": s.system,
            "condition": s.condition,
            "n": s.n,
            "aggregate": s.aggregate.value,
            "corner": s.gap.corner,
            "n_corner": s.gap.n_corner,
            "centre": s.gap.centre,
            "n_centre": s.gap.n_centre,
            "gap": s.gap.value,
            "gap_low": s.gap.low,
            "gap_high": s.gap.high,
            "gap_stratified": s.gap_stratified.value,
        }
        for s in report_strata(_project(project), Query(**query), metric).systems
    ]
    return _table(rows)


def grid(project: Where, system: str, condition: str = "default", metric: str = "", **query: Any) -> pd.DataFrame:
    """The 25 cells of one run as rows: word quintile, n-gram quintile (1-5), n, correct, value (`None` when empty).

    Raises `annotator.errors.UsageError` for a system or condition that the project does not know.
    """
    from annotator.analyses.strata.report import report_strata
    from annotator.records import Cell

    asked = Query(**{"systems": (system,), "conditions": (condition,), **query})
    (found,) = report_strata(_project(project), asked, metric).systems
    cells = [(w, g, found.grid[Cell(w, g)]) for w in range(1, 6) for g in range(1, 6)]
    return _table([{"word": w, "ngram": g, "n": c.n, "correct": c.correct, "value": c.value} for w, g, c in cells])


def outcomes(project: Where, macro: str = "", **query: Any) -> pd.DataFrame:
    """One row per system and condition: Literal, Canonical, Other, literal accuracy, rewriting rate with interval."""
    from annotator.analyses.outcomes.report import report_outcomes

    return _frame(report_outcomes(_project(project), Query(**query), macro=macro).rows)


def taxonomy(project: Where, script: str = "auto", **query: Any) -> pd.DataFrame:
    """One row per system, condition and error class: events of the class (`count`), their share, events in all."""
    from annotator.analyses.taxonomy import report_taxonomy

    rows = [
        {
            "system": r.system,
            "condition": r.condition,
            "class": name,
            "count": n,
            "share": r.shares[name],
            "events": r.events,
        }
        for r in report_taxonomy(_project(project), Query(**query), script).rows
        for name, n in r.counts.items()
    ]
    return _table(rows)


def severity(project: Where, provider: str = "rubric", **query: Any) -> pd.DataFrame:
    """One row per system and condition: semCER with interval, CER, normalized CER, coverage."""
    from annotator.analyses.severity.report import report_severity

    return _frame(report_severity(_project(project), Query(**query), provider).rows)


def compare(project: Where, a: str, b: str, metric: str = "", cell: str = "", **query: Any) -> pd.Series[Any]:
    """Two runs (`system` or `system@condition`) on the items both answered: n, a, b, delta, interval, p, verdict.

    `metric` is exact match unless named; `cell` is "I-J" (word quintile, n-gram quintile), "" for all items.
    Raises `annotator.errors.UsageError` for a run, metric or cell that there is none of.
    """
    import pandas as pd

    from annotator.analyses.compare import compare_runs
    from annotator.analyses.names import require_cell

    found = compare_runs(_project(project), Query(**query), a, b, require_cell(cell) if cell else None, metric)
    return pd.Series(dataclasses.asdict(found.paired))


def predictions(project: Where, classes: bool = False, **query: Any) -> pd.DataFrame:
    """One row per prediction, in the columns of `export predictions`; `classes` adds its error classes."""
    from annotator.exports.tables import predictions_table

    return _exported(predictions_table(_project(project), Query(**query), classes))


def edits(project: Where, provider: str = "", **query: Any) -> pd.DataFrame:
    """One row per edit of every alignment with gold, its severity (by `provider`) and error class."""
    from annotator.exports.tables import edits_table

    return _exported(edits_table(_project(project), Query(**query), provider))


def agreement(ratings: pd.DataFrame, level: str = "ordinal") -> pd.Series[Any]:
    """Agreement of a table with the columns item, rater and value: alpha with interval, ICC(2,k), kappa per pair, why."""
    import pandas as pd

    from annotator.stats.agreement import rate_agreement

    table = ratings.astype(object).where(ratings.notna(), None)
    triples = list(table[["item", "rater", "value"]].itertuples(index=False, name=None))
    found = rate_agreement(triples, level)
    return pd.Series({f.name: getattr(found, f.name) for f in dataclasses.fields(found)})


def _project(project: Where) -> Project:
    return project if isinstance(project, Project) else open_project(project)


def _frame(rows: tuple[Any, ...]) -> pd.DataFrame:
    return _table([dataclasses.asdict(row) for row in rows])


def _exported(table: Table) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(table.rows), columns=list(table.columns))


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)
