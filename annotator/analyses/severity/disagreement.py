"""`report disagreement`: items in the order of how far the systems disagree, for items without gold above all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from annotator.records import Query
from annotator.store.project import Project, read_revision
from annotator.store.reading import read_items, read_runs, read_texts
from annotator.text.align import align_texts


@dataclass(frozen=True, slots=True)
class DisagreementRow:
    """One item: mean CER over all pairs of its `n` answers, each pair taken both ways; `None` when all are empty."""

    id: str
    n: int
    disagreement: float | None
    texts: dict[str, str]
    why: dict[str, str]


@dataclass(frozen=True, slots=True)
class DisagreementReport:
    """Items with two answers or more, the most disagreed first. `fewer` items have less than two answers."""

    rows: tuple[DisagreementRow, ...]
    items: int
    fewer: int
    mean: float | None
    project_revision: int
    why: str = ""


def report_disagreement(project: Project, query: Query, with_gold: bool = False, limit: int = 50) -> DisagreementReport:
    """Order the items without gold by the disagreement of their answers; all items with `with_gold`, or when all have gold."""
    with project.read() as connection:
        items = read_items(connection, query.benchmark)
        texts: dict[int, dict[str, str]] = defaultdict(dict)
        for run in read_runs(connection, query.systems, query.conditions):
            found = read_texts(connection, run.key)
            for key, text in zip(found.keys.tolist(), found.predicted, strict=True):
                texts[key][run.name] = text
        revision = read_revision(connection)
    with_gold = with_gold or None not in items.gold
    language = query.language.casefold()
    rows, fewer = [], 0
    for at, key in enumerate(items.keys.tolist()):
        wanted = not language or items.language[at].casefold() == language
        if not wanted or (items.gold[at] is not None and not with_gold):
            continue
        said = texts.get(key, {})
        if len(said) < 2:
            fewer += 1
            continue
        value = mean_pairwise_cer(list(said.values()))
        why = {} if value is not None else {"disagreement": "all answers are empty"}
        rows.append(DisagreementRow(items.ids[at], len(said), value, said, why))
    rows.sort(key=lambda row: -(row.disagreement or 0.0))
    known = [row.disagreement for row in rows if row.disagreement is not None]
    mean = sum(known) / len(known) if known else None
    reason = "" if known else "no item has two answers with text"
    return DisagreementReport(tuple(rows[:limit]), len(rows), fewer, mean, revision, reason)


def mean_pairwise_cer(texts: Sequence[str]) -> float | None:
    """Mean CER over all pairs, each taken both ways; a pair with one empty side counts its defined direction alone."""
    rates: list[float] = []
    for one, other in combinations(texts, 2):
        distance = align_texts(one, other)
        for length in (distance.gold_length, distance.predicted_length):
            if length:
                rates.append(distance.distance / length)
    return sum(rates) / len(rates) if rates else None
