"""The kind of change that turned the standard form into gold (SceneFaith, Appendix F, Table 13). Latin script."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import regex

from annotator.metrics.outcomes import fold_text


class PerturbationGroup(StrEnum):
    """The eight groups, in the order in which reports list them, and NONE for equal texts."""

    LETTER_SHAPE = "letter-shape"
    SPLIT_MERGE = "split-merge"
    DUPLICATION = "duplication"
    DIGIT_SYMBOL = "digit-symbol"
    DELETION = "deletion"
    INSERTION = "insertion"
    TRANSPOSITION = "transposition"
    SUBSTITUTION = "substitution"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Perturbation:
    """The group and the pair behind it: `from_` in the standard form became `to` in gold (each may be empty)."""

    group: PerturbationGroup
    from_: str
    to: str

    @property
    def pair(self) -> str:
        """The pair as reports print it: `l>i`, `m>rn`, `>x` for an insertion, `x>` for a deletion, `""` for none."""
        return f"{self.from_}>{self.to}" if self.group is not PerturbationGroup.NONE else ""


# Appendix F: letters of like shape, either way; digits and symbols for letters, that way only; split or merged letters.
_LETTER_SHAPES = frozenset(frozenset(pair) for pair in ("li", "ec", "uv", "nm", "hb", "ao"))
_DIGIT_SYMBOLS = frozenset(("o0", "i1", "l1", "s5", "a@", "g9", "b6"))
_SPLITS = (("m", "rn"), ("w", "vv"), ("cl", "d"))


def classify_perturbation(standard: str, gold: str) -> Perturbation:
    """Name the change from `standard` to `gold`, over grapheme clusters of the case-folded NFC texts.

    Tested in this order: equal texts (none); one split or merge (m/rn, w/vv, cl/d, either way); two neighbours that
    changed places (transposition); clusters replaced one for one, all by letters of like shape (letter shape), all by
    the fixed digits and symbols (digit or symbol), else other substitution; gold with more clusters in the same order
    (duplication when each new one equals a neighbour, else insertion); gold with fewer (deletion). Any other change,
    several kinds at once included, is other substitution. The pair is what lies between the common prefix and suffix.
    """
    before, after = _clusters(standard), _clusters(gold)
    if before == after:
        return Perturbation(PerturbationGroup.NONE, "", "")
    split = _split_or_merge("".join(before), "".join(after))
    if split is not None:
        return split
    prefix = _common_prefix(before, after)
    suffix = _common_prefix(before[prefix:][::-1], after[prefix:][::-1])
    old, new = before[prefix : len(before) - suffix], after[prefix : len(after) - suffix]
    return Perturbation(_group(before, after, old, new), "".join(old), "".join(new))


def _clusters(text: str) -> list[str]:
    return regex.findall(r"\X", unicodedata.normalize("NFC", fold_text(text)))


def _split_or_merge(before: str, after: str) -> Perturbation | None:
    """The one replacement of a whole letter group that makes `after` out of `before`, if there is one."""
    for pair in _SPLITS:
        for old, new in (pair, pair[::-1]):
            at = before.find(old)
            while at >= 0:
                if before[:at] + new + before[at + len(old) :] == after:
                    return Perturbation(PerturbationGroup.SPLIT_MERGE, old, new)
                at = before.find(old, at + 1)
    return None


def _common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length


def _group(before: list[str], after: list[str], old: list[str], new: list[str]) -> PerturbationGroup:
    if len(old) == len(new):
        return _substituted(old, new)
    if len(new) > len(old) and (added := _left_over(after, before)) is not None:
        doubled = all(_equals_neighbour(after, at) for at in added)
        return PerturbationGroup.DUPLICATION if doubled else PerturbationGroup.INSERTION
    if len(new) < len(old) and _left_over(before, after) is not None:
        return PerturbationGroup.DELETION
    return PerturbationGroup.SUBSTITUTION


def _substituted(old: list[str], new: list[str]) -> PerturbationGroup:
    if len(old) == 2 and old == new[::-1]:
        return PerturbationGroup.TRANSPOSITION
    changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
    if all(frozenset(pair) in _LETTER_SHAPES for pair in changed):
        return PerturbationGroup.LETTER_SHAPE
    if all(one + other in _DIGIT_SYMBOLS for one, other in changed):
        return PerturbationGroup.DIGIT_SYMBOL
    return PerturbationGroup.SUBSTITUTION


def _left_over(longer: list[str], shorter: list[str]) -> list[int] | None:
    """The indices of `longer` that remain when `shorter` is read off it in order; `None` when it cannot be."""
    remaining: list[int] = []
    matched = 0
    for at, cluster in enumerate(longer):
        if matched < len(shorter) and shorter[matched] == cluster:
            matched += 1
        else:
            remaining.append(at)
    return remaining if matched == len(shorter) else None


def _equals_neighbour(clusters: list[str], at: int) -> bool:
    left = at > 0 and clusters[at - 1] == clusters[at]
    right = at + 1 < len(clusters) and clusters[at + 1] == clusters[at]
    return left or right
