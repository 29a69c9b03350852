"""What a router sees of an answer: numbers read from its confidences, by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FLOOR = 1e-12


@dataclass(frozen=True, slots=True)
class AnswerSigns:
    """One answer as the router knows it: its folded text and its confidences per character (one for all if only that).

    `entropy` is given by few systems, `None` otherwise.
    """

    text: str
    confidences: tuple[float, ...]
    entropy: float | None = None


def answer_features(answer: AnswerSigns) -> dict[str, float]:
    """Minimum, mean and geometric mean of the confidences, sequence log-probability, length, entropy where given.

    An answer without any confidence counts as wholly unsure (0). Source: StratiSTR section 5.4 and appendix J.
    """
    values = answer.confidences or (0.0,)
    logs = [math.log(max(value, FLOOR)) for value in values]
    features = {
        "min": min(values),
        "mean": sum(values) / len(values),
        "geometric_mean": math.exp(sum(logs) / len(logs)),
        "log_probability": sum(logs),
        "length": float(len(answer.text)),
    }
    if answer.entropy is not None:
        features["entropy"] = answer.entropy
    return features


def pair_features(answers: Mapping[str, AnswerSigns]) -> dict[str, float]:
    """Features of the systems' answers to one item, named `SYSTEM.FEATURE`, with differences and equality flags."""
    own = {name: answer_features(answer) for name, answer in answers.items()}
    features = {f"{name}.{key}": value for name, values in own.items() for key, value in values.items()}
    for first, second in _pairs(list(answers)):
        shared = own[first].keys() & own[second].keys()
        for key in (key for key in own[first] if key in shared):
            features[f"{first} - {second}.{key}"] = own[first][key] - own[second][key]
        features[f"{first} = {second}"] = float(answers[first].text == answers[second].text)
    return features


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(first, second) for at, first in enumerate(names) for second in names[at + 1 :]]
