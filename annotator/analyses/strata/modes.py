"""Why wrong predictions are wrong, per system and script, with a sample to review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator.analyses.memo import remembered
from annotator.analyses.references import Reference, open_reference
from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.basis import Basis, edges_mark, load_stage
from annotator.analyses.strata.grids import RunCells, Stage, runs_on
from annotator.metrics.strata.axes import AxisPair
from annotator.metrics.strata.grid import CELLS
from annotator.metrics.strata.labels import Axes
from annotator.metrics.strata.modes import ErrorMode, ModeVerdict, find_mode
from annotator.metrics.strata.tables import RankTable
from annotator.records import Cell, Query
from annotator.stats.intervals import wilson_interval
from annotator.store.project import Project
from annotator.store.reading import read_texts
from annotator.text.profiles import Profile, apply_profile_to_all
from annotator.text.scripts import dominant_script

ALL_SCRIPTS = "all"


@dataclass(frozen=True, slots=True)
class ModeRow:
    """The error modes of one run among its `wrong` answers, for golds of one script or `all` of them.

    `counts` has every mode; `commit` counts all but `abstain`, with its share of the wrong ones and Wilson interval.
    """

    system: str
    condition: str
    script: str
    n: int
    wrong: int
    counts: dict[str, int]
    abstain: int
    commit: int
    commit_share: float | None
    low: float | None
    high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class ModeExample:
    """One wrong answer with its mode and the rule that decided it."""

    item_id: str
    system: str
    condition: str
    script: str
    gold: str
    predicted: str
    mode: str
    rule: str


@dataclass(frozen=True, slots=True)
class ModeReport:
    """Rows per run and script, and a random sample of wrong answers for review (seed in `basis`)."""

    cell: str
    rows: tuple[ModeRow, ...]
    sample: tuple[ModeExample, ...]
    basis: Basis


def report_modes(project: Project, query: Query, cell: Cell | None = None, sample: int = 50) -> ModeReport:
    """The error mode of each wrong answer, in a cell or (without one) in the whole grid.

    Source: StratiSTR Table 4, section 4.4 and appendix L. Wrong goes by STR word accuracy; texts are compared under the
    `str` profile.
    """
    asked = (query, str(cell or ""), sample, edges_mark(query))
    return remembered(project, "modes", asked, ModeReport, lambda: _build(project, query, cell, sample))


def _build(project: Project, query: Query, cell: Cell | None, sample: int) -> ModeReport:
    staged = load_stage(project, query)
    stage = staged.stage
    judge = _Judge.over(open_reference(project, staged.summary.reference), Axes(staged.summary.axes))
    inside = stage.within([cell] if cell else CELLS)
    scripts = _scripts(stage, np.flatnonzero(inside).tolist())
    rows: list[ModeRow] = []
    examples: list[ModeExample] = []
    for run in runs_on(project, stage):
        used = inside & run.used
        answered = Counter(scripts[at] for at in np.flatnonzero(used).tolist())
        wrong = np.flatnonzero(used & ~np.asarray(run.scored.scores.str_exact, dtype=bool)).tolist()
        judged = _judged(project, query, run, wrong, judge, scripts)
        examples += judged
        rows += _rows(run, judged, answered)
    return ModeReport(str(cell or ""), tuple(rows), _sampled(examples, sample, query), staged.basis)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Finds modes over one reference corpus; repeated pairs are judged once."""

    words: RankTable
    axes: AxisPair
    known: dict[tuple[str, str], ModeVerdict]

    @classmethod
    def over(cls, reference: Reference, axes: Axes) -> _Judge:
        return cls(reference.words, reference.axis_pair(axes), {})

    def modes(self, golds: Sequence[str], predicted: Sequence[str]) -> list[ModeVerdict]:
        """The modes of pairs of texts as they are stored."""
        before, after = (apply_profile_to_all(texts, Profile.STR) for texts in (golds, predicted))
        pairs = list(zip(before, after, strict=True))
        for gold, answer in dict.fromkeys(pairs):
            if (gold, answer) not in self.known:
                self.known[gold, answer] = find_mode(gold, answer, self.words, self.axes)
        return [self.known[pair] for pair in pairs]


def _scripts(stage: Stage, places: Sequence[int]) -> dict[int, str]:
    return {at: dominant_script(stage.data.items.gold[at] or "") or "none" for at in places}


def _judged(
    project: Project, query: Query, run: RunCells, wrong: Sequence[int], judge: _Judge, scripts: dict[int, str]
) -> list[ModeExample]:
    with project.read() as connection:
        texts = read_texts(connection, run.scored.run.key)
    answers = dict(zip(texts.keys.tolist(), zip(texts.predicted, texts.own_gold, strict=True), strict=True))
    items = run.stage.data.items
    found = [answers.get(int(items.keys[at]), ("", None)) for at in wrong]
    predicted = [text for text, _ in found]
    golds = [
        own if query.own_gold and own is not None else items.gold[at] or ""
        for at, (_, own) in zip(wrong, found, strict=True)
    ]
    names = run.scored.run.system, run.scored.run.condition
    rows = zip(wrong, golds, predicted, judge.modes(golds, predicted), strict=True)
    return [
        ModeExample(items.ids[at], *names, scripts[at], gold, text, verdict.mode.value, verdict.rule)
        for at, gold, text, verdict in rows
    ]


def _rows(run: RunCells, judged: Sequence[ModeExample], answered: Counter[str]) -> list[ModeRow]:
    kinds = [ALL_SCRIPTS, *(script for script, _ in answered.most_common())] if len(answered) > 1 else [ALL_SCRIPTS]
    return [_row(run, judged, script, answered) for script in kinds]


def _row(run: RunCells, judged: Sequence[ModeExample], script: str, answered: Counter[str]) -> ModeRow:
    whole = script == ALL_SCRIPTS
    counts = Counter(example.mode for example in judged if whole or example.script == script)
    wrong, abstain = counts.total(), counts[ErrorMode.ABSTAIN]
    share = wilson_interval(wrong - abstain, wrong)
    return ModeRow(
        run.scored.run.system,
        run.scored.run.condition,
        script,
        answered.total() if whole else answered[script],
        wrong,
        {mode.value: counts[mode] for mode in ErrorMode},
        abstain,
        wrong - abstain,
        (wrong - abstain) / wrong if wrong else None,
        share.low,
        share.high,
        "" if wrong else "no answer is wrong",
    )


def _sampled(examples: Sequence[ModeExample], size: int, query: Query) -> tuple[ModeExample, ...]:
    if len(examples) <= size:
        return tuple(examples)
    chosen = rng_for(query.seed, "modes").choice(len(examples), size, replace=False)
    return tuple(examples[at] for at in sorted(chosen.tolist()))
