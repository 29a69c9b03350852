"""Dual annotation: does an answer match the verbatim text, the standard form, or neither (BanglaWild, Table 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.analyses.dataset import Dataset, Scored
from annotator.metrics.outcomes import Outcome, OutcomeCounts, classify_outcome, count_outcomes, has_outcome
from annotator.store.detail import ItemFields, read_item_fields
from annotator.store.errorblocks import read_pairs
from annotator.store.project import Project
from annotator.store.reading import RunRow

NO_STANDARD = "no answered item has a standard form that differs from gold"


@dataclass(frozen=True, slots=True)
class DualRow:
    """One run over the items whose standard form differs from gold. Shares are of `n` answered items.

    verbatim, standard, neither: the outcomes literal, canonical, other (case and white space folded). The `_equal`
    shares ask for the same code points instead, nothing folded.
    """

    system: str
    condition: str
    role: str
    n: int
    missing: int
    verbatim: float | None
    standard: float | None
    neither: float | None
    verbatim_equal: float | None
    standard_equal: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """An over-correction: the answer is the standard form, not what is written."""

    item: ItemFields
    run: RunRow
    predicted: str


def dual_rows(project: Project, data: Dataset) -> tuple[DualRow, ...]:
    """Verbatim, standard or neither, for every run of `data`; empty when no item has a standard form of its own."""
    standards = _standards(data)
    return tuple(_row(project, data, scored, standards) for scored in data.runs) if standards else ()


def _standards(data: Dataset) -> dict[int, tuple[str, str]]:
    texts = zip(data.items.keys.tolist(), data.items.gold, data.items.standard, strict=True)
    return {key: (gold, standard) for key, gold, standard in texts if gold and has_outcome(gold, standard)}


def _row(project: Project, data: Dataset, scored: Scored, standards: dict[int, tuple[str, str]]) -> DualRow:
    answers = _answers(project, data, scored, standards)
    counts = count_outcomes([classify_outcome(*standards[key], text) for key, text in answers])
    n = counts.n
    return DualRow(
        system=scored.run.system,
        condition=scored.run.condition,
        role=scored.run.role,
        n=n,
        missing=len(standards) - n,
        verbatim=counts.literal_accuracy,
        standard=counts.rewriting_rate,
        neither=counts.other_rate,
        verbatim_equal=_share(sum(text == standards[key][0] for key, text in answers), counts),
        standard_equal=_share(sum(text == standards[key][1] for key, text in answers), counts),
        why="" if n else NO_STANDARD,
    )


def _answers(
    project: Project, data: Dataset, scored: Scored, standards: dict[int, tuple[str, str]]
) -> Sequence[tuple[int, str]]:
    with project.read() as connection:
        pairs = read_pairs(connection, scored.run.key, data.query.own_gold, frozenset(standards))
    return [(pair.item_key, pair.predicted) for pair in pairs]


def _share(part: int, counts: OutcomeCounts) -> float | None:
    return part / counts.n if counts.n else None


def over_corrections(project: Project, data: Dataset, limit: int = 20) -> tuple[Correction, ...]:
    """Answers that are the standard form where gold departs from it, in the order of runs and items."""
    standards = _standards(data)
    found: list[Correction] = []
    for scored in data.runs:
        texts = _answers(project, data, scored, standards)
        canonical = {key: text for key, text in texts if classify_outcome(*standards[key], text) is Outcome.CANONICAL}
        keys = list(canonical)[: limit - len(found)]
        with project.read() as connection:
            items = read_item_fields(connection, keys)
        found += [Correction(item, scored.run, canonical[item.key]) for item in items]
    return tuple(found)
