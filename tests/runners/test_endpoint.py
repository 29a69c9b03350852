"""The chat endpoint: what is retried, what is not, and what a reply may look like."""

from __future__ import annotations

import json

import pytest

from annotator.errors import EngineError, EngineRefusedError
from annotator.runners.endpoint import Endpoint, Patience, from_environment
from tests.runners.fake_endpoint import FakeEndpoint, completion

HTML = b"<!doctype html><title>502</title>gateway"


def endpoint(url: str, waits: list[float], tries: int = 4, timeout: float = 5.0) -> Endpoint:
    return Endpoint(url, "m", "secret", Patience(tries, 1.0, timeout), waits.append)


def ask(fake: FakeEndpoint, waits: list[float], **patience: float) -> str:
    with fake.serving():
        asked = endpoint(fake.url, waits, **patience)  # type: ignore[arg-type]
        try:
            return asked.ask("hello").text
        finally:
            asked.close()


def test_sends_the_protocol() -> None:
    fake = FakeEndpoint((200, completion("HI")))
    assert ask(fake, []) == "HI"
    assert fake.requests == [
        {"model": "m", "temperature": 0.0, "max_tokens": 256, "messages": [{"role": "user", "content": "hello"}]}
    ]
    assert fake.keys == ["Bearer secret"]


@pytest.mark.parametrize(
    "failure",
    [
        (429, b"{}"),
        (500, b"oops"),
        (503, HTML),
        (200, HTML),
        (200, b"{}"),
        (200, b'{"choices": []}'),
        (200, completion(None)),
        (200, b'{"choices": [{"message": {"content": "HI"'),
        (200, b""),
        (200, b"\xff\xfe\x00"),
        (200, b"[" * 100_000),
    ],
    ids=["429", "500", "html-503", "html-200", "no-choices", "empty-choices", "null", "cut", "empty", "bytes", "deep"],
)
def test_is_asked_again_after(failure: tuple[int, bytes]) -> None:
    waits: list[float] = []
    assert ask(FakeEndpoint(failure, failure, (200, completion("HI"))), waits) == "HI"
    assert waits == [1.0, 2.0]


def test_waits_as_long_as_the_endpoint_says() -> None:
    waits: list[float] = []
    fake = FakeEndpoint(
        (429, b"{}", {"retry-after": "7"}), (429, b"", {"retry-after": "soon"}), (200, completion("HI"))
    )
    assert ask(fake, waits) == "HI"
    assert waits == [7.0, 2.0]


def test_gives_up_with_the_last_reason() -> None:
    waits: list[float] = []
    with pytest.raises(EngineError, match=r"no usable reply in 3 tries; last: status 503: <!doctype html>"):
        ask(FakeEndpoint((503, HTML)), waits, tries=3)
    assert len(waits) == 2


@pytest.mark.parametrize("reply", [(200, 1.0), (200, b"drip")], ids=["stalls", "drips"])
def test_a_slow_reply_is_not_waited_for(reply: tuple[int, object]) -> None:
    assert ask(FakeEndpoint(reply, (200, completion("HI"))), [], timeout=0.3) == "HI"


@pytest.mark.parametrize("status", [401, 403, 404])
def test_refusals_are_not_retried(status: int) -> None:
    fake = FakeEndpoint((status, b'{"error": "no"}'))
    with pytest.raises(EngineRefusedError, match="Check OPENAI_API_KEY") as caught:
        ask(fake, [])
    assert len(fake.requests) == 1
    assert "secret" not in str(caught.value)


def test_a_bad_request_fails_at_once() -> None:
    fake = FakeEndpoint((400, b'{"error": "image too large"}'))
    with pytest.raises(EngineError, match="image too large"):
        ask(fake, [])
    assert len(fake.requests) == 1


def test_takes_the_newer_name_of_the_token_cap() -> None:
    fake = FakeEndpoint((400, b"use max_completion_tokens instead"), (200, completion("HI")))
    assert ask(fake, []) == "HI"
    assert "max_tokens" not in fake.requests[1]
    assert fake.requests[1]["max_completion_tokens"] == 256


def test_redirects_are_not_followed() -> None:
    with pytest.raises(EngineError, match="status 302"):
        ask(FakeEndpoint((302, b"", {"location": "http://127.0.0.1:9/"})), [])


def test_reads_parts_reasoning_and_counts() -> None:
    body = completion("", reasoning_content="I see")
    document = json.loads(body)
    document["choices"][0]["message"]["content"] = [{"type": "text", "text": "A"}, {"type": "text", "text": "B\ud800"}]
    with FakeEndpoint((200, json.dumps(document).encode())).serving() as fake:
        asked = endpoint(fake.url, [])
        reply = asked.ask("x")
        asked.close()
    assert (reply.text, reply.reasoning, reply.finish) == ("AB\ufffd", "I see", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (11, 3)


def test_a_dead_endpoint_is_retried_then_said() -> None:
    waits: list[float] = []
    asked = endpoint("http://127.0.0.1:9/v1", waits, tries=2)
    with pytest.raises(EngineError, match="ConnectError"):
        asked.ask("x")
    asked.close()
    assert waits == [1.0]


def test_the_environment_names_the_endpoint() -> None:
    with pytest.raises(EngineRefusedError, match="OPENAI_BASE_URL"):
        from_environment("m", environment={})
    assert from_environment("m", environment={"OPENAI_API_KEY": "k"}).base_url == "https://api.openai.com/v1"
    local = from_environment("m", environment={"OPENAI_BASE_URL": "http://here/v1"})
    assert (local.base_url, local.key) == ("http://here/v1", "")
    assert "s3cret" not in repr(from_environment("m", environment={"OPENAI_API_KEY": "s3cret"}))
