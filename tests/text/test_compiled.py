"""The compiled table: the same edits as the textbook."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text import compiled
from annotator.text.bitrows import edit_steps
from annotator.text.compiled import edit_steps_many
from annotator.text.graphemes import split_graphemes
from tests.text.oracle import textbook_edits
from tests.text.strategies import pairs

NAMES = ("sub", "del", "ins")


@given(st.lists(pairs, min_size=1, max_size=4))
def test_edits_equal_the_textbook(rows: list[tuple[str, str]]) -> None:
    units = [(split_graphemes(gold), split_graphemes(predicted)) for gold, predicted in rows]
    found = [[(NAMES[kind], i, j) for kind, i, j in steps] for steps in edit_steps_many(units)]
    assert found == [textbook_edits(*pair) for pair in units]


@pytest.mark.parametrize("alphabet", [["a", "b"], list("abcdefgh"), ["ক", "ক্ষ", "খি", "a", "\U00050000"]])
def test_longer_than_a_machine_word(alphabet: list[str]) -> None:
    rng = random.Random(len(alphabet))
    rows = [[rng.choices(alphabet, k=rng.randint(0, 200)) for _ in range(2)] for _ in range(40)]
    units = [(gold, predicted) for gold, predicted in rows]
    assert edit_steps_many(units) == [edit_steps(*pair) for pair in units]


def test_tables_that_are_too_large_go_to_the_python_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_MAX_WORDS", 3)
    units = [(list("abc"), list("axc")), (list("a" * 70), list("b" * 5)), ([], ["x"])]
    assert edit_steps_many(units) == [edit_steps(*pair) for pair in units]


def test_more_units_than_codes_go_to_the_python_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_LAST_FREE", compiled._FIRST_FREE + 1)
    units = [([f"{at}\u0301" for at in range(9)], ["7\u0301", "0\u0301"]), (["a"], ["b"]), (["0\u0301"], ["1\u0301"])]
    assert edit_steps_many(units) == [edit_steps(*pair) for pair in units]


def test_nothing_gives_nothing() -> None:
    assert edit_steps_many([]) == []


def test_it_works_where_no_cache_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    real = numba.njit

    def njit(*args: object, **options: object) -> object:
        if options.get("cache"):
            raise RuntimeError("cannot cache function '_align': no locator available")
        return real(*args, **options)

    monkeypatch.setattr(numba, "njit", njit)
    compiled.kernel.cache_clear()
    assert callable(compiled.kernel())
    compiled.kernel.cache_clear()


def test_aligning_one_pair_loads_nothing_slow() -> None:
    code = "import sys; from annotator.text.align import align_texts; align_texts('abcd', 'xbyd'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "numpy", "pandas"} & set(loaded)
