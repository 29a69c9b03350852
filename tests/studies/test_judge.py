"""A model as a rater: both orders, ties by disagreement, resumable, apart from people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import EngineRefusedError, UsageError
from annotator.store.project import Project
from annotator.studies.aggregates import study_aggregates
from annotator.studies.judge import judge_agreement, judge_study, parse_letter
from annotator.studies.kinds import StudyKind
from annotator.studies.progress import watch_study
from annotator.studies.ranking import rank_systems
from annotator.studies.work import current_desk
from tests.studies.builders import answer, open_study, picture_project, seat, text_project


@dataclass(frozen=True)
class Text:
    text: str


@dataclass
class Model:
    """Answers by a rule over (reading A, reading B); counts what it was asked."""

    rule: Any
    asked: list[str] = field(default_factory=list)
    images: int = 0

    def ask(self, content: str | Sequence[Mapping[str, Any]], *, cap: int = 256) -> Text:
        prompt = content[0]["text"]
        self.images += len(content) - 1
        self.asked.append(prompt)
        a, b = (line.partition(": ")[2] for line in prompt.splitlines() if line.startswith("Reading"))
        return Text(self.rule(a, b))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = text_project(tmp_path / "p", items=6)
    open_study(project, StudyKind.PREFERENCE)
    return project


def nearer(a: str, b: str) -> str:
    return "A" if a.endswith("oh") else "B"


def test_both_orders_are_asked_and_agree(project: Project) -> None:
    model = Model(nearer)
    done = judge_study(project, "s", "openai:m", model)
    assert (done.judged, done.asked, done.disagreed) == (3, 6, 0)
    ranking = rank_systems(project, "s", resamples=10, kinds=("model",))
    assert [row.system for row in ranking.rows] == ["alpha-ocr", "beta-ocr"]


def test_a_judge_who_always_says_a_gives_ties(project: Project) -> None:
    done = judge_study(project, "s", "openai:m", Model(lambda a, b: "A"))
    assert (done.judged, done.disagreed) == (3, 3)
    assert judge_agreement(project, "s")[0].disagreed == 3
    assert rank_systems(project, "s", resamples=0, kinds=("model",)).pairs[0].ties == 3


def test_a_judge_is_never_mixed_with_people_and_takes_no_slot(project: Project) -> None:
    judge_study(project, "s", "openai:m", Model(nearer))
    table = study_aggregates(project, "s")
    assert {row[table.columns.index("n_raters")] for row in table.rows} == {0}
    assert dict(table.left_out) == {"model judge": 6}
    assert watch_study(project, "s").counts["untouched"] == 3
    rater = seat(project)
    while (task := current_desk(project, rater).task) is not None:
        answer(project, rater, "a" if (task.predicted or "").endswith("oh") else "b")
    found = judge_agreement(project, "s")[0]
    assert (found.agree.value, found.agree.n) == (1.0, 3)


def test_a_second_run_asks_only_what_is_left(project: Project) -> None:
    replies = iter(["A", "B"])

    def refusing(a: str, b: str) -> str:
        try:
            return next(replies)
        except StopIteration:
            raise EngineRefusedError("no more credit") from None

    first = judge_study(project, "s", "openai:m", Model(refusing))
    assert (first.judged, first.why) == (1, "no more credit")
    second = judge_study(project, "s", "openai:m", Model(nearer))
    assert (second.already, second.judged) == (1, 2)


def test_a_reply_without_a_letter_is_asked_once_more_and_then_has_no_answer(project: Project) -> None:
    model = Model(lambda a, b: "I think that both are fine")
    done = judge_study(project, "s", "openai:m", model)
    assert (done.judged, done.undecided) == (0, 3)
    assert len(model.asked) == 12


def test_the_image_goes_along(tmp_path: Path) -> None:
    project = picture_project(tmp_path / "q" / "p", ("one", "two"), items=2)
    open_study(project, StudyKind.PREFERENCE)
    model = Model(nearer)
    judge_study(project, "s", "openai:m", model)
    assert model.images == len(model.asked) == 4
    assert not any(
        system in prompt for system in ("one", "two") for prompt in model.asked if "Reading A: " + system in prompt
    )


def test_other_studies_have_no_judge(project: Project) -> None:
    open_study(project, name="t")
    with pytest.raises(UsageError, match="expected a preference study"):
        judge_study(project, "t", "openai:m", Model(nearer))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("A", "a"),
        (" b.", "b"),
        ("**A**", "a"),
        ("T", "tie"),
        ("Both", None),
        ("", None),
        ("(B)", "b"),
        ("A is better", "a"),
    ],
)
def test_letters(reply: str, value: str | None) -> None:
    assert parse_letter(reply, allow_tie=True) == value
    assert parse_letter("T", allow_tie=False) is None
