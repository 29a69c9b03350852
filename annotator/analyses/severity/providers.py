"""Providers that charge edits from the line alone: rubric rules, unit, filter label, real-word label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from annotator.analyses.severity.wordlists import primary_language, word_list
from annotator.errors import UsageError
from annotator.metrics.severity.levels import level_severity
from annotator.metrics.severity.rubric import RUBRIC_VERSION, EditInContext, Rating, WordList, rate_edit
from annotator.metrics.severity.words import edited_words
from annotator.store.severities import Charge, Line
from annotator.text.align import Edit
from annotator.text.profiles import PROFILE_VERSION, apply_profile

DEFAULT_PROVIDER = "rubric"

WordLists = Callable[[str], WordList | None]


class Provider(Protocol):
    """One source of severities. `version` changes whenever its charges may: stored charges of another are stale."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def version(self) -> str: ...

    def charge_lines(self, lines: Iterable[Line]) -> Iterator[Charge]:
        """The charges of the edits of lines, in their order; an edit that is not charged stays unscored."""
        ...


@dataclass(frozen=True, slots=True)
class LineProvider:
    """A provider made of one function from an edit in its line to a severity (`None`: unscored)."""

    name: str
    version: str
    severities: Callable[[Line], Sequence[float | None]]

    @property
    def kind(self) -> str:
        return self.name

    def charge_lines(self, lines: Iterable[Line]) -> Iterator[Charge]:
        for line in lines:
            for at, severity in enumerate(self.severities(line)):
                if severity is not None:
                    yield Charge(line.prediction_key, at, severity)


def explain_line(line: Line, lists: WordLists = word_list) -> tuple[Rating, ...]:
    """The rubric rules' rating of every edit of a line, with the rule that fired."""
    words = lists(primary_language(line.language, line.gold))
    found: dict[int, Rating] = {}
    for context, number in _contexts(line):
        found[number] = rate_edit(context, words)
    return tuple(found[number] for number in range(len(line.alignment.edits)))


def _contexts(line: Line) -> Iterator[tuple[EditInContext, int]]:
    for word in edited_words(line.gold, line.alignment):
        for number, place in zip(word.edits, word.places, strict=True):
            yield EditInContext(line.alignment.edits[number], word.before, word.after, place), number


def _rubric(line: Line) -> Sequence[float]:
    return [level_severity(rating.level) for rating in explain_line(line)]


def _unit(line: Line) -> Sequence[float]:
    return [1.0] * len(line.alignment.edits)


def _filter(line: Line) -> Sequence[float]:
    return [filter_label(edit) for edit in line.alignment.edits]


def filter_label(edit: Edit) -> float:
    """1 when the edit survives the omni2025 filter (white space, punctuation and symbols dropped), else 0."""
    return float(apply_profile(edit.gold, "omni2025") != apply_profile(edit.predicted, "omni2025"))


def _real_word(line: Line) -> Sequence[float | None]:
    words = word_list(primary_language(line.language, line.gold))
    if words is None:
        return [None] * len(line.alignment.edits)
    labels: dict[int, float] = {}
    for context, number in _contexts(line):
        before, after = context.before.casefold(), context.after.casefold()
        labels[number] = float(before != after and words.is_word(after))
    return [labels[number] for number in range(len(line.alignment.edits))]


def _wordfreq_version() -> str:
    from importlib.metadata import version

    return version("wordfreq")


def built_in(name: str) -> Provider:
    """A built-in provider by name. Raises `UsageError` with the names there are."""
    if name not in _MAKERS:
        raise UsageError(f"unknown severity provider: found {name!r}; expected one of: {', '.join(_MAKERS)}")
    return _MAKERS[name]()


_MAKERS: dict[str, Callable[[], Provider]] = {
    "rubric": lambda: LineProvider("rubric", f"{RUBRIC_VERSION}/wordfreq-{_wordfreq_version()}", _rubric),
    "unit": lambda: LineProvider("unit", "1", _unit),
    "filter-label": lambda: LineProvider("filter-label", f"1/profiles-{PROFILE_VERSION}", _filter),
    "real-word-label": lambda: LineProvider("real-word-label", f"1/wordfreq-{_wordfreq_version()}", _real_word),
}
BUILT_IN = tuple(_MAKERS)
