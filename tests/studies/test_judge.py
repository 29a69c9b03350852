"""A model as a rater: both orders, ties by disagreement, resumable, apart from people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import EngineRefusedError, UsageError
from annotator.runners.endpoint import Endpoint, Patience
from annotator.store.project import Project
from annotator.studies.aggregates import study_aggregates
from annotator.studies.judge import Judged, judge_agreement, judge_study, parse_letter
from annotator.studies.kinds import StudyKind
from annotator.studies.links import rename
from annotator.studies.progress import watch_study
from annotator.studies.ranking import rank_systems
from annotator.studies.work import current_desk
from tests.runners.fake_endpoint import FakeEndpoint, completion
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


QUICK = Patience(tries=2, first_wait=0.0, timeout=20.0)
HASTY = Patience(tries=5, first_wait=0.0, timeout=1.0)  # for replies that never come


def over_http(project: Project, *script: tuple[Any, ...], patience: Patience = QUICK) -> tuple[Judged, FakeEndpoint]:
    """One run against a local server that answers by `script`."""
    fake = FakeEndpoint(*script)
    with fake.serving():
        endpoint = Endpoint(fake.url, "m", "key", patience)
        try:
            return judge_study(project, "s", "openai:m", endpoint), fake
        finally:
            endpoint.close()


@pytest.mark.parametrize(
    "failure",
    [
        (429, b"slow down", {"retry-after": "0"}),
        (500, b"oops"),
        (200, b"<html>not the protocol</html>"),
        (200, b'{"choices": []}'),
        (200, completion(None)),
        (200, 2.5),
        (200, b"drip"),
    ],
    ids=["rate-limit", "server-error", "html", "no-choices", "no-text", "stall", "drip"],
)
def test_a_failure_in_between_costs_no_answer(project: Project, failure: tuple[Any, ...]) -> None:
    never = isinstance(failure[1], float) or failure[1] == b"drip"
    done, fake = over_http(project, failure, (200, completion("A")), patience=HASTY if never else QUICK)
    assert (done.judged, done.failed, done.disagreed) == (3, 0, 3)
    assert len(fake.requests) >= 7
    assert judge_agreement(project, "s")[0].judged == 3


def test_what_failed_is_asked_by_the_next_run_and_what_was_judged_is_not(project: Project) -> None:
    first, _fake = over_http(project, (200, completion("A")), (200, completion("B")), (503, b"down"))
    assert (first.judged, first.failed) == (1, 2)
    assert "no usable reply in 2 tries; last: status 503" in first.why
    second, fake = over_http(project, (200, completion("A")))
    assert (second.already, second.judged, len(fake.requests)) == (1, 2, 4)


def test_a_bad_request_for_one_pair_is_counted_and_the_rest_is_judged(project: Project) -> None:
    done, _fake = over_http(project, (400, b"picture too large"), (200, completion("B")))
    assert (done.judged, done.failed) == (2, 1)
    assert "picture too large" in done.why


def test_a_dead_endpoint_is_given_up_after_five_pairs(tmp_path: Path) -> None:
    project = text_project(tmp_path / "many", items=30)
    open_study(project, StudyKind.PREFERENCE)
    done, fake = over_http(project, (502, b"gateway"))
    assert (done.failed, done.judged) == (5, 0)
    assert len(fake.requests) == 10


def test_both_orders_are_kept_and_a_disagreement_says_what_it_replaces(project: Project) -> None:
    over_http(project, (200, completion("A")))
    with project.read() as connection:
        rows = [
            tuple(r)
            for r in connection.execute("SELECT repeat, value, shown_first, kind FROM rating_event ORDER BY event_key")
        ]
        values = [tuple(r) for r in connection.execute("SELECT repeat, value FROM rating ORDER BY task_key, repeat")]
    assert rows == [(0, "a", "a", "answer"), (1, "b", "b", "answer"), (0, "tie", "", "change")] * 3
    assert values == [(0, "tie"), (1, "b")] * 3


def test_a_person_with_the_name_of_the_judge_is_not_answered_for(project: Project) -> None:
    rater = seat(project)
    rename(project, rater, "openai:m")
    with pytest.raises(UsageError, match="rename them"):
        judge_study(project, "s", "openai:m", Model(nearer))


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
