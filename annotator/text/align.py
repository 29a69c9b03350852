"""Alignment of gold and predicted text, with the same edits everywhere.

Unit-cost Levenshtein over grapheme clusters with a fixed walk back from the end: the diagonal first (match or
substitution), then a deletion, then an insertion. The convention is that of the semcer package, edit for edit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex

from annotator.text.bitrows import DELETION, INSERTION, SUBSTITUTION, Step, edit_steps
from annotator.text.bulk import BulkSteps, chunks
from annotator.text.graphemes import Unit, split_units
from annotator.text.profiles import Profile, apply_profile

_OWN_VERSION = "1"
_CACHED_PAIRS = 1 << 13
_CACHED_LENGTH = 1 << 8
_CHUNK = 1 << 10
_REMEMBERED_LENGTH = 1 << 20


class Op(StrEnum):
    """The kind of an edit: gold unit replaced, gold unit missing from predicted, predicted unit that gold lacks."""

    SUBSTITUTION = "sub"
    DELETION = "del"
    INSERTION = "ins"


_OPS = (Op.SUBSTITUTION, Op.DELETION, Op.INSERTION)


@dataclass(frozen=True, slots=True)
class Edit:
    """One substitution, deletion or insertion. Indices count units from 0.

    A deletion has `predicted == ""` and `predicted_index` max(j - 1, 0), where j predicted units are already consumed;
    an insertion has `gold == ""` and the gold index that it precedes (the gold length at the end).
    """

    op: Op
    gold_index: int
    predicted_index: int
    gold: str
    predicted: str


@dataclass(frozen=True, slots=True)
class Alignment:
    """The non-match edits of one pair in reading order, and its counts; lengths are in units after the profile."""

    edits: tuple[Edit, ...]
    gold_length: int
    predicted_length: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def matches(self) -> int:
        """Gold units that predicted has: gold_length - substitutions - deletions."""
        return self.gold_length - self.substitutions - self.deletions

    @property
    def distance(self) -> int:
        """The Levenshtein distance: the number of edits."""
        return len(self.edits)


def alignment_version() -> str:
    """What the edits depend on: own version, `regex` version and Unicode version, as `1/regex-2026.11.19/unicode-16.0`."""
    return f"{_OWN_VERSION}/regex-{regex.__version__}/unicode-{unicodedata.unidata_version}"


def align_texts(gold: str, predicted: str, unit: str = Unit.GRAPHEME, profile: str = Profile.RAW) -> Alignment:
    """Align two texts after `profile`, in `unit`s (`grapheme` or `codepoint`).

    Either side may be empty: then every unit of the other is one edit. Exact at any length: two texts of n and m units
    cost about n * m / 64 machine operations and memory for about sqrt(min(n, m)) rows of max(n, m) bits once the table is
    large. Recent short pairs are remembered. Raises UsageError for an unknown unit or profile.
    """
    if len(gold) + len(predicted) <= _CACHED_LENGTH:
        return _cached(gold, predicted, str(unit), str(profile))
    return _align(gold, predicted, unit, profile)


def align_many(
    pairs: Iterable[tuple[str, str]], unit: str = Unit.GRAPHEME, profile: str = Profile.RAW
) -> Iterator[Alignment]:
    """Align a stream of (gold, predicted) pairs: the same as `align_texts` for each, in their order, and faster.

    A pair that came before (within a bounded memory) is computed once; many long pairs go to compiled code. Nothing is
    read ahead by more than one chunk of pairs. Raises UsageError for an unknown unit or profile, before the first pair.
    """
    split_units(apply_profile("", profile), unit)
    return _stream(pairs, unit, profile)


def _stream(pairs: Iterable[tuple[str, str]], unit: str, profile: str) -> Iterator[Alignment]:
    bulk = BulkSteps()
    known: dict[tuple[str, str], Alignment] = {}
    length = 0
    for chunk in chunks(pairs, _CHUNK):
        new = [pair for pair in dict.fromkeys(chunk) if pair not in known]
        sides = [_split(*pair, unit, profile) for pair in new]
        known.update(zip(new, map(_alignment, sides, bulk.steps(sides)), strict=True))
        yield from map(known.__getitem__, chunk)
        length += sum(len(gold) + len(predicted) for gold, predicted in new)
        if length > _REMEMBERED_LENGTH:
            known.clear()
            length = 0


def align_units(gold: Sequence[str], predicted: Sequence[str]) -> Alignment:
    """Align two lists of units that are already split."""
    return _alignment((gold, predicted), edit_steps(gold, predicted))


def _alignment(sides: tuple[Sequence[str], Sequence[str]], steps: list[Step]) -> Alignment:
    gold, predicted = sides
    kinds = [step[0] for step in steps]
    return Alignment(
        tuple(
            [
                Edit(_OPS[kind], i, j, gold[i] if kind != INSERTION else "", predicted[j] if kind != DELETION else "")
                for kind, i, j in steps
            ]
        ),
        len(gold),
        len(predicted),
        kinds.count(SUBSTITUTION),
        kinds.count(DELETION),
        kinds.count(INSERTION),
    )


def _split(gold: str, predicted: str, unit: str, profile: str) -> tuple[list[str], list[str]]:
    units = split_units(apply_profile(gold, profile), unit, composed=True)
    if gold == predicted:
        return units, units
    return units, split_units(apply_profile(predicted, profile), unit, composed=True)


def _align(gold: str, predicted: str, unit: str, profile: str) -> Alignment:
    return align_units(*_split(gold, predicted, unit, profile))


_cached = lru_cache(_CACHED_PAIRS)(_align)
