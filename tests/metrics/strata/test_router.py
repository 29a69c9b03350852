from __future__ import annotations

import math

import pytest

from annotator.metrics.strata.router import AnswerSigns, answer_features, pair_features


def test_the_features_of_an_answer() -> None:
    found = answer_features(AnswerSigns("ab", (0.5, 0.125)))
    assert found["min"] == 0.125
    assert found["mean"] == pytest.approx(0.3125)
    assert found["geometric_mean"] == pytest.approx(0.25)
    assert found["log_probability"] == pytest.approx(math.log(0.0625))
    assert found["length"] == 2.0
    assert "entropy" not in found
    assert answer_features(AnswerSigns("", (1.0,), entropy=0.4))["entropy"] == 0.4


def test_an_answer_without_confidence_is_wholly_unsure_but_finite() -> None:
    found = answer_features(AnswerSigns("a", ()))
    assert found["min"] == 0.0
    assert all(math.isfinite(value) for value in found.values())


def test_pairs_add_differences_and_equality() -> None:
    found = pair_features(
        {"a": AnswerSigns("x", (0.9,), 0.1), "b": AnswerSigns("x", (0.4,)), "c": AnswerSigns("y", (1.0,))}
    )
    assert found["a - b.mean"] == pytest.approx(0.5)
    assert (found["a = b"], found["a = c"]) == (1.0, 0.0)
    assert "a.entropy" in found
    assert "a - b.entropy" not in found
