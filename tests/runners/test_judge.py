"""The severity judge: what it is asked, how a reply becomes a distribution, when it is asked again."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import InputError
from annotator.runners.endpoint import Endpoint, Patience, Reply
from annotator.runners.judge import judge_edit, read_levels
from annotator.runners.judgeprompts import Question, judge_prompt, prompts_version
from annotator.studies.rubric import SHIPPED
from annotator.text.align import align_texts
from tests.runners.fake_endpoint import FakeEndpoint, completion

QUESTION = Question("at 3pm {op}", "at 8pm {op}", "SUB", "at [3]pm", "at [8]pm")


def with_logprobs(text: str, alternatives: dict[str, float], token: str | None = None) -> bytes:
    """A completion of one token with the probabilities of its alternatives."""
    listed = [{"token": name, "logprob": math.log(p)} for name, p in alternatives.items()]
    first = {"token": token or text, "logprob": math.log(alternatives[token or text]), "top_logprobs": listed}
    document = json.loads(completion(text))
    document["choices"][0]["logprobs"] = {"content": [first]}
    return json.dumps(document).encode()


def asked(fake: FakeEndpoint) -> Any:
    with fake.serving():
        endpoint = Endpoint(fake.url, "m", "", Patience(3, 0.0, 5.0), lambda _: None)
        verdict = judge_edit(endpoint, judge_prompt("en"), QUESTION)
        endpoint.close()
    return verdict


def test_the_question_holds_both_texts_and_the_edit_in_brackets() -> None:
    fake = FakeEndpoint((200, completion("4")))
    asked(fake)
    (request,) = fake.requests
    system, user = request["messages"]
    assert system["role"] == "system"
    assert "one digit" in system["content"]
    assert "at 3pm {op}" in user["content"]
    assert "ref: at [3]pm" in user["content"]
    assert "EDIT: SUB" in user["content"]
    assert (request["temperature"], request["logprobs"], request["top_logprobs"]) == (1.0, True, 20)


def test_log_probabilities_of_the_digits_are_the_distribution() -> None:
    verdict = asked(FakeEndpoint((200, with_logprobs("4", {"4": 0.6, "3": 0.2, " 4": 0.1, "A": 0.1}))))
    assert verdict.levels == pytest.approx((0.0, 0.0, 0.0, 0.2, 0.7))
    assert (verdict.from_logprobs, verdict.tries) == (True, 1)


def test_without_log_probabilities_the_digit_has_all_the_weight() -> None:
    verdict = asked(FakeEndpoint((200, completion("Level: 3."))))
    assert verdict.levels == (0.0, 0.0, 0.0, 1.0, 0.0)
    assert not verdict.from_logprobs


def test_an_endpoint_that_refuses_log_probabilities_is_asked_without() -> None:
    fake = FakeEndpoint((400, b'{"error": "logprobs is not supported"}'), (200, completion("2")))
    assert asked(fake).levels == (0.0, 0.0, 1.0, 0.0, 0.0)
    assert ["logprobs" in request for request in fake.requests] == [True, False]


@pytest.mark.parametrize(
    "first",
    [
        completion("I cannot tell."),
        completion("5"),
        completion("between 2 and 3"),
        completion("12"),
        with_logprobs("3", {"3": 0.3, "A": 0.6}),
    ],
)
def test_an_undecided_answer_is_asked_for_once_more(first: bytes) -> None:
    fake = FakeEndpoint((200, first), (200, completion("1")))
    verdict = asked(fake)
    assert (verdict.levels, verdict.tries) == ((0.0, 1.0, 0.0, 0.0, 0.0), 2)
    stubborn = FakeEndpoint((200, first))
    assert asked(stubborn).levels is None
    assert len(stubborn.requests) == 2


def test_thoughts_before_the_answer_are_no_answer() -> None:
    assert read_levels(Reply("<think>maybe 3 or 2</think>4")) == (0.0, 0.0, 0.0, 0.0, 1.0)


def test_digits_of_another_script_are_digits() -> None:
    assert read_levels(Reply("৩")) == (0.0, 0.0, 0.0, 1.0, 0.0)
    spread = ({"৩": math.log(0.7), "3": math.log(0.1), "৪": math.log(0.2)},)
    assert read_levels(Reply("৩", alternatives=spread)) == pytest.approx((0.0, 0.0, 0.0, 0.8, 0.2))


@pytest.mark.parametrize("whole_line", [False, True])
def test_each_language_of_the_rubric_has_a_prompt_of_its_own(whole_line: bool) -> None:
    languages = [path.stem for path in sorted(SHIPPED.glob("*.yaml"))]
    prompts = {language: judge_prompt(language, whole_line=whole_line) for language in languages}
    assert len({prompt.version for prompt in prompts.values()}) == len(languages) >= 4
    assert all(f"-{language}-" in prompts[language].version for language in languages)
    assert judge_prompt("ar", whole_line=whole_line) == prompts["en"]


@pytest.mark.parametrize("language", ["bn", "en", "vi", "zh"])
def test_the_examples_of_a_prompt_mark_one_cluster(language: str) -> None:
    rows = re.findall(r"^(SUB|DEL|INS)  ref: (.*?)  hyp: (.*?)  level ([0-4])$", judge_prompt(language).system, re.M)
    assert {level for *_, level in rows} == set("01234")
    for op, gold, predicted, _ in rows:
        (edit,) = align_texts(*(re.sub(r"[\[\]]", "", text) for text in (gold, predicted))).edits
        assert (edit.op.upper(), f"[{edit.gold}]" in gold, f"[{edit.predicted}]" in predicted) == (op, True, True)


def test_broken_alternatives_are_none() -> None:
    document = json.loads(completion("4"))
    document["choices"][0]["logprobs"] = {"content": [{"token": 4, "logprob": "x", "top_logprobs": None}]}
    assert asked(FakeEndpoint((200, json.dumps(document).encode()))).levels == (0.0, 0.0, 0.0, 0.0, 1.0)


def test_a_prompt_of_the_project_comes_first_and_changes_the_version(tmp_path: Path) -> None:
    before = prompts_version(tmp_path)
    folder = tmp_path / "prompts" / "severity"
    folder.mkdir(parents=True)
    (folder / "en.yaml").write_text("system: rate\nuser: '{reference} {hypothesis} {op} {reference_view}'", "utf-8")
    with pytest.raises(InputError, match="hypothesis_view"):
        judge_prompt("en", tmp_path)
    (folder / "en.yaml").write_text(
        "system: rate\nuser: '{reference} {hypothesis} {op} {reference_view} {hypothesis_view} {x'", "utf-8"
    )
    prompt = judge_prompt("xx", tmp_path)
    assert prompt.render(QUESTION) == "at 3pm {op} at 8pm {op} SUB at [3]pm at [8]pm {x"
    assert prompts_version(tmp_path) != before
