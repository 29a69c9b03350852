"""A student learns what it is taught, says how well, and comes back from disk the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.analyses.severity.distill import agree, charge_with_student, distill
from annotator.analyses.severity.report import report_severity
from annotator.errors import InputError, UsageError
from annotator.models.marking import mark_line, soft_label
from annotator.models.student import StudentShape, Training, load_student, train
from annotator.records import Query
from annotator.store.project import Project
from annotator.text.align import align_texts
from tests.builders import build_project

SHAPE = StudentShape(width=16, dilations=(1,))


def digits_are_worst(rng: np.random.Generator, n: int) -> tuple[list, np.ndarray]:  # type: ignore[type-arg]
    """Edits of words: one that makes a digit is charged 1, one that makes a letter 0.25."""
    edits, targets = [], []
    for _ in range(n):
        gold = "".join(rng.choice(list("abcdef"), 5))
        new = rng.choice(list("789xyz"))
        predicted = gold[:2] + new + gold[3:]
        edits += mark_line(gold, predicted, align_texts(gold, predicted).edits)
        targets.append(soft_label(1.0 if new.isdigit() else 0.25))
    return edits, np.array(targets)


def test_a_student_learns_and_the_same_seed_gives_the_same_student(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    data, held = digits_are_worst(rng, 400), digits_are_worst(rng, 100)
    how = Training(seed=3, epochs=6, batch=32, rate=1e-2, threads=1)
    student, trained = train(*data, held, how, SHAPE)
    severities = student.predict(held[0]) @ (np.arange(5) / 4)
    truth = held[1] @ (np.arange(5) / 4)
    assert np.abs(severities - truth).mean() < 0.15, trained
    again, _ = train(*data, held, how, SHAPE)
    assert np.allclose(student.predict(held[0]), again.predict(held[0]), atol=1e-5)
    student.save(tmp_path, {"note": "x"})
    loaded, card = load_student(tmp_path)
    assert card["note"] == "x"
    assert np.allclose(loaded.predict(held[0]), student.predict(held[0]), atol=1e-6)
    assert student.predict([]).shape == (0, 5)


def test_a_folder_that_is_no_student_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a student"):
        load_student(tmp_path)
    (tmp_path / "card.json").write_text('{"shape": {"width": 4, "dilations": [1]}}')
    (tmp_path / "student.safetensors").write_bytes(b"junk")
    with pytest.raises(InputError, match="is not a student"):
        load_student(tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    rng = np.random.default_rng(2)
    golds = {f"i{k}": "".join(rng.choice(list("abcdefgh"), 6)) for k in range(240)}
    answers = {k: g[:2] + str(rng.choice(list("78xy"))) + g[3:] for k, g in golds.items()}
    return build_project(
        tmp_path / "p", [{"id": k, "gold": g, "language": "en"} for k, g in golds.items()], {"one": answers}
    )


def test_distil_from_a_project_and_charge_with_the_student(project: Project, tmp_path: Path) -> None:
    card = distill(project, "filter-label", tmp_path / "s")
    assert card["edits"]["train"] > card["edits"]["test"] > 0
    assert card["agreement"]["spearman"] is None, "a teacher that always says 1 has no order"
    assert card["agreement"]["mean_absolute_difference"] < 0.1
    assert sum(charge_with_student(project, Query(), tmp_path / "s", "student-1").values()) == 240
    row = report_severity(project, Query(resamples=20), "student-1").rows[0]
    assert row.coverage == 1.0
    assert charge_with_student(project, Query(), tmp_path / "s", "student-1") == {}, "charged already"


def test_too_little_is_said(tmp_path: Path) -> None:
    small = build_project(tmp_path / "p", [{"id": "a", "gold": "ab"}], {"one": {"a": "ac"}})
    with pytest.raises(UsageError, match="too little to learn from"):
        distill(small, "unit", tmp_path / "s")


def test_agreement_of_equal_and_reversed_orders() -> None:
    teacher = np.array([0.0, 0.25, 0.5, 1.0])
    same, reverse = agree(teacher, teacher, 0), agree(teacher, 1 - teacher, 0)
    assert (same.spearman, same.mean_absolute_difference, same.clear_alike) == (pytest.approx(1), 0.0, 1.0)
    assert (reverse.spearman, reverse.clear_alike) == (pytest.approx(-1), 0.0)
