"""The rubric's five levels, distributions over them, and the charges read from a distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.errors import InputError

LEVELS = 5
_CLASS_CHARGE = (0.2, 0.6, 0.6, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Probabilities of the levels 0-4. They need not sum to 1: they are renormalised when read.

    Judges that answer with other tokens too give less than 1 in all; the rest is not a level.
    """

    p: tuple[float, float, float, float, float]

    @classmethod
    def of(cls, values: Sequence[float]) -> Distribution:
        """Check and take five numbers. Raises `InputError` for another count, negatives, non-numbers, all zero, over 1."""
        if len(values) != LEVELS:
            raise InputError(
                f"a distribution over the rubric: found {len(values)} numbers; expected {LEVELS} (levels 0-4)"
            )
        if any(not math.isfinite(v) or v < 0 for v in values):
            raise InputError(
                f"a distribution over the rubric: found {list(values)}; expected numbers that are not negative"
            )
        total = math.fsum(values)
        if total <= 0 or total > 1.001:
            raise InputError(
                f"a distribution over the rubric: found a sum of {total:.4g}; expected above 0 and at most 1"
            )
        a, b, c, d, e = values
        return cls((a, b, c, d, e))

    @property
    def severity(self) -> float:
        """sum over k of p_k k/4, p renormalised over the five levels (semCER, eq. 4). In [0, 1]."""
        total = math.fsum(self.p)
        return math.fsum(p * k for k, p in enumerate(self.p)) / (total * (LEVELS - 1))

    @property
    def mode(self) -> int:
        """The most likely level, the lower one on a tie."""
        return self.p.index(max(self.p))


def level_severity(level: float) -> float:
    """The rating k/4 of a level."""
    return level / (LEVELS - 1)


def nearest_level(severity: float) -> int:
    """The level whose rating is nearest, the lower one on a tie: the most likely level when only a severity is known."""
    return min(range(LEVELS), key=lambda k: (abs(level_severity(k) - severity), k))


def class_charge(level: int) -> float:
    """Three fixed charges: level 0 costs 0.2, 1 and 2 cost 0.6, 3 and 4 cost 1 (semCER, section B.2)."""
    return _CLASS_CHARGE[level]
