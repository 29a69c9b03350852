"""The table that reports are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.dataset import load_dataset
from annotator.errors import UsageError
from annotator.records import MissingRule, Query
from annotator.store.project import Project
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [
        {"id": "a", "gold": "cat", "benchmark": "B1", "language": "en"},
        {"id": "b", "gold": "dogs", "benchmark": "B1", "language": "en"},
        {"id": "c", "gold": "", "benchmark": "B2", "language": "en"},
        {"id": "d", "gold": None, "benchmark": "B2", "language": "bn"},
        {"id": "e", "gold": "bird", "benchmark": "B2", "language": "bn", "mark": "gold-wrong"},
    ]
    answers = {
        "one": {"a": "cat", "b": "dog", "c": "x", "d": "y", "e": "z"},
        "two": {"b": "dogs"},
        "two@gray": {"a": ""},
    }
    return build_project(tmp_path, items, answers)


def test_rates_are_over_answered_items_with_gold(project: Project) -> None:
    data = load_dataset(project, Query())
    assert data.items.ids == ("a", "b", "c", "d")
    assert (data.left_out.gold_wrong, data.left_out.without_gold) == (1, 2)
    one, two, gray = data.runs
    assert (one.n, one.missing, two.n, two.missing, gray.n, gray.missing) == (2, 0, 1, 1, 1, 1)
    assert one.edits.tolist()[:2] == [0, 1]
    assert gray.scores.deletions.tolist()[0] == 3


def test_missing_may_count_as_an_empty_answer(project: Project) -> None:
    two = load_dataset(project, Query(missing=MissingRule.ERROR)).run("two")
    assert (two.n, two.missing) == (2, 1)
    assert two.edits.tolist()[:2] == [3, 0]


def test_the_second_load_reads_the_stored_block(project: Project) -> None:
    first = load_dataset(project, Query(profile="full"))
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM score_block").fetchone()[0] == 3
    second = load_dataset(project, Query(profile="full"))
    assert [run.edits.tolist() for run in first.runs] == [run.edits.tolist() for run in second.runs]
    assert [run.answered.tolist() for run in first.runs] == [run.answered.tolist() for run in second.runs]


def test_filters(project: Project) -> None:
    assert load_dataset(project, Query(benchmark="b2")).items.ids == ("c", "d")
    assert load_dataset(project, Query(language="EN")).items.ids == ("a", "b", "c")
    assert load_dataset(project, Query(keep_wrong_gold=True)).run("one").n == 3
    assert [r.run.name for r in load_dataset(project, Query(conditions=("gray",))).runs] == ["two@gray"]
    with pytest.raises(UsageError, match="expected one of: one, two"):
        load_dataset(project, Query(systems=("three",)))


def test_a_run_is_found_by_system_or_system_and_condition(project: Project) -> None:
    data = load_dataset(project, Query())
    assert data.run("two").run.condition == "default"
    assert data.run("two@gray").run.condition == "gray"
    assert data.run("one@default").run.system == "one"
    with pytest.raises(UsageError, match="two@gray"):
        data.run("three")


def test_own_gold_scores_each_answer_against_its_files_gold(project: Project) -> None:
    with project.write() as connection:
        connection.execute("UPDATE prediction SET own_gold = 'dog' WHERE predicted = 'dog'")
        connection.execute("UPDATE prediction SET own_gold = 'y' WHERE predicted = 'y'")
        connection.execute("UPDATE run SET changed_revision = (SELECT value FROM project WHERE key = 'revision')")
    one = load_dataset(project, Query(own_gold=True)).run("one")
    assert one.n == 3, "d has a gold in the prediction's file"
    assert one.edits.tolist() == [0, 0, 1, 0]


def test_items_without_a_language_count_as_english_when_their_letters_are_latin(tmp_path: Path) -> None:
    items = [
        {"id": "a", "gold": "cat"},
        {"id": "b", "gold": "কি", "language": "bn"},
        {"id": "c", "gold": "tea", "language": "en-GB"},
    ]
    project = build_project(tmp_path / "q", items, {"one": {"a": "cat"}})
    assert load_dataset(project, Query(language="en")).items.ids == ("a", "c")
    assert load_dataset(project, Query(language="bn")).items.ids == ("b",)


def test_unknown_benchmarks_and_languages_are_refused_with_the_names(project: Project) -> None:
    with pytest.raises(UsageError, match="unknown benchmark: found 'B9'; expected one of: B1, B2"):
        load_dataset(project, Query(benchmark="B9"))
    with pytest.raises(UsageError, match="no item has this language"):
        load_dataset(project, Query(language="fr"))
