"""Many pairs: who does the work changes no edit."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text import align
from annotator.text.align import align_many, align_texts
from annotator.text.bitrows import edit_steps
from annotator.text.bulk import COMPILED_FROM, BulkSteps, chunks
from tests.text.strategies import pairs


def long_pairs(count: int) -> list[tuple[list[str], list[str]]]:
    rng = random.Random(count)
    return [(rng.choices("abcd", k=40), rng.choices("abcd", k=rng.randint(20, 60))) for _ in range(count)]


@given(st.lists(st.integers(), max_size=20), st.integers(1, 7))
def test_chunks_cut_without_loss(rows: list[int], size: int) -> None:
    cut = list(chunks(rows, size))
    assert [row for chunk in cut for row in chunk] == rows
    assert all(len(chunk) == size for chunk in cut[:-1])


def test_long_pairs_go_to_compiled_code_once_there_was_enough_of_them() -> None:
    rows = long_pairs(30)
    bulk = BulkSteps(rows_before_loading=1)
    assert bulk.steps(rows) == [edit_steps(*row) for row in rows]
    assert "annotator.text.compiled" in sys.modules


def test_short_pairs_stay_in_python() -> None:
    bulk = BulkSteps(rows_before_loading=0)
    assert bulk.steps([(["a"], ["b"])] * 3) == [[(0, 0, 0)]] * 3
    assert bulk.rows == 0 < COMPILED_FROM


@given(st.lists(pairs, max_size=5))
def test_a_stream_in_small_chunks_is_each(rows: list[tuple[str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(align, "_CHUNK", 2)
        patch.setattr(align, "_REMEMBERED_LENGTH", 3)
        assert list(align_many(iter(rows * 2))) == [align_texts(*row) for row in rows * 2]


def test_a_stream_is_not_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(align, "_CHUNK", 2)
    read = []

    def source() -> object:
        for at in range(6):
            read.append(at)
            yield "a", str(at)

    stream = align_many(source())  # type: ignore[arg-type]
    next(stream)
    assert read == [0, 1]
