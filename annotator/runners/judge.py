"""A language model as a judge of single edits: one digit, its probabilities as a distribution, asked again when undecided."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from annotator.runners.endpoint import Reply
from annotator.runners.judgeprompts import JudgePrompt, Question

TRIES = 2
ALTERNATIVES = 20
TEMPERATURE = 1.0
CAP = 16
LEAST_ON_DIGITS = 0.5
_DIGIT = re.compile(r"(?<![\d.,])[0-4](?![\d]|[.,]\d)")
_THINK = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)

Levels = tuple[float, float, float, float, float]


class Asks(Protocol):
    """What a judge needs of an endpoint."""

    model: str

    def ask(self, content: str, *, cap: int, temperature: float, system: str, logprobs: int) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of one edit: probabilities of the levels 0-4, `None` when it stayed undecided after `tries`.

    `from_logprobs` is false when the endpoint gave no log probabilities: the digit then has probability 1. `said` is the
    text of the last reply.
    """

    levels: Levels | None
    from_logprobs: bool
    tries: int
    said: str


def judge_edit(
    endpoint: Asks, prompt: JudgePrompt, question: Question, temperature: float = TEMPERATURE, cap: int = CAP
) -> Verdict:
    """Ask for one edit, and once more when the first answer has no digit or puts under half of its weight on digits.

    Source: semCER, section A.1 (temperature 1, direct answer, undecided edits). Raises `EngineError` when the endpoint
    gives no reply.
    """
    said = ""
    for attempt in range(1, TRIES + 1):
        reply = endpoint.ask(
            prompt.render(question), cap=cap, temperature=temperature, system=prompt.system, logprobs=ALTERNATIVES
        )
        said = reply.text
        levels = read_levels(reply)
        if levels is not None:
            return Verdict(levels, bool(reply.alternatives), attempt, said)
    return Verdict(None, False, TRIES, said)


def read_levels(reply: Reply) -> Levels | None:
    """The distribution in a reply, or `None` when it is undecided.

    With log probabilities: those of the digits 0-4 at the place of the first digit that was said (not renormalised).
    Without: probability 1 on the one digit that the text holds. Undecided: no digit or several different ones, or less
    than half of the probability on the five digits.
    """
    digits = set(_DIGIT.findall(_western(_THINK.sub("", reply.text))))
    if len(digits) != 1:
        return None
    digit = digits.pop()
    place = _place_of(digit, reply.alternatives)
    if place is None:
        p = [0.0] * 5
        p[int(digit)] = 1.0
        return _five(p)
    levels = _five([_weight(place, str(level)) for level in range(5)])
    return levels if math.fsum(levels) >= LEAST_ON_DIGITS else None


def _place_of(digit: str, alternatives: Sequence[Mapping[str, float]]) -> Mapping[str, float] | None:
    """The alternatives at the last token that may be the digit said: thoughts before it may hold digits of their own."""
    for place in reversed(alternatives):
        if any(_western(token.strip()) == digit for token in place):
            return place
    return None


def _weight(place: Mapping[str, float], digit: str) -> float:
    return math.fsum(math.exp(logprob) for token, logprob in place.items() if _western(token.strip()) == digit)


def _western(text: str) -> str:
    """Digits of every script as 0-9: a judge that is asked in Bengali may answer in Bengali."""
    return "".join(str(unicodedata.decimal(ch)) if ch.isdecimal() else ch for ch in text)


def _five(p: Sequence[float]) -> Levels:
    total = math.fsum(p)
    a, b, c, d, e = (value / total for value in p) if total > 1 else p
    return a, b, c, d, e
