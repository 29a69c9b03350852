"""Judging a project against a local server: charges, cache, resuming, undecided edits, and servers that fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.severity.judging import Judge, JudgeReport, judge_runs, plan_judging
from annotator.analyses.severity.report import report_severity
from annotator.errors import EngineError
from annotator.records import Query
from annotator.runners.endpoint import Endpoint, Patience
from annotator.runners.judgeprompts import judge_prompt
from annotator.store.project import Project
from annotator.store.severities import read_providers
from tests.builders import build_project
from tests.runners.fake_endpoint import FakeEndpoint, completion
from tests.runners.test_judge import with_logprobs

ITEMS = [{"id": f"i{k}", "gold": f"open at {k}pm", "language": "en"} for k in range(1, 6)]
ANSWERS = {
    "one": {f"i{k}": "open at 9pm" for k in range(1, 6)},
    "two": {f"i{k}": "open at 9pm" if k < 3 else f"open at {k}pm" for k in range(1, 6)},
}
FOUR = (200, with_logprobs("4", {"4": 0.75, "3": 0.25}))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return build_project(tmp_path, ITEMS, ANSWERS)


def judged(project: Project, fake: FakeEndpoint, query: Query = Query(), **how: float) -> JudgeReport:  # noqa: B008
    with fake.serving():
        endpoint = Endpoint(fake.url, "m", "", Patience(2, 0.0, how.pop("timeout", 5.0)), lambda _: None)
        try:
            return judge_runs(project, query, Judge(endpoint, concurrency=2))
        finally:
            endpoint.close()


def test_every_edit_is_charged_with_the_mean_of_its_distribution(project: Project) -> None:
    fake = FakeEndpoint(FOUR)
    report = judged(project, fake)
    assert (report.charged, report.imputed, report.asked, report.failed) == (7, 0, 5, 0)
    assert len(fake.requests) == 5
    one, two = report_severity(project, Query(resamples=20), "judge:m").rows
    assert (one.coverage, one.mean_severity) == (1.0, pytest.approx(0.75 + 0.25 * 0.75))
    assert two.edits == 2


def test_a_judge_of_whole_lines_is_asked_once_a_line(tmp_path: Path) -> None:
    items = [{"id": "a", "gold": "open at 3pm", "language": "en"}, {"id": "b", "gold": "খোলা আছে", "language": "bn"}]
    project = build_project(tmp_path, items, {"one": {"a": "opem at 8pm", "b": "খোলা আছ"}})
    fake = FakeEndpoint((200, completion("2")))
    with fake.serving():
        endpoint = Endpoint(fake.url, "m", "", Patience(2, 0.0, 5.0), lambda _: None)
        report = judge_runs(project, Query(), Judge(endpoint, concurrency=1, whole_line=True))
        endpoint.close()
    assert (report.provider, report.asked, report.charged) == ("judge-line:m", 2, 3)
    systems = sorted(request["messages"][0]["content"] for request in fake.requests)
    assert systems == sorted([judge_prompt(name, whole_line=True).system for name in ("en", "bn")])
    (row,) = report_severity(project, Query(resamples=20), "judge-line:m").rows
    assert row.cer is not None
    assert row.semcer == pytest.approx(row.cer * 0.5)
    with project.read() as connection:
        (provider,) = read_providers(connection)
    assert [str(name)[:14] for name in provider.details["prompts"]] == ["whole-line-bn-", "whole-line-en-"]  # type: ignore[attr-defined]


def test_the_estimate_counts_what_is_new(project: Project) -> None:
    with_endpoint = Judge(Endpoint("http://127.0.0.1:9", "m"))
    before = plan_judging(project, Query(), with_endpoint)
    assert (before.edits, before.questions, before.asked_before, before.requests) == (7, 5, 0, 5)
    assert before.tokens_in > 1000
    judged(project, FakeEndpoint(FOUR), Query(systems=("two",)))
    after = plan_judging(project, Query(), with_endpoint)
    assert (after.asked_before, after.requests) == (2, 3)
    assert plan_judging(project, Query(), Judge(Endpoint("http://127.0.0.1:9", "other"))).asked_before == 0


def test_a_second_run_asks_nothing_and_gives_the_same(project: Project) -> None:
    judged(project, FakeEndpoint(FOUR))
    fake = FakeEndpoint((500, b""))
    report = judged(project, fake)
    assert fake.requests == []
    assert (report.charged, report.asked) == (7, 0)


def test_undecided_edits_are_asked_twice_charged_one_and_marked(project: Project) -> None:
    fake = FakeEndpoint((200, completion("hard to say")))
    report = judged(project, fake, Query(systems=("two",)))
    assert (report.charged, report.imputed, len(fake.requests)) == (2, 2, 4)
    (row,) = report_severity(project, Query(systems=("two",), resamples=20), "judge:m").rows
    assert (row.imputed, row.mean_severity) == (2, 1.0)


def test_one_failing_edit_stays_unscored_and_is_asked_again_later(project: Project) -> None:
    report = judged(project, FakeEndpoint((400, b"no"), FOUR), Query(systems=("two",)))
    assert (report.charged, report.failed) == (1, 1)
    (row,) = report_severity(project, Query(systems=("two",), resamples=20), "judge:m").rows
    assert row.coverage == pytest.approx(4 / 5)
    assert judged(project, FakeEndpoint(FOUR), Query(systems=("two",))).charged == 2


@pytest.mark.parametrize("failure", [(429, b"{}", {"retry-after": "0"}), (500, b"oops"), (200, b"<html>"), (200, b"")])
def test_what_may_pass_is_tried_again(project: Project, failure: tuple[int, bytes]) -> None:
    fake = FakeEndpoint(failure, FOUR)
    report = judged(project, fake, Query(systems=("two",)))
    assert (report.charged, report.failed, len(fake.requests)) == (2, 0, 3)


def test_a_server_that_stalls_is_left(project: Project) -> None:
    report = judged(project, FakeEndpoint((200, 0.6), FOUR), Query(systems=("two",)), timeout=0.3)
    assert (report.charged, report.failed) == (2, 0)


def test_a_refusal_stops_at_once(project: Project) -> None:
    fake = FakeEndpoint((401, b"no such key"))
    with pytest.raises(EngineError, match="401"):
        judged(project, fake)
    assert len(fake.requests) <= 4


def test_what_was_answered_before_a_refusal_is_kept(project: Project) -> None:
    judged(project, FakeEndpoint(FOUR), Query(systems=("two",)))
    report = judged(project, FakeEndpoint((403, b"quota")))
    assert report.charged == 4
    assert "403" in report.stopped
    assert report.asked + report.left == 3


def test_when_every_question_fails_nothing_is_written(project: Project) -> None:
    with pytest.raises(EngineError, match="500"):
        judged(project, FakeEndpoint((500, b"down")))
    with project.read() as connection:
        assert read_providers(connection) == ()


def test_no_network_is_said_in_words(project: Project) -> None:
    endpoint = Endpoint("nowhere:", "m", "", Patience(1, 0.0, 1.0), lambda _: None)
    with pytest.raises(EngineError) as caught:
        judge_runs(project, Query(systems=("two",)), Judge(endpoint, concurrency=1))
    assert "address" in str(caught.value)
