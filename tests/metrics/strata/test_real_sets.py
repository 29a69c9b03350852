"""The grid of two real sets, to the figure."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from annotator.metrics.strata.axes import axis_pair
from annotator.metrics.strata.grid import (
    CENTRE,
    CORNER,
    Grid,
    cell_values,
    count_grid,
    decompose,
    find_gap,
    split_gap,
    stratify_gap,
)
from annotator.metrics.strata.labels import Axes, Letters, choose_axes, drop_reason, fold_label
from annotator.metrics.strata.quintiles import Quintiles, assign_quintiles
from annotator.metrics.strata.reference import load_wordfreq
from annotator.text.profiles import apply_profile

pytestmark = pytest.mark.shared


@dataclass(frozen=True)
class Placed:
    ids: list[str]
    golds: dict[str, str]
    benchmarks: list[str]
    quintiles: Quintiles
    dropped: Counter[str]

    def grids(self, answers: Mapping[str, str]) -> dict[str, Grid]:
        right = np.array([fold(answers[id]) == fold(self.golds[id]) for id in self.ids])
        where = np.array(self.benchmarks)
        parts = {name: where == name for name in self.quintiles.edges}
        return {
            name: count_grid(self.quintiles.word[here], self.quintiles.ngram[here], right[here])
            for name, here in parts.items()
        }


def fold(text: str) -> str:
    return apply_profile(text, "str")


def read_tsv(path: Path) -> Iterator[dict[str, str]]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def place(rows: Sequence[Mapping[str, str]], axes: Axes, language: str) -> Placed:
    pair = axis_pair(axes, load_wordfreq(language))
    kept = [row for row in rows if drop_reason(fold_label(row["gold"]), axes, Letters.ASCII) is None]
    placements = [pair.place(fold_label(row["gold"])) for row in kept]
    benchmarks = [row.get("benchmark", "") for row in kept]
    values = np.array([(p.word_value, p.ngram_value) for p in placements])
    all_of, kept_of = Counter(row.get("benchmark", "") for row in rows), Counter(benchmarks)
    return Placed(
        [row["id"] for row in kept],
        {row["id"]: row["gold"] for row in rows},
        benchmarks,
        assign_quintiles(benchmarks, values[:, 0], values[:, 1]),
        all_of - kept_of,
    )


@pytest.fixture(scope="module")
def scene_words(shared_data: Path) -> Placed:
    rows = list(read_tsv(shared_data / "str" / "items.tsv"))
    assert choose_axes(row["gold"] for row in rows) == Axes.WORD
    return place(rows, Axes.WORD, "en")


@pytest.mark.parametrize(
    ("system", "aggregate", "corner", "centre", "gap", "stratified"),
    [
        ("ppocrv6_small", 89.29, 81.46, 92.18, -10.71, -9.84),
        ("ppocrv4_ch", 81.84, 76.26, 85.37, -9.11, -8.06),
        ("easyocr_crnn", 57.01, 51.54, 60.88, -9.34, -8.29),
        ("tesseract_dict", 59.83, 47.48, 68.71, -21.23, -20.14),
    ],
)
def test_scene_words(
    shared_data: Path,
    scene_words: Placed,
    system: str,
    aggregate: float,
    corner: float,
    centre: float,
    gap: float,
    stratified: float,
) -> None:
    lines = (shared_data / "str" / f"predictions_{system}.jsonl").read_text(encoding="utf-8").splitlines()
    answers = {row["id"]: row["text"] for row in map(json.loads, lines)}
    grids = scene_words.grids(answers)
    pooled = sum(grids.values(), Grid())
    right = [fold(answers[id]) == fold(gold) for id, gold in scene_words.golds.items()]
    assert round(100 * sum(right) / len(right), 2) == aggregate
    assert (pooled[CORNER].n, pooled[CENTRE].n, pooled.total.n) == (615, 294, 5798)
    found = (pooled[CORNER].value, pooled[CENTRE].value, find_gap(pooled).value, stratify_gap(split_gap(grids)).value)
    assert tuple(round(100 * value, 2) for value in found if value is not None) == (corner, centre, gap, stratified)
    assert decompose(cell_values(pooled)).marginal_ngram.why == "nothing measured in cell 1-5"


def test_scene_words_that_stay_out(scene_words: Placed) -> None:
    assert scene_words.dropped == Counter(iiit5k=583, ic15=182, cute80=53, svtp=22, svt=19)


@pytest.fixture(scope="module")
def scene_lines(shared_data: Path) -> Placed:
    rows = list(read_tsv(shared_data / "bctr" / "items_scene.tsv.gz"))
    assert choose_axes(row["gold"] for row in rows) == Axes.CHARACTER
    return place(rows, Axes.CHARACTER, "zh")


@pytest.mark.parametrize(
    ("system", "gap"),
    [
        ("ASTER", -14.33),
        ("CRNN", -11.87),
        ("SAR", -10.27),
        ("SEED", -14.51),
        ("TransOCR", -14.59),
        ("TransOCR_radical", -13.83),
    ],
)
def test_scene_lines_of_chinese(shared_data: Path, scene_lines: Placed, system: str, gap: float) -> None:
    rows = read_tsv(shared_data / "bctr" / f"predictions_scene_{system}.tsv.gz")
    grid = scene_lines.grids({row["id"]: row["text"] for row in rows})[""]
    assert (grid[CORNER].n, grid[CENTRE].n, grid.total.n) == (7839, 3023, 57456)
    value = find_gap(grid).value
    assert value is not None
    assert round(100 * value, 2) == gap
