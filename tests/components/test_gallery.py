"""What a gallery sends to the browser."""

from __future__ import annotations

import pytest

from components.gallery import LONGEST_TILE, Tile, _drawn


@pytest.mark.parametrize(
    ("gold", "predicted", "runs"),
    [
        ("abc", "abX", [("match", "ab"), ("sub", "X")]),
        ("abc", None, [("note", "no answer")]),
        ("abc", "", [("note", "empty answer")]),
        (None, "abc", [("match", "abc")]),
        ("ab", "ab\u202e", [("match", "ab"), ("ins", "\\u202e")]),
    ],
)
def test_runs(gold: str | None, predicted: str | None, runs: list[tuple[str, str]]) -> None:
    assert _drawn(Tile("7", "", "no image", gold, predicted))["runs"] == runs


def test_a_long_answer_is_cut() -> None:
    runs = _drawn(Tile("7", "", "", "a", "b" * 20_000))["runs"]
    assert isinstance(runs, list)
    assert sum(len(text) for _, text in runs) <= LONGEST_TILE + 1


def test_direction_and_words() -> None:
    drawn = _drawn(Tile("7", "", "", "سلام", "سلم", language="ar", label="A"))
    assert drawn["dir"] == "rtl"
    assert drawn["words"] == "7: gold سلام; A سلم"
