"""Any vision-language model behind an OpenAI-compatible endpoint, asked to transcribe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.metrics.outcomes import parse_response
from annotator.runners.base import About, ConfidenceKind, Recognition, Sees
from annotator.runners.endpoint import Endpoint
from annotator.runners.pixels import data_url
from annotator.runners.prompts import Prompt

if TYPE_CHECKING:
    from PIL import Image

TOKENS_PER_IMAGE = 800
_THINK = re.compile(r"^\s*<think(?:ing)?>(.*?)</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


class OpenAIVision:
    """A model that sees the whole picture and is asked with a prompt. The raw response is kept, the answer parsed from it.

    `cap` is the most tokens of an answer. Temperature is 0.
    """

    confidence_kind = ConfidenceKind.UNKNOWN
    sees = Sees.PICTURE

    def __init__(self, endpoint: Endpoint, prompt: Prompt, *, cap: int = 256) -> None:
        self.name = f"openai:{endpoint.model}"
        self.prompt = prompt
        self._endpoint = endpoint
        self._cap = cap

    def check(self, languages: Iterable[str]) -> None:
        """Nothing is asked before the first item."""

    def reads(self, language: str) -> bool:
        """Always tried."""
        return True

    def recognise(self, image: Image.Image, about: About) -> Recognition:
        """One answer; thoughts before it (`<think>`, or the endpoint's own field) go to `reasoning`."""
        content: list[dict[str, object]] = [
            {"type": "text", "text": self.prompt.render(about)},
            {"type": "image_url", "image_url": {"url": data_url(image)}},
        ]
        reply = self._endpoint.ask(content, cap=self._cap)
        thought = _THINK.match(reply.text)
        answer = reply.text[thought.end() :] if thought else reply.text
        reasoning = reply.reasoning or (thought.group(1).strip() if thought else None)
        counts = {"prompt_tokens": reply.prompt_tokens, "completion_tokens": reply.completion_tokens}
        extra = {name: str(value) for name, value in counts.items() if value is not None}
        if reply.finish:
            extra["finish_reason"] = reply.finish
        return Recognition(parse_response(answer), raw=reply.text, reasoning=reasoning, extra=extra)

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def estimate(self, items: int, price_in: float | None = None, price_out: float | None = None) -> Estimate:
        """What a run over `items` will send and at most get back. Prices are per million tokens."""
        longest = max(len(text.encode()) for text in self.prompt.texts.values())
        sent = items * (TOKENS_PER_IMAGE + longest // 3)
        return Estimate(items, sent, items * self._cap, _cost(sent, price_in, items * self._cap, price_out))


@dataclass(frozen=True, slots=True)
class Estimate:
    """Requests, tokens sent (a guess: about 800 an image), tokens that can come back at most, cost in the prices' currency."""

    requests: int
    tokens_in: int
    tokens_out_at_most: int
    cost_at_most: float | None

    def words(self) -> str:
        """One line for the user."""
        cost = "" if self.cost_at_most is None else f", at most {self.cost_at_most:.2f} in the currency of the prices"
        return f"{self.requests:,} requests, about {self.tokens_in:,} tokens in, at most {self.tokens_out_at_most:,} out{cost}"


def _cost(sent: int, price_in: float | None, back: int, price_out: float | None) -> float | None:
    if price_in is None and price_out is None:
        return None
    return (sent * (price_in or 0.0) + back * (price_out or 0.0)) / 1e6
