from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.strata.grid import (
    CELLS,
    CENTRE,
    CORNER,
    CellCount,
    Grid,
    cell_values,
    count_grid,
    decompose,
    find_gap,
    split_gap,
    stratify_gap,
)
from annotator.records import Cell

items = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5), st.booleans()), max_size=60)


def grid_of(rows: list[tuple[int, int, bool]]) -> Grid:
    word, ngram, correct = (np.array(column) for column in zip(*rows, strict=True)) if rows else (np.zeros(0, int),) * 3
    return count_grid(word.astype(np.int64), ngram.astype(np.int64), correct.astype(bool))


@given(items, items)
def test_grids_of_two_parts_add_up_to_the_grid_of_the_whole(
    first: list[tuple[int, int, bool]], second: list[tuple[int, int, bool]]
) -> None:
    assert grid_of(first) + grid_of(second) == grid_of(first + second)


@given(items)
def test_each_item_lies_in_exactly_one_cell(rows: list[tuple[int, int, bool]]) -> None:
    grid = grid_of(rows)
    for cell in CELLS:
        inside = [right for word, ngram, right in rows if (word, ngram) == (cell.word, cell.ngram)]
        assert (grid[cell].n, grid[cell].correct) == (len(inside), sum(inside))
    assert grid.total.n == sum(part.n for part in grid.along_word()) == sum(part.n for part in grid.along_ngram())


def test_a_selection_counts_each_cell_once() -> None:
    grid = grid_of([(5, 5, True), (5, 5, False), (3, 3, True)])
    assert grid.select([CORNER, CENTRE, CORNER]) == CellCount(3, 2, 2.0, 3.0)


def test_an_empty_cell_has_no_value() -> None:
    assert Grid()[CORNER].value is None
    assert Grid()[CORNER].accuracy is None


def test_a_pooled_metric_divides_the_sums() -> None:
    one = np.ones(2, np.int64)
    grid = count_grid(one, one, np.array([True, False]), np.array([0.0, 3.0]), np.array([4.0, 8.0]))
    assert grid[Cell(1, 1)].value == pytest.approx(3 / 12)
    assert grid[Cell(1, 1)].accuracy == 0.5


PAPER_TABLE_6 = {Cell(1, 1): 0.967, Cell(1, 5): 0.966, Cell(5, 1): 0.928, Cell(5, 5): 0.852}


def test_the_papers_accuracies_give_its_effects() -> None:
    found = decompose(PAPER_TABLE_6)
    effects = (found.marginal_ngram, found.marginal_word, found.conditional_ngram, found.joint)
    assert [round(100 * effect.value, 1) for effect in effects if effect.value is not None] == [-0.1, -3.9, -7.6, -11.5]
    assert found.adds_up


def test_an_effect_over_an_empty_cell_is_undefined_and_says_which() -> None:
    found = decompose({**PAPER_TABLE_6, Cell(1, 5): None})
    assert found.marginal_ngram.value is None
    assert found.marginal_ngram.why == "nothing measured in cell 1-5"
    assert found.adds_up
    assert decompose({}).adds_up is None


def test_the_gap_is_the_corner_minus_the_centre() -> None:
    grid = grid_of([(5, 5, True), (5, 5, False), (3, 3, True)])
    assert find_gap(grid).value == -0.5
    assert find_gap(Grid()).why == "nothing measured in cell 3-3 and 5-5"


def test_the_stratified_gap_removes_what_goes_with_the_benchmark() -> None:
    easy = grid_of([(3, 3, True)] * 9 + [(5, 5, True)] * 1)
    hard = grid_of([(3, 3, False)] * 1 + [(5, 5, False)] * 9)
    assert find_gap(easy + hard).value == pytest.approx(0.1 - 0.9)
    assert stratify_gap(split_gap({"easy": easy, "hard": hard})).value == 0.0


def test_benchmarks_without_both_cells_have_no_weight() -> None:
    whole = grid_of([(3, 3, True), (5, 5, False), (5, 5, True)])
    lone = grid_of([(5, 5, False)] * 50)
    assert stratify_gap(split_gap({"whole": whole, "lone": lone})).value == -0.5
    assert stratify_gap(split_gap({"lone": lone})).value is None
    assert cell_values(lone)[CORNER] == 0.0
