"""Which class an edit of the grapheme alignment belongs to: the class of the event whose words it lies in."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.metrics.taxonomy.events import ErrorClass, ErrorEvent
from annotator.text.align import Edit, Op
from annotator.text.graphemes import split_graphemes


def edit_classes(
    gold: str, predicted: str, edits: Sequence[Edit], events: Sequence[ErrorEvent]
) -> tuple[ErrorClass | None, ...]:
    """The class of each of `edits`, given the `events` of the same pair.

    `edits` are those of `align_texts(gold, predicted)` in grapheme clusters under the profile `raw`. A deletion or
    substitution lies in its gold word, an insertion in its predicted word; a space in the words on both of its sides.
    Where the two alignments see a change in different words, the nearest event stands. Edits of a pair without events
    differ in white space alone: `None`.
    """
    if not events:
        return (None,) * len(edits)
    left, right = _word_numbers(gold), _word_numbers(predicted)
    return tuple(_class_of(edit, left, right, events) for edit in edits)


def _word_numbers(text: str) -> list[float]:
    """For each cluster the number of its word; half-way between two words for white space, and for the text's end."""
    numbers: list[float] = []
    word = -0.5
    for cluster in split_graphemes(text):
        if cluster.isspace() == (word % 1 == 0):
            word += 0.5
        numbers.append(word)
    return [*numbers, word]


def _class_of(edit: Edit, left: list[float], right: list[float], events: Sequence[ErrorEvent]) -> ErrorClass:
    inserted = edit.op is Op.INSERTION
    place = right[edit.predicted_index] if inserted else left[edit.gold_index]

    def distance(event: ErrorEvent) -> float:
        start, end = event.predicted_words if inserted else event.gold_words
        return max(start - place, place - (end - 1), 0)

    return min(events, key=distance).error_class
