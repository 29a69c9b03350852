"""Stage 2, first half: gold's words aligned with predicted's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rapidfuzz.distance import Levenshtein

_TABLE_LIMIT = 200_000
_SPAN_LIMIT = 100
_EVENT = 1 << 40  # events are counted before characters


@dataclass(frozen=True, slots=True)
class Word:
    """One word: as `written`, its NFC `text`, its `key` without case, its `core` without punctuation too."""

    written: str
    text: str
    key: str
    core: str


@dataclass(frozen=True, slots=True)
class Span:
    """Gold's words `gold_start:gold_end` beside predicted's. `respaced`: equal once spaces are removed."""

    gold_start: int
    gold_end: int
    predicted_start: int
    predicted_end: int
    respaced: bool = False


def align_words(gold: Sequence[Word], predicted: Sequence[Word]) -> list[Span]:
    """Align two lists of words; the spans cover both lists in order, one or no word a side unless respaced.

    A span that is equal once its spaces are removed (punctuation aside) counts as one event, like a word that is
    substituted, missing or added. Fewest events; among those, fewest code points changed, so that a word meets the one
    that it resembles; then splits and merges, substitutions, missing words, added words. Words equal at both ends are
    settled first. Over 200,000 word pairs, equal words are settled first by `rapidfuzz`, and what lies between
    them word for word when it is still too large.
    """
    first, last = _equal_ends(gold, predicted)
    end, other_end = len(gold) - last, len(predicted) - last
    spans = [Span(i, i + 1, i, i + 1) for i in range(first)]
    spans += _align_middle(gold, predicted, (first, end, first, other_end))
    spans += [Span(end + k, end + k + 1, other_end + k, other_end + k + 1) for k in range(last)]
    return spans


Window = tuple[int, int, int, int]


def _equal_ends(gold: Sequence[Word], predicted: Sequence[Word]) -> tuple[int, int]:
    shorter = min(len(gold), len(predicted))
    first = 0
    while first < shorter and gold[first].text == predicted[first].text:
        first += 1
    last = 0
    while last < shorter - first and gold[-1 - last].text == predicted[-1 - last].text:
        last += 1
    return first, last


def _align_middle(gold: Sequence[Word], predicted: Sequence[Word], window: Window) -> list[Span]:
    a, b, c, d = window
    if (b - a) * (d - c) <= _TABLE_LIMIT:
        return _align_table(gold, predicted, window)
    spans: list[Span] = []
    left, right = [word.text for word in gold[a:b]], [word.text for word in predicted[c:d]]
    for block in Levenshtein.opcodes(left, right):
        part = (a + block.src_start, a + block.src_end, c + block.dest_start, c + block.dest_end)
        small = (part[1] - part[0]) * (part[3] - part[2]) <= _TABLE_LIMIT
        spans += _align_table(gold, predicted, part) if small and block.tag != "equal" else _word_for_word(part)
    return spans


def _word_for_word(window: Window) -> list[Span]:
    a, b, c, d = window
    pairs = min(b - a, d - c)
    spans = [Span(a + k, a + k + 1, c + k, c + k + 1) for k in range(pairs)]
    spans += [Span(i, i + 1, d, d) for i in range(a + pairs, b)]
    return spans + [Span(b, b, j, j + 1) for j in range(c + pairs, d)]


def _align_table(gold: Sequence[Word], predicted: Sequence[Word], window: Window) -> list[Span]:
    """The table over one window; `back` holds the start of the last span of the best alignment that ends at a cell."""
    a, b, c, d = window
    if a == b or c == d or (b - a == 1 and d - c == 1):
        return _word_for_word(window)
    respaced = _respaced_ends(gold, predicted, window)
    cost = _first_rows(gold, predicted, window)
    back: dict[tuple[int, int], Span] = {}
    for i, left in enumerate(gold[a:b], a + 1):
        above, row = cost[i - 1 - a], cost[i - a]
        missing = _EVENT + len(left.key)
        for j, right in enumerate(predicted[c:d], c + 1):
            same = left.text == right.text
            best = above[j - 1 - c] + (0 if same else _EVENT + Levenshtein.distance(left.key, right.key))
            start = i - 1, j - 1
            if above[j - c] + missing < best:
                best, start = above[j - c] + missing, (i - 1, j)
            if row[j - 1 - c] + _EVENT + len(right.key) < best:
                best, start = row[j - 1 - c] + _EVENT + len(right.key), (i, j - 1)
            back[i, j] = Span(start[0], i, start[1], j)
            for span in respaced.get((i, j), ()):
                whole = cost[span.gold_start - a][span.predicted_start - c] + _EVENT
                if whole <= best:
                    best, back[i, j] = whole, span
            row[j - c] = best
    return _walk_back(back, window)


def _first_rows(gold: Sequence[Word], predicted: Sequence[Word], window: Window) -> list[list[int]]:
    """The table with its first row and column: words of one side only."""
    a, b, c, d = window
    missing = accumulate((_EVENT + len(word.key) for word in gold[a:b]), initial=0)
    rows = [[price] + [0] * (d - c) for price in missing]
    rows[0] = list(accumulate((_EVENT + len(word.key) for word in predicted[c:d]), initial=0))
    return rows


def _walk_back(back: Mapping[tuple[int, int], Span], window: Window) -> list[Span]:
    a, i, c, j = window
    spans = []
    while i > a and j > c:
        spans.append(back[i, j])
        i, j = spans[-1].gold_start, spans[-1].predicted_start
    return _word_for_word((a, i, c, j)) + spans[::-1]


def _respaced_ends(
    gold: Sequence[Word], predicted: Sequence[Word], window: Window
) -> dict[tuple[int, int], list[Span]]:
    """All shortest spans that are equal without spaces and punctuation but cut into other words, by where they end."""
    a, b, c, d = window
    found: dict[tuple[int, int], list[Span]] = {}
    for i in range(a, b):
        left = gold[i].core
        for j in range(c, d):
            right = predicted[j].core
            if left != right and left and right and (left.startswith(right) or right.startswith(left)):
                span = _extend(gold, predicted, (i, b, j, d))
                if span is not None:
                    found.setdefault((span.gold_end, span.predicted_end), []).append(span)
    return found


def _extend(gold: Sequence[Word], predicted: Sequence[Word], window: Window) -> Span | None:
    i, b, j, d = window
    end, other_end = i + 1, j + 1
    left, right = gold[i].core, predicted[j].core
    while left != right:
        if len(left) < len(right):
            if end == min(b, i + _SPAN_LIMIT) or not right.startswith(left):
                return None
            left += gold[end].core
            end += 1
        else:
            if other_end == min(d, j + _SPAN_LIMIT) or not left.startswith(right):
                return None
            right += predicted[other_end].core
            other_end += 1
    return Span(i, end, j, other_end, respaced=True)
