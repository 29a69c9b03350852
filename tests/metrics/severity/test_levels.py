"""Distributions over the levels and what is read from them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.metrics.severity.levels import Distribution, class_charge, level_severity, nearest_level

probabilities = st.lists(st.floats(0, 1), min_size=5, max_size=5).filter(lambda p: sum(p) > 0.01)


@given(probabilities)
def test_severity_lies_in_the_unit_interval_and_ignores_scale(p: list[float]) -> None:
    total = sum(p)
    one = Distribution.of([v / total for v in p])
    half = Distribution.of([v / total / 2 for v in p])
    assert 0 <= one.severity <= 1
    assert one.severity == pytest.approx(half.severity)


@pytest.mark.parametrize("level", range(5))
def test_a_sure_level_is_charged_a_quarter_each(level: int) -> None:
    sure = Distribution.of([float(k == level) for k in range(5)])
    assert sure.severity == level_severity(level) == level / 4
    assert sure.mode == level == nearest_level(sure.severity)


def test_class_charges() -> None:
    assert [class_charge(level) for level in range(5)] == [0.2, 0.6, 0.6, 1.0, 1.0]


@pytest.mark.parametrize(
    "values",
    [[1, 0, 0, 0], [1, 0, 0, 0, 0, 0], [-0.1, 1, 0, 0, 0], [0] * 5, [1, 1, 0, 0, 0], [float("nan")] + [0.2] * 4],
)
def test_bad_distributions_are_refused(values: list[float]) -> None:
    with pytest.raises(InputError, match="distribution over the rubric"):
        Distribution.of(values)
