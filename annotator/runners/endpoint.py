"""A chat endpoint that speaks OpenAI's protocol: one question, one reply, retried while that can help."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.errors import EngineError, EngineRefusedError

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
REFUSED = frozenset({401, 403, 404})
MOST_BYTES = 4_000_000
LONGEST_WAIT = 120.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of one reply, the reasoning given beside it, and what the endpoint counted.

    `alternatives` holds, for each token of the text, the log probabilities of the likeliest tokens at its place; empty when
    they were not asked for or the endpoint gives none.
    """

    text: str
    reasoning: str | None = None
    finish: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    alternatives: tuple[Mapping[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is tried and how long it is waited for. Waits double from `first_wait` seconds."""

    tries: int = 5
    first_wait: float = 1.0
    timeout: float = 90.0


class _Again(Exception):  # noqa: N818  (never leaves this module)
    """This try failed, another may not. `wait` is what the endpoint asked for, in seconds."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


@dataclass(slots=True)
class Endpoint:
    """A model behind an OpenAI-compatible address. May be asked from several threads at once.

    `key` may be empty for local servers. It is sent to `base_url` alone (redirects are not followed) and never shown.
    Waits end early when the endpoint is closed.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    patience: Patience = Patience()
    sleep: Callable[[float], object] | None = None
    _client: Any = None
    _closed: threading.Event = field(default_factory=threading.Event, repr=False)
    _cap_name: str = "max_tokens"
    _gives_logprobs: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(
        self,
        content: str | Sequence[Mapping[str, Any]],
        *,
        cap: int = 256,
        temperature: float = 0.0,
        system: str = "",
        logprobs: int = 0,
    ) -> Reply:
        """Ask one user message (after a `system` message when given) and give the reply.

        `logprobs` asks for that many alternatives a token; an endpoint that refuses to give them is asked without.

        Timeouts, lost connections, rate limits, server errors and replies that are not the protocol's JSON are tried
        again with growing waits. Raises `EngineError` with the last reason when no try succeeded, `EngineRefusedError`
        when the endpoint says that no request of this kind will succeed.
        """
        reason = ""
        for attempt in range(self.patience.tries):
            try:
                return self._once(content, cap, temperature, system, logprobs)
            except _Again as again:
                reason = str(again)
                wait = self.patience.first_wait * 2**attempt if again.wait is None else again.wait
            if attempt + 1 < self.patience.tries:
                (self.sleep or self._closed.wait)(min(wait, LONGEST_WAIT))
            if self._closed.is_set():
                raise EngineError(f"{self.model}: the run was ended; last: {reason}")
        raise EngineError(f"{self.model}: no usable reply in {self.patience.tries} tries; last: {reason}")

    def close(self) -> None:
        """Close the connections; requests under way fail and are not tried again."""
        self._closed.set()
        if self._client is not None:
            self._client.close()
            self._client = None

    def _once(
        self, content: str | Sequence[Mapping[str, Any]], cap: int, temperature: float, system: str, logprobs: int
    ) -> Reply:
        messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": content})
        body: dict[str, Any] = {
            "model": self.model,
            "temperature": temperature,
            self._cap_name: cap,
            "messages": messages,
        }
        if logprobs and self._gives_logprobs:
            body |= {"logprobs": True, "top_logprobs": logprobs}
        status, headers, text = self._post(body)
        if status == 200:
            return read_reply(text)
        found = f"status {status}: {_shown(text)}"
        if status in RETRIED:
            raise _Again(found, _retry_after(headers))
        if status == 400 and self._cap_name == "max_tokens" and "max_completion_tokens" in text:
            self._cap_name = "max_completion_tokens"
            raise _Again(found, 0.0)
        if status == 400 and "logprobs" in body and "logprob" in text:
            self._gives_logprobs = False
            raise _Again(found, 0.0)
        if status in REFUSED:
            raise EngineRefusedError(
                f"{self.base_url} refuses {self.model} ({found}). Check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name."
            )
        raise EngineError(f"{self.model}: {found}")

    def _post(self, body: Mapping[str, Any]) -> tuple[int, Mapping[str, str], str]:
        """One request, bounded in bytes and in time as a whole: a server that drips cannot hold it open."""
        import httpx

        deadline = time.monotonic() + self.patience.timeout
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        url = self.base_url.rstrip("/") + "/chat/completions"
        try:
            with self._connection().stream("POST", url, json=body, headers=headers) as response:
                parts, size = [], 0
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > MOST_BYTES:
                        raise _Again(f"a reply of more than {MOST_BYTES:,} bytes")
                    if time.monotonic() > deadline:
                        raise _Again(f"no whole reply in {self.patience.timeout:g} s")
                return response.status_code, response.headers, b"".join(parts).decode("utf-8", errors="replace")
        except httpx.TimeoutException as error:
            raise _Again(f"no reply in {self.patience.timeout:g} s") from error
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise EngineRefusedError(f"OPENAI_BASE_URL is not an address: found {self.base_url!r} ({error})") from error
        except httpx.HTTPError as error:
            raise _Again(f"{type(error).__name__}: {error}") from error

    def _connection(self) -> Any:
        import httpx

        with self._lock:
            if self._client is None:
                limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
                timeout = httpx.Timeout(self.patience.timeout, connect=min(10.0, self.patience.timeout))
                self._client = httpx.Client(timeout=timeout, limits=limits, follow_redirects=False)
            return self._client


def read_reply(text: str) -> Reply:
    """The reply inside the endpoint's JSON. Anything else (HTML, half a document, no choices) is a failed try."""
    try:
        document = json.loads(text)
        choice = document["choices"][0]
        message = choice["message"]
        content = message["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise _Again(f"not a chat completion: {_shown(text)}") from error
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise _Again(f"a reply without text (finish_reason {choice.get('finish_reason')!r})")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    usage = document.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(
        whole(content),
        whole(reasoning) if isinstance(reasoning, str) else None,
        str(choice.get("finish_reason") or ""),
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
        _alternatives(choice.get("logprobs")),
    )


def _alternatives(logprobs: Any) -> tuple[Mapping[str, float], ...]:
    """The log probabilities beside each token; what is not in the protocol's form is none."""
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    found: list[Mapping[str, float]] = []
    for token in tokens if isinstance(tokens, list) else []:
        if not isinstance(token, dict):
            return ()
        listed = [*(token.get("top_logprobs") or []), token]
        pairs = [(each.get("token"), each.get("logprob")) for each in listed if isinstance(each, dict)]
        found.append({t: float(p) for t, p in pairs if isinstance(t, str) and isinstance(p, int | float) and p <= 0})
    return tuple(found)


def whole(text: str) -> str:
    """`text` with halves of surrogate pairs, which JSON can carry and no store can, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def from_environment(
    model: str, patience: Patience = Patience(), environment: Mapping[str, str] = os.environ
) -> Endpoint:
    """The endpoint that `OPENAI_BASE_URL` and `OPENAI_API_KEY` name; with a key alone, OpenAI's own.

    Raises `EngineRefusedError` when neither is set.
    """
    base_url, key = environment.get("OPENAI_BASE_URL", ""), environment.get("OPENAI_API_KEY", "")
    if not base_url and not key:
        raise EngineRefusedError(
            "no endpoint is set: give OPENAI_BASE_URL (for example http://127.0.0.1:8000/v1) and, if it needs one, OPENAI_API_KEY"
        )
    return Endpoint(base_url or "https://api.openai.com/v1", model, key, patience)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def _shown(text: str) -> str:
    short = " ".join(text[:400].split())
    return short[:160] + ("..." if len(short) > 160 else "") if short else "an empty body"
