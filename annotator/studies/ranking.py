"""Systems ranked from preferences: head to head, and Bradley-Terry scores with item-bootstrap intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UsageError
from annotator.records import Query
from annotator.stats.bradleyterry import connected_groups, log_strengths
from annotator.stats.intervals import wilson_interval
from annotator.store.project import Project
from annotator.store.study_records import Maker, RatingRow
from annotator.studies.answers import StudyData, counted, load_study
from annotator.studies.kinds import BOTH_BAD, TIE, StudyKind

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Answers on pairs of two systems, `a` before `b` by name. `share` is a's wins over decided answers."""

    a: str
    b: str
    n: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    share: float | None
    low: float | None
    high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system's log strength (mean 0 in its group; a difference is the log odds of a win) with its 95 % interval.

    `group` numbers systems that met, directly or through others; scores of different groups cannot be compared.
    """

    system: str
    score: float
    low: float | None
    high: float | None
    n: int
    wins: float
    group: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Systems, strongest first within their group, with the head-to-head table behind them."""

    rows: tuple[Ranked, ...]
    pairs: tuple[HeadToHead, ...]
    answers: int
    both_bad: int
    items: int


@dataclass(frozen=True, slots=True)
class _Game:
    item: str
    a: str
    b: str
    value: str


def rank_systems(
    project: Project,
    study: str,
    *,
    rater: str = "",
    language: str = "",
    seed: int = 0,
    resamples: int = 1_000,
    kinds: Sequence[str] = ("person", "import"),
    query: Query | None = None,
) -> Ranking:
    """Rank the systems of a preference study over all raters or one, and all languages or one.

    An output that several systems made counts for each of them. Ties are half a win for both; both-bad answers are left
    out and counted. `query` keeps some of the tasks, as in `load_study`. Raises `UsageError` for a study of another kind.
    """
    data = load_study(project, study, query)
    games = list(_games(data, _answers(data, rater, kinds), language))
    decided = [game for game in games if game.value != BOTH_BAD]
    names = sorted({name for game in games for name in (game.a, game.b)})
    wins = _win_table(decided, names)
    draws = _draws(decided, names, np.random.default_rng(seed), resamples)
    rows = _rows(names, wins, draws)
    return Ranking(rows, _pairs(games), len(games), len(games) - len(decided), len({game.item for game in games}))


def _answers(data: StudyData, rater: str, kinds: Sequence[str]) -> list[RatingRow]:
    if data.study.kind != StudyKind.PREFERENCE:
        raise UsageError(f"{data.study.name} is of kind {data.study.kind}; expected a preference study")
    rows = counted(data.study, data.ratings, kinds)
    return [row for row in rows if not rater or row.rater == rater]


def _games(data: StudyData, rows: Iterable[RatingRow], language: str) -> Iterable[_Game]:
    tasks = {task.key: task for task in data.tasks}
    for row in rows:
        task = tasks[row.task_key]
        if language and task.language != language:
            continue
        makers = data.makers.get(row.task_key, ())
        for a in (_name(m) for m in makers if m.side == "a"):
            for b in (_name(m) for m in makers if m.side == "b"):
                yield _Game(task.item_id, a, b, row.value or "")


def _name(maker: Maker) -> str:
    return maker.system if maker.condition == "default" else f"{maker.system}@{maker.condition}"


def _win_table(games: Iterable[_Game], names: Sequence[str]) -> Floats:
    place = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for game in games:
        a, b = place[game.a], place[game.b]
        share = {"a": 1.0, "b": 0.0, TIE: 0.5}[game.value]
        wins[a, b] += share
        wins[b, a] += 1 - share
    return wins


def _draws(games: Sequence[_Game], names: Sequence[str], rng: np.random.Generator, resamples: int) -> Floats:
    """Log strengths per resample of items; each item keeps all its answers."""
    by_item: defaultdict[str, list[_Game]] = defaultdict(list)
    for game in games:
        by_item[game.item].append(game)
    if len(by_item) < 2 or not resamples:
        return np.empty((0, len(names)))
    tables = np.stack([_win_table(group, names) for group in by_item.values()])
    picked = rng.multinomial(len(tables), np.full(len(tables), 1 / len(tables)), size=resamples)
    sums = np.tensordot(picked, tables, axes=(1, 0))
    groups = connected_groups(tables.sum(axis=0))
    return _centred(log_strengths(sums), groups)


def _centred(logs: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    for group in groups:
        logs[..., list(group)] -= logs[..., list(group)].mean(axis=-1, keepdims=True)
    return logs


def _rows(names: Sequence[str], wins: Floats, draws: Floats) -> tuple[Ranked, ...]:
    groups = connected_groups(wins)
    logs = _centred(log_strengths(wins), groups)
    rows = []
    for number, group in enumerate(groups, 1):
        for i in sorted(group, key=lambda k: -logs[k]):
            low, high = np.percentile(draws[:, i], [2.5, 97.5]) if len(draws) else (None, None)
            games = float(wins[i].sum() + wins[:, i].sum())
            rows.append(
                Ranked(
                    names[i],
                    float(logs[i]),
                    None if low is None else float(low),
                    None if high is None else float(high),
                    round(games),
                    float(wins[i].sum()),
                    number,
                    _why(wins, i, len(group)),
                )
            )
    return tuple(rows)


def _why(wins: Floats, i: int, group: int) -> str:
    if group == 1:
        return "met no other system in a decided answer"
    if not wins[:, i].sum():
        return "never lost: its score is held finite by half a win and half a loss against an average system"
    if not wins[i].sum():
        return "never won: its score is held finite by half a win and half a loss against an average system"
    return ""


def _pairs(games: Iterable[_Game]) -> tuple[HeadToHead, ...]:
    table: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    swap = {"a": "b", "b": "a"}
    for game in games:
        if game.a == game.b:
            continue
        first, second = sorted((game.a, game.b))
        table[first, second].append(game.value if game.a == first else swap.get(game.value, game.value))
    return tuple(_head_to_head(a, b, values) for (a, b), values in sorted(table.items()))


def _head_to_head(a: str, b: str, values: Sequence[str]) -> HeadToHead:
    won, lost = values.count("a"), values.count("b")
    interval = wilson_interval(won, won + lost)
    share, why = (won / (won + lost), "") if won + lost else (None, "no decided answer")
    ties, bad = values.count(TIE), values.count(BOTH_BAD)
    return HeadToHead(a, b, len(values), won, lost, ties, bad, share, interval.low, interval.high, why)
