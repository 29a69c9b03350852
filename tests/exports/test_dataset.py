"""A dataset from a transcription study: rows, splits, datasheet, what is left out."""

from __future__ import annotations

import csv
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import UsageError
from annotator.exports.dataset import assign_splits, export_dataset, zip_dataset
from annotator.store.project import Project
from annotator.studies.adjudicate import adjudicate, cases
from annotator.studies.kinds import StudyKind
from annotator.studies.work import current_desk
from annotator.studies.written import Written, write_written
from tests.studies.builders import PLAIN, answer, open_study, picture_project, seat


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Five images: three agreed on, one in dispute, one unreadable."""
    project = picture_project(tmp_path / "q" / "p", ("one", "two"), items=5)
    open_study(project, StudyKind.TRANSCRIPTION, overlap=2, settings=PLAIN)
    order: dict[int, int] = {}
    for turn in range(2):
        rater = seat(project)
        while (task := current_desk(project, rater).task) is not None:
            place = order.setdefault(task.task_key, len(order))
            text = Written(f"text {place}", labels={"font": "Printed"})
            if place == 3:
                text = Written(f"text {turn}")
            if place == 4:
                text = Written("", flags=("unreadable",))
            if place == 0:
                text = Written("tekst", standard="text")
            answer(project, rater, write_written(text))
    return project


def test_settled_items_with_splits_labels_and_a_datasheet(project: Project, tmp_path: Path) -> None:
    done = export_dataset(project, "s", tmp_path / "d.csv")
    with (tmp_path / "d.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["id", "gold", "standard", "image", "language", "document", "split", "flags", "font"]
    assert sorted((row["gold"], row["standard"]) for row in rows) == [("tekst", "text"), ("text 1", ""), ("text 2", "")]
    assert dict(done.left_out) == {"in dispute": 1, "unreadable": 1}
    sheet = done.datasheet.read_text(encoding="utf-8")
    for words in (
        "3 images",
        "1 (33.33 %) deviate",
        "Mean pairwise CER",
        "to be written by the owner",
        "kappa of font",
    ):
        assert words in sheet
    assert json.loads(done.table.meta.read_text(encoding="utf-8"))["left_out"] == {"in dispute": 1, "unreadable": 1}


def test_a_decision_brings_a_disputed_item_in(project: Project, tmp_path: Path) -> None:
    disputed = next(case for case in cases(project, "s") if case.disagreed)
    adjudicate(project, "s", disputed.task.number, Written("settled"))
    assert export_dataset(project, "s", tmp_path / "d.csv").table.rows == 4


@pytest.mark.parametrize("ratios", [(), (0, 0), (50, -10, 60)])
def test_shares_that_are_none_are_refused(project: Project, tmp_path: Path, ratios: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="expected shares"):
        export_dataset(project, "s", tmp_path / "d.csv", ratios)


def test_single_items_split_as_published() -> None:
    counts = Counter(assign_splits([str(i) for i in range(2535)], (50, 10, 40), seed=1))
    assert counts == {"train": 1268, "validation": 253, "test": 1014}


@settings(max_examples=50)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60), st.integers(0, 5))
def test_documents_stay_whole_and_the_seed_decides(groups: list[str], seed: int) -> None:
    splits = assign_splits(groups, (50, 10, 40), seed)
    assert splits == assign_splits(groups, (50, 10, 40), seed)
    assert len({(g, s) for g, s in zip(groups, splits, strict=True)}) == len(set(groups))


def test_one_zip_holds_the_files_of_the_export(project: Project, tmp_path: Path) -> None:
    export_dataset(project, "s", tmp_path / "dataset.csv", seed=3)
    done = zip_dataset(project, "s", tmp_path / "d.zip", seed=3)
    with zipfile.ZipFile(tmp_path / "d.zip") as bundle:
        assert bundle.namelist() == ["dataset.csv", "dataset.csv.meta.json", "datasheet.md"]
        for name in ("dataset.csv", "datasheet.md"):
            assert bundle.read(name) == (tmp_path / name).read_bytes()
    assert sum(done.splits.values()) == done.table.rows == 3
