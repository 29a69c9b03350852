"""`report realword`: how many letter errors form another word, against chance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import load_items
from annotator.analyses.sampling import Codes, clusters_of, rng_for
from annotator.analyses.severity.wordlists import primary_language, word_list
from annotator.metrics.severity.classes import LETTER_ERRORS, classify_edit
from annotator.metrics.severity.realwords import CORRUPTIONS, LetterErrors, Letters, corrupt, letter_errors
from annotator.metrics.severity.rubric import bare_word
from annotator.metrics.severity.words import edited_words
from annotator.records import Query
from annotator.stats.bootstrap import bootstrap_rate, bootstrap_rate_difference
from annotator.store.project import Project
from annotator.store.reading import ItemTable, RunRow, read_runs
from annotator.store.severities import Line, iter_lines
from annotator.text.align import Op
from annotator.text.graphemes import split_graphemes

LEAST = 30
SEEN = 2
PAIRS = "zh"
Floats = npt.NDArray[np.float64]
IsWord = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class RealWordRow:
    """One run in one language. Of `letter_errors`, `share` form another word; `chance`: of random ones of the same shape.

    `difference` = share - chance with its paired interval. Shares are `None` under 30 letter errors; Chinese has no chance, nor have golds without
    a letter.
    """

    system: str
    condition: str
    language: str
    letter_errors: int
    share: float | None
    low: float | None
    high: float | None
    chance: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    word_list: bool
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RealWordReport:
    """Rows per run and language."""

    rows: tuple[RealWordRow, ...]
    corruptions: int
    seed: int
    resamples: int
    project_revision: int


@dataclass(frozen=True, slots=True)
class _Language:
    """What counts as a word of a language here, and the letters of its golds."""

    name: str
    is_word: IsWord
    letters: Letters
    listed: bool


@dataclass(frozen=True, slots=True)
class _Item:
    """Letter errors of one answer, how many form a word, and how many random ones would (mean of the corruptions)."""

    at: int
    errors: int
    real: float
    chance: float


def report_realword(project: Project, query: Query) -> RealWordReport:
    """Real-word errors against chance (semCER, section D.3), seeded.

    A word is one seen twice or more in the golds of the language, or in its word list. In Chinese it is a pair of
    neighbouring characters found in the golds.
    """
    scope = load_items(project, query)
    clusters = clusters_of(project, scope.items, query)
    languages = _languages(scope.items)
    at_item = {item_id: at for at, item_id in enumerate(scope.items.ids)}
    with project.read() as connection:
        runs = read_runs(connection, query.systems, query.conditions)
    rows = []
    for run in runs:
        found: dict[str, list[_Item]] = defaultdict(list)
        with project.read() as connection:
            for line in iter_lines(connection, run.key):
                at = at_item.get(line.item_id)
                if at is not None:
                    language = languages[primary_language(line.language, line.gold)]
                    rng = rng_for(query.seed, "realword", run.name, line.item_id)
                    if (item := _item(at, line, language, rng)) is not None:
                        found[language.name].append(item)
        rows += [_row(query, run, languages[name], items, clusters) for name, items in sorted(found.items())]
    return RealWordReport(tuple(rows), CORRUPTIONS, query.seed, query.resamples, scope.revision)


def _languages(items: ItemTable) -> dict[str, _Language]:
    golds: dict[str, list[str]] = defaultdict(list)
    for tag, gold in zip(items.language, items.gold, strict=True):
        golds[primary_language(tag, gold or "")].append(gold or "")
    return {name: _language(name, texts) for name, texts in golds.items()}


def _language(name: str, golds: Sequence[str]) -> _Language:
    clusters = Counter(unit for gold in golds for unit in split_graphemes(gold.casefold()) if unit[0].isalpha())
    letters = Letters(tuple(clusters), np.cumsum(list(clusters.values()), dtype=np.float64))
    if name == PAIRS:
        pairs = {a + b for gold in golds for a, b in _neighbours(split_graphemes(gold))}
        return _Language(name, pairs.__contains__, letters, False)
    words = Counter(bare_word(word) for gold in golds for word in gold.split())
    seen = {word for word, count in words.items() if count >= SEEN and word}
    listed = word_list(name)
    return _Language(
        name, lambda word: word in seen or (listed is not None and listed.is_word(word)), letters, listed is not None
    )


def _neighbours(units: Sequence[str]) -> list[tuple[str, str]]:
    return [(a, b) for a, b in pairwise(units) if a[0].isalpha() and b[0].isalpha()]


def _item(at: int, line: Line, language: _Language, rng: np.random.Generator) -> _Item | None:
    if language.name == PAIRS:
        return _pairs_item(at, line, language)
    found = [errors for word in edited_words(line.gold, line.alignment)
             if (errors := letter_errors(word, line.alignment.edits)) is not None]  # fmt: skip
    if not found:
        return None
    real = sum(errors.n for errors in found if _forms(errors.after, errors, language))
    return _Item(at, sum(errors.n for errors in found), float(real), sum(_chance(e, language, rng) for e in found))


def _forms(word: str, errors: LetterErrors, language: _Language) -> bool:
    return word != errors.before and language.is_word(word)


def _chance(errors: LetterErrors, language: _Language, rng: np.random.Generator) -> float:
    if not language.letters.clusters:
        return 0.0  # never read: the row has no chance
    hits = sum(_forms(corrupt(errors, language.letters, rng), errors, language) for _ in range(CORRUPTIONS))
    return errors.n * hits / CORRUPTIONS


def _pairs_item(at: int, line: Line, language: _Language) -> _Item | None:
    """Chinese: an error forms a word when the character read makes a pair of the golds with a neighbour in the output.

    A deletion has no character: the two that it leaves side by side are the pair.
    """
    units = split_graphemes(line.predicted)
    errors = [e for e in line.alignment.edits if classify_edit(e.gold, e.predicted) in LETTER_ERRORS]
    if not errors:
        return None
    real = 0
    for edit in errors:
        place = edit.predicted_index
        spans = [(place - 1, place)] if edit.op is Op.DELETION else [(place - 1, place), (place, place + 1)]
        real += any(a >= 0 and b < len(units) and language.is_word(units[a] + units[b]) for a, b in spans)
    return _Item(at, len(errors), float(real), 0.0)


def _row(query: Query, run: RunRow, language: _Language, items: Sequence[_Item], clusters: Codes | None) -> RealWordRow:
    errors, real, chance = (
        np.array([float(getattr(item, name)) for item in items]) for name in ("errors", "real", "chance")
    )
    n = int(errors.sum())
    codes = None if clusters is None else clusters[[item.at for item in items]]

    def rng(what: str) -> np.random.Generator:
        return rng_for(query.seed, "realword", what, run.name, language.name)

    share = bootstrap_rate(real, errors, rng("share"), query.resamples, codes)
    gap = bootstrap_rate_difference((real, errors), (chance, errors), rng("gap"), query.resamples, codes)
    if n < LEAST:
        why = f"{n} letter errors; at least {LEAST} are needed"
        empty = (None,) * 7
        return RealWordRow(
            run.system, run.condition, language.name, n, *empty, language.listed, {"share": why, "chance": why}
        )
    if language.name == PAIRS:
        no_chance = "undefined for pairs of characters"
    else:
        no_chance = "" if language.letters.clusters else "the golds of the language hold no letter to draw"
    against = not no_chance
    return RealWordRow(
        run.system,
        run.condition,
        language.name,
        n,
        share.value,
        share.low,
        share.high,
        gap.b if against else None,
        gap.difference if against else None,
        gap.low if against else None,
        gap.high if against else None,
        language.listed,
        {"chance": no_chance} if no_chance else {},
    )
