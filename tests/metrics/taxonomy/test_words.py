"""Word alignment: splits and merges, the resembling word, and tables too large to fill."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.taxonomy import words
from annotator.metrics.taxonomy.words import Word, align_words

NAMED = [
    ("equal", "a b", "a b", ["a|a", "b|b"]),
    ("split", "ab c", "a b c", ["ab~a b", "c|c"]),
    ("merge", "a b c", "ab c", ["a b~ab", "c|c"]),
    ("cut elsewhere", "ab c", "a bc", ["ab c~a bc"]),
    ("split at a hyphen", "a-b c", "a b c", ["a-b~a b", "c|c"]),
    ("punctuation lost is no split", "a - b", "a b", ["a|a", "-|", "b|b"]),
    ("missing first", "xyz ab cd", "ab cd", ["xyz|", "ab|ab", "cd|cd"]),
    ("the resembling word", "house mouse", "mousse", ["house|", "mouse|mousse"]),
    ("nothing left", "a b", "", ["a|", "b|"]),
]


@pytest.mark.parametrize(("gold", "predicted", "expected"), [row[1:] for row in NAMED], ids=[row[0] for row in NAMED])
def test_named(gold: str, predicted: str, expected: list[str]) -> None:
    assert _align(gold.split(), predicted.split()) == expected


LISTS = st.lists(st.sampled_from(["a", "b", "ab", "ba", "aba", "-"]), max_size=7)


@given(LISTS, LISTS)
def test_spans_cover_both_sides_and_beat_word_for_word(gold: list[str], predicted: list[str]) -> None:
    left, right = _words(gold), _words(predicted)
    spans = align_words(left, right)
    assert [i for span in spans for i in range(span.gold_start, span.gold_end)] == list(range(len(gold)))
    assert [j for span in spans for j in range(span.predicted_start, span.predicted_end)] == list(range(len(predicted)))
    events = sum(
        span.respaced or gold[span.gold_start : span.gold_end] != predicted[span.predicted_start : span.predicted_end]
        for span in spans
    )
    assert events <= max(len(gold), len(predicted))


@given(LISTS, LISTS)
def test_too_large_a_table_still_covers_both_sides(gold: list[str], predicted: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_TABLE_LIMIT", 4)
        shown = _align(gold, predicted)
    assert "".join(part.replace("~", "|").partition("|")[0] for part in shown).replace(" ", "") == "".join(gold)


def test_a_large_table_meets_equal_words() -> None:
    gold = [f"w{n}" for n in range(600)]
    predicted = ["new", *gold[1:300], *gold[310:]]
    shown = _align(gold, predicted)
    assert [part for part in shown if part.partition("|")[0] != part.partition("|")[2]] == [
        "w0|new",
        *(f"w{n}|" for n in range(300, 310)),
    ]


def _words(texts: list[str]) -> list[Word]:
    return [Word(text, text, text, text.replace("-", "")) for text in texts]


def _align(gold: list[str], predicted: list[str]) -> list[str]:
    shown = []
    for span in align_words(_words(gold), _words(predicted)):
        left, right = gold[span.gold_start : span.gold_end], predicted[span.predicted_start : span.predicted_end]
        shown.append(" ".join(left) + ("~" if span.respaced else "|") + " ".join(right))
    return shown
