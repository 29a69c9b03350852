"""Pools: one task for identical edits, bands by thirds, quintiles by weight, pairs in random order, reproducible."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.study_pool import PoolEdit, PoolItem, PoolOutput
from annotator.store.study_records import EditMark
from annotator.studies.answers import load_study
from annotator.studies.attention import attention_tasks
from annotator.studies.create import StudyPlan, create_study, preview_study
from annotator.studies.kinds import StudyKind
from annotator.studies.pools import QUINTILE_WEIGHTS, band_of, edit_pool, preference_pool, quotas, text_pool
from annotator.text.align import align_texts
from tests.studies.builders import open_study, text_project


def output(
    key: int, item: int, predicted: str, system: str = "a", edits: int = 1, gold: str = "gold text"
) -> PoolOutput:
    return PoolOutput(key, PoolItem(item, f"i{item}", gold, "", "en", True), system, "default", predicted, edits, 10)


def edit(key: int, item: int, predicted: str, system: str = "a") -> PoolEdit:
    return PoolEdit(output(key, item, predicted, system), 0, EditMark("sub", 0, 0, "g", predicted[:1]))


def test_identical_edits_of_several_systems_are_one_task_credited_to_all() -> None:
    pool = edit_pool(
        [edit(1, 1, "bold text", "x"), edit(2, 1, "bold text", "y"), edit(3, 1, "cold text", "z")], {}, 0, 0
    )
    assert sorted(sorted(m.system for m in t.makers) for t in pool.tasks) == [["x", "y"], ["z"]]


@pytest.mark.parametrize(
    ("severity", "band"), [(0, "low"), (0.299, "low"), (0.3, "middle"), (0.7, "high"), (1, "high")]
)
def test_bands_are_half_open(severity: float, band: str) -> None:
    assert band_of(severity) == band


def test_bands_give_near_equal_thirds_and_say_what_they_had() -> None:
    edits = [edit(n, n, f"{n}") for n in range(60)]
    severities = {(n, 0): (0.1, 0.5, 0.9)[n % 3] for n in range(57)}
    pool = edit_pool(edits, severities, 20, 7)
    assert sorted(dict(pool.drawn).values()) == [6, 7, 7]
    assert dict(pool.available) == {"low": 19, "middle": 19, "high": 19}
    assert dict(pool.left_out) == {"without a severity": 3}
    assert Counter(task.band for task in pool.tasks) == Counter(dict(pool.drawn))


def test_a_short_band_passes_its_share_on() -> None:
    assert quotas({"low": 2, "middle": 50, "high": 50}, dict.fromkeys(("low", "middle", "high"), 1.0), 30) == {
        "low": 2,
        "middle": 14,
        "high": 14,
    }


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 40), min_size=1),
    st.integers(0, 150),
    st.lists(st.floats(0.01, 1), min_size=5, max_size=5),
)
def test_quotas_never_exceed_what_is_there_and_fill_what_can_be(
    available: dict[str, int], size: int, weights: list[float]
) -> None:
    take = quotas(available, dict(zip("abcde", weights, strict=True)), size)
    assert all(0 <= take[band] <= available[band] for band in available)
    assert sum(take.values()) == min(size, sum(available.values()))


def test_quintiles_are_weighted_to_low_error() -> None:
    outputs = [output(n, n, f"{n}", edits=n + 1) for n in range(500)]
    pool = text_pool(outputs, 100, 0)
    assert [n for _band, n in pool.drawn] == [round(100 * w) for w in QUINTILE_WEIGHTS]
    assert dict(pool.available) == dict.fromkeys(("q1", "q2", "q3", "q4", "q5"), 100)


def test_text_pool_leaves_out_exact_outputs_and_items_without_gold() -> None:
    without = PoolOutput(9, PoolItem(9, "i9", None, "", "en", True), "a", "default", "x", None, None)
    pool = text_pool([output(1, 1, "gold text", edits=0), output(2, 2, "x"), without], 0, 0)
    assert len(pool.tasks) == 1
    assert dict(pool.left_out) == {"without gold": 1, "without an edit": 1}


def test_equal_texts_are_never_a_pair_and_an_item_gives_one() -> None:
    outputs = [output(1, 1, "same", "x"), output(2, 1, "same", "y")]
    outputs += [output(10 * i + k, i, f"{k}", s) for i in range(2, 40) for k, s in enumerate("xyz")]
    pool = preference_pool(outputs, 0, 3)
    assert len(pool.tasks) == 38
    assert len({task.item_id for task in pool.tasks}) == 38
    assert all(task.predicted != task.predicted_b for task in pool.tasks)
    first = Counter(m.system for task in pool.tasks for m in task.makers if m.side == "a")
    assert len(first) == 3  # no system always stands first
    assert dict(pool.left_out) == {"no two different outputs": 1}


def test_opposed_pairs_are_those_that_cer_and_the_score_order_oppositely() -> None:
    outputs = [output(1, 1, "x", "x", edits=1), output(2, 1, "y", "y", edits=3)]
    outputs += [output(3, 2, "x", "x", edits=1), output(4, 2, "y", "y", edits=3)]
    pool = preference_pool(outputs, 0, 0, {1: 0.9, 2: 0.1, 3: 0.1, 4: 0.9})
    assert [task.item_id for task in pool.tasks] == ["i1"]
    assert dict(pool.left_out) == {"no pair ordered oppositely": 1}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "p", items=20)


def test_a_seed_gives_the_same_study_and_another_seed_another(project: Project) -> None:
    plan = StudyPlan(StudyKind.EDIT_SEVERITY, "one", size=8, seed=5, repeats=2, attention=2)
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        create_study(project, replace(plan, name=name, seed=seed))
    one, two, three = (
        [(t.item_id, t.predicted, t.repeats) for t in load_study(project, n).tasks] for n in ("one", "two", "three")
    )
    assert one == two
    assert one != three
    assert sum(again for _id, _text, again in one) == 2


def test_the_method_note_says_how_the_pool_was_drawn(project: Project) -> None:
    made = preview_study(project, StudyPlan(StudyKind.EDIT_SEVERITY, "n", size=6, seed=9, query=Query(language="en")))
    for words in ("exactly one edit", "Seed 9", "language en", "3 raters", "alignment"):
        assert words in made.method


def test_a_pool_from_a_list_of_items_keeps_to_it(project: Project) -> None:
    made = preview_study(project, StudyPlan(StudyKind.EDIT_SEVERITY, "n", item_ids=("i3", "i4")))
    assert {task.item_id for task in made.pool.tasks} == {"i3", "i4"}


def test_numbers_of_tasks_tell_nothing_of_item_or_band(project: Project) -> None:
    open_study(project)
    numbers = [task.number for task in load_study(project, "s").tasks]  # ordered by item
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert numbers != sorted(numbers)


def test_an_empty_pool_and_a_taken_name_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="the pool is empty"):
        create_study(project, StudyPlan(StudyKind.EDIT_SEVERITY, "n", query=Query(language="xx")))
    create_study(project, StudyPlan(StudyKind.EDIT_SEVERITY, "n"))
    with pytest.raises(UsageError, match="there already"):
        create_study(project, StudyPlan(StudyKind.EDIT_SEVERITY, "n"))


@pytest.mark.parametrize(
    "kind", [StudyKind.EDIT_SEVERITY, StudyKind.TEXT_SEVERITY, StudyKind.TEXT_SCORE, StudyKind.PREFERENCE]
)
def test_attention_tasks_have_a_known_right_answer(project: Project, kind: StudyKind) -> None:
    tasks = preview_study(project, StudyPlan(kind, "n", size=0)).pool.tasks
    made = attention_tasks(kind, tasks, 4, seed=1)
    assert len(made) == 4
    assert made == attention_tasks(kind, tasks, 4, seed=1)
    for task in made:
        assert task.attention
        assert task.expected
        assert task.makers == ()
        if kind is StudyKind.EDIT_SEVERITY:
            assert task.edit is not None
            found = align_texts(task.gold or "", task.predicted or "").edits
            assert [(str(e.op), e.gold_index, e.predicted_index) for e in found] == [
                (task.edit.op, task.edit.gold_index, task.edit.predicted_index)
            ]
        if kind is StudyKind.PREFERENCE:
            right = task.predicted if task.expected == ("a",) else task.predicted_b
            assert right == task.gold
            assert task.predicted != task.predicted_b


def test_written_kinds_have_no_attention_tasks(project: Project) -> None:
    assert attention_tasks(StudyKind.TRANSCRIPTION, (), 4, seed=1) == ()
