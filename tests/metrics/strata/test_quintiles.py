from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import FileError, UsageError
from annotator.metrics.strata.quintiles import assign_quintiles, find_edges, find_quintiles, read_edges
from tests.conftest import ROOT

values = st.lists(st.integers(0, 9).map(float), min_size=1, max_size=40)


@given(values)
def test_a_quintile_is_one_plus_the_edges_strictly_below(numbers: list[float]) -> None:
    edges = find_edges(np.array(numbers))
    quintiles = find_quintiles(np.array(numbers), edges).tolist()
    assert quintiles == [1 + sum(edge < number for edge in edges) for number in numbers]
    assert list(edges) == sorted(edges)


@given(values)
def test_equal_values_share_a_quintile_and_larger_ones_are_never_lower(numbers: list[float]) -> None:
    quintiles = find_quintiles(np.array(numbers), find_edges(np.array(numbers)))
    order = np.argsort(numbers, kind="stable")
    assert (np.diff(quintiles[order]) >= 0).all()
    assert len({(a, b) for a, b in zip(numbers, quintiles.tolist(), strict=True)}) == len(set(numbers))


def test_edges_are_the_linear_quantiles() -> None:
    assert find_edges(np.arange(11.0)) == (2.0, 4.0, 6.0, 8.0)


def test_each_benchmark_is_binned_apart_and_empty_quintiles_are_named() -> None:
    quintiles = assign_quintiles(
        ["a"] * 5 + ["b"] * 5,
        np.array([1.0, 2, 3, 4, 5, 10, 20, 30, 40, 50]),
        np.array([1.0, 2, 3, 4, 5, 7, 7, 7, 7, 7]),
    )
    assert quintiles.word.tolist() == [1, 2, 3, 4, 5] * 2
    assert quintiles.ngram.tolist() == [1, 2, 3, 4, 5] + [1] * 5
    assert quintiles.empty == tuple(("b", "ngram", quintile) for quintile in (2, 3, 4, 5))
    assert quintiles.edges["b"].ngram == (7.0,) * 4


def test_one_item_falls_into_the_first_cell() -> None:
    quintiles = assign_quintiles([""], np.array([3.0]), np.array([2.0]))
    assert (quintiles.word.tolist(), quintiles.ngram.tolist()) == ([1], [1])
    assert len(quintiles.empty) == 8


def test_the_published_edges_are_those_of_the_paper() -> None:
    published = read_edges(ROOT / "data" / "stratistr_edges.csv")
    assert published.references == ("MJSynth",)
    assert len(published.edges) == 6
    assert published.edges["iiit5k"].word == (1.20, 2.05, 2.81, 3.62)
    assert published.edges["cute80"].ngram == (1.30, 2.20, 3.00, 3.90)


def test_published_edges_match_benchmarks_without_regard_to_case() -> None:
    published = read_edges(ROOT / "data" / "stratistr_edges.csv")
    quintiles = assign_quintiles(["svt", "Svt"], np.array([1.10, 1.11]), np.array([3.85, 9.0]), published)
    assert quintiles.word.tolist() == [1, 2]
    assert quintiles.ngram.tolist() == [4, 5]


def test_a_benchmark_without_edges_is_named() -> None:
    published = read_edges(ROOT / "data" / "stratistr_edges.csv")
    with pytest.raises(UsageError, match="'coco'"):
        assign_quintiles(["coco"], np.array([1.0]), np.array([1.0]), published)


HEADER = "benchmark,axis,e1,e2,e3,e4,reference\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "lacks benchmark"),
        ("benchmark,axis,e1,e2,e3\n", "lacks e4"),
        (HEADER, "no row"),
        (HEADER + "a,word,1,2,2,1,r\n", "line 2, column e1..e4: found 1, 2, 2, 1"),
        (HEADER + "a,word,1,2,x,4,r\n", "four numbers"),
        (HEADER + "a,word,1,2,nan,4,r\n", "four numbers"),
        (HEADER + "a,depth,1,2,3,4,r\n", "'depth'"),
        (HEADER + "a,word,1,2,3,4,r\n", "'a' without the axis ngram"),
        (HEADER + "a,word,1,2,3,4,r\nA,word-freq,1,2,3,4,r\n", "a second row"),
        (HEADER + "a,word,1\n", "four numbers"),
    ],
)
def test_unusable_edges_files_name_the_fault(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=told):
        read_edges(path)


def test_an_edges_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_edges(tmp_path / "none.csv")


def test_the_papers_own_axis_names_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(HEADER + "a,word-freq,1,2,3,4,r\na,Trigram-Nov,1,1,1,1,r\n", encoding="utf-8")
    assert read_edges(path).edges["a"].ngram == (1.0, 1.0, 1.0, 1.0)
