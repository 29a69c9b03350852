"""The words around an edit: the gold word that it falls in, and that word rebuilt with its edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotator.text.align import Alignment, Edit, Op
from annotator.text.graphemes import split_graphemes


@dataclass(frozen=True, slots=True)
class EditedWord:
    """A gold word (white-space token) and the same word with its edits applied.

    `edits` are the positions in `alignment.edits` that fall in it, `places` where each stands in `after` (in clusters).
    White space after a word belongs to it: an edit of that white space is an edit of the word on its left.
    """

    before: str
    after: str
    edits: tuple[int, ...]
    places: tuple[int, ...]


def edited_words(gold: str, alignment: Alignment) -> Iterator[EditedWord]:
    """Every gold word that has an edit, in order. `gold` is the text that was aligned, under profile raw."""
    units = split_graphemes(gold)
    at_place: dict[int, list[int]] = {}
    for number, edit in enumerate(alignment.edits):
        at_place.setdefault(edit.gold_index, []).append(number)
    for start, end in _spans(units):
        numbers = [n for place in range(start, end) for n in at_place.get(place, ())]
        if end == len(units):
            numbers += [n for n in at_place.get(end, ()) if alignment.edits[n].op is Op.INSERTION]
        if numbers:
            yield _rebuild(units, start, end, [(n, alignment.edits[n]) for n in numbers])


def _spans(units: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open spans that cover all units: each word with the white space that follows it."""
    start = 0
    for at in range(1, len(units)):
        if units[at - 1].isspace() and not units[at].isspace() and not all(unit.isspace() for unit in units[start:at]):
            yield start, at
            start = at
    yield start, len(units)


def _rebuild(units: Sequence[str], start: int, end: int, edits: Sequence[tuple[int, Edit]]) -> EditedWord:
    here: dict[int, list[tuple[int, Edit]]] = {}
    for number, edit in edits:
        here.setdefault(edit.gold_index, []).append((number, edit))
    out: list[str] = []
    places: dict[int, int] = {}
    for place in range(start, end + 1):
        kept = [units[place]] if place < end else []
        for number, edit in here.get(place, ()):
            places[number] = len(out)
            if edit.op is Op.INSERTION:
                out.append(edit.predicted)
            else:
                kept = [edit.predicted] if edit.predicted else []
        out += kept
    skipped = next((i for i, unit in enumerate(out) if not unit.isspace()), 0)
    numbers = tuple(number for number, _ in edits)
    return EditedWord(
        "".join(units[start:end]).strip(),
        "".join(out).strip(),
        numbers,
        tuple(max(places[number] - skipped, 0) for number in numbers),
    )
