"""The bit-parallel table: the same edits with and without blocks, either way round."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from annotator.text import bitrows
from annotator.text.graphemes import split_graphemes
from tests.text.oracle import textbook_edits
from tests.text.strategies import pairs

NAMES = ("sub", "del", "ins")


def named(gold: list[str], predicted: list[str]) -> list[tuple[str, int, int]]:
    return [(NAMES[kind], i, j) for kind, i, j in bitrows.edit_steps(gold, predicted)]


@given(pairs)
def test_blocks_change_no_edit(pair: tuple[str, str]) -> None:
    gold, predicted = (split_graphemes(text) for text in pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bitrows, "TABLE_BITS", 0)
        assert named(gold, predicted) == textbook_edits(gold, predicted)


@pytest.mark.parametrize(("n", "m"), [(70, 65), (64, 130), (130, 3), (3, 130), (200, 180)])
@pytest.mark.parametrize("table_bits", [0, 1 << 26])
def test_longer_than_a_machine_word(n: int, m: int, table_bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitrows, "TABLE_BITS", table_bits)
    rng = random.Random(n * m)
    for alphabet in ("ab", "abcdefgh"):
        gold, predicted = (rng.choices(alphabet, k=size) for size in (n, m))
        assert named(gold, predicted) == textbook_edits(gold, predicted)
