"""What kind of sign the differing code points of two close words are."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.metrics.taxonomy.parts import is_digit, is_punctuation
from annotator.metrics.taxonomy.scripts import ScriptTable
from annotator.text.graphemes import split_graphemes

_BAND = 4
_EDIT = 1 << 10  # edits are counted before unlike pairs


class Kind(StrEnum):
    """The kinds that the word rules tell apart."""

    VOWEL = "vowel signs"
    CONJUNCT = "hasanta or conjunct"
    HOMOPHONE = "consonants of one homophone class"
    NASAL = "nasal marks"
    DIGIT = "digits"
    PUNCTUATION = "punctuation"
    OTHER = "other letters"


@dataclass(frozen=True, slots=True)
class UnitEdit:
    """One differing unit (a letter with its nukta, or a sign): gold's and predicted's, `""` where there is none."""

    gold: str
    predicted: str
    gold_index: int
    predicted_index: int

    def __str__(self) -> str:
        if not self.gold:
            return f"{_visible(self.predicted)} added"
        return (
            f"{_visible(self.predicted)} for {_visible(self.gold)}" if self.predicted else f"{_visible(self.gold)} lost"
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """The unit edits of a word pair and the kinds of what differs, punctuation left out when there is more."""

    edits: tuple[UnitEdit, ...]
    kinds: frozenset[Kind]

    def __str__(self) -> str:
        return ", ".join(map(str, self.edits))


def compare_words(gold: str, predicted: str, table: ScriptTable) -> Difference:
    """Compare two words that are at most a few edits apart (the rules ask for fewer than three)."""
    left, right = letter_units(gold, table), letter_units(predicted, table)
    edits = unit_edits(left, right, table)
    kinds = _kinds(edits, left, right, table)
    return Difference(edits, kinds - {Kind.PUNCTUATION} or kinds)


def letter_units(word: str, table: ScriptTable) -> list[str]:
    """The code points of `word`, each letter with the marks that make another letter of it (nukta)."""
    units: list[str] = []
    for ch in unicodedata.normalize("NFD", word) if table.decompose else word:
        if units and ch in table.letter_marks:
            units[-1] += ch
        else:
            units.append(ch)
    return units


def unit_edits(gold: Sequence[str], predicted: Sequence[str], table: ScriptTable) -> tuple[UnitEdit, ...]:
    """The edits of the cheapest alignment in a band about the diagonal: fewest edits, then fewest unlike pairs.

    Like pairs are signs of one kind, homophones and digits. Units equal at both ends are settled first; ties go to the
    diagonal, then a deletion, then an insertion.
    """
    first = _common(gold, predicted)
    last = _common(gold[first:][::-1], predicted[first:][::-1])
    left, right = gold[first : len(gold) - last], predicted[first : len(predicted) - last]
    cost = _band_table(left, right, table)
    edits: list[UnitEdit] = []
    i, j = len(left), len(right)
    while i or j:
        here = cost[i, j]
        if i and j and cost.get((i - 1, j - 1), here + 1) + _price(left[i - 1], right[j - 1], table) == here:
            i, j = i - 1, j - 1
            if left[i] != right[j]:
                edits.append(UnitEdit(left[i], right[j], first + i, first + j))
        elif i and cost.get((i - 1, j), here) + _EDIT == here:
            i -= 1
            edits.append(UnitEdit(left[i], "", first + i, first + j))
        else:
            j -= 1
            edits.append(UnitEdit("", right[j], first + i, first + j))
    return tuple(reversed(edits))


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _band_table(gold: Sequence[str], predicted: Sequence[str], table: ScriptTable) -> dict[tuple[int, int], int]:
    infinite = _EDIT * (len(gold) + len(predicted) + 1)
    band = _BAND + abs(len(gold) - len(predicted))
    cost: dict[tuple[int, int], int] = {}
    for i in range(len(gold) + 1):
        for j in range(max(0, i - band), min(len(predicted), i + band) + 1):
            best = 0 if i == j == 0 else min(cost.get((i, j - 1), infinite), cost.get((i - 1, j), infinite)) + _EDIT
            if i and j:
                best = min(best, cost.get((i - 1, j - 1), infinite) + _price(gold[i - 1], predicted[j - 1], table))
            cost[i, j] = best
    return cost


def _price(a: str, b: str, table: ScriptTable) -> int:
    if a == b:
        return 0
    kinds = _substitution(a, b, table)
    return _EDIT + (len(kinds) > 1 or Kind.OTHER in kinds)


def _kind(unit: str, table: ScriptTable) -> Kind:
    if unit in table.vowel_signs:
        return Kind.VOWEL
    if unit in table.conjunct_signs:
        return Kind.CONJUNCT
    if unit in table.nasal_signs:
        return Kind.NASAL
    if is_digit(unit, table):
        return Kind.DIGIT
    return Kind.PUNCTUATION if is_punctuation(unit[0]) else Kind.OTHER


def _substitution(a: str, b: str, table: ScriptTable) -> frozenset[Kind]:
    if table.homophones.get(a, frozenset()) & table.homophones.get(b, frozenset()):
        return frozenset({Kind.HOMOPHONE})
    if table.vowel_letters.get(a, frozenset()) & table.vowel_letters.get(b, frozenset()):
        return frozenset({Kind.VOWEL})
    return frozenset({_kind(a, table), _kind(b, table)})


def _kinds(
    edits: Sequence[UnitEdit], gold: Sequence[str], predicted: Sequence[str], table: ScriptTable
) -> frozenset[Kind]:
    if _is_conjunct_part(edits, table) or _is_broken_conjunct(edits, gold, predicted, table):
        return frozenset({Kind.CONJUNCT})
    found: frozenset[Kind] = frozenset()
    for edit in edits:
        if edit.gold and edit.predicted:
            found |= _substitution(edit.gold, edit.predicted, table)
        else:
            found |= {_kind(edit.gold or edit.predicted, table)}
    return found


def _is_conjunct_part(edits: Sequence[UnitEdit], table: ScriptTable) -> bool:
    """A hasanta and the letter beside it are lost, or added, together: the conjunct lost or gained a member."""
    if len(edits) != 2:
        return False
    one, two = edits
    for units, indices in (
        ((one.gold, two.gold), (one.gold_index, two.gold_index)),
        ((one.predicted, two.predicted), (one.predicted_index, two.predicted_index)),
    ):
        alone = all(not (edit.gold and edit.predicted) for edit in edits)
        if alone and all(units) and indices[1] - indices[0] == 1:
            return {_kind(unit, table) for unit in units} == {Kind.CONJUNCT, Kind.OTHER}
    return False


def _is_broken_conjunct(
    edits: Sequence[UnitEdit], gold: Sequence[str], predicted: Sequence[str], table: ScriptTable
) -> bool:
    """A vowel sign stands for a hasanta (or the reverse), and nothing else changes but vowel signs of that conjunct."""
    pairs = [frozenset(_kind(unit, table) for unit in (e.gold, e.predicted) if unit) for e in edits]
    marks = frozenset({Kind.VOWEL, Kind.CONJUNCT})
    broken = [edit for edit, pair in zip(edits, pairs, strict=True) if pair == marks]
    if not broken or any(not (e.gold and e.predicted) for e in edits) or any(not pair <= marks for pair in pairs):
        return False
    joined_in_gold = _kind(broken[0].gold, table) is Kind.CONJUNCT
    clusters = _cluster_numbers(gold if joined_in_gold else predicted)
    return len({clusters[edit.gold_index if joined_in_gold else edit.predicted_index] for edit in edits}) == 1


def _cluster_numbers(units: Sequence[str]) -> list[int]:
    """For each unit, the number of the grapheme cluster that it lies in."""
    ends = [n for n, cluster in enumerate(split_graphemes("".join(units))) for _ch in cluster]
    numbers, at = [], 0
    for unit in units:
        numbers.append(ends[at])
        at += len(unit)
    return numbers


def looks_alike(edit: UnitEdit, table: ScriptTable) -> bool:
    """The two glyphs are of one group of look-alikes in the table."""
    return bool(table.confusables.get(edit.gold, frozenset()) & table.confusables.get(edit.predicted, frozenset()))


def _visible(unit: str) -> str:
    """A unit that can be read alone: a sign on a dotted circle, an invisible one by its code point."""
    category = unicodedata.category(unit[0])
    if category in ("Cf", "Cc"):
        return f"U+{ord(unit[0]):04X}"
    return f"◌{unit}" if category[0] == "M" else unit
