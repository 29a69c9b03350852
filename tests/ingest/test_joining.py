"""Ids that nearly meet."""

from __future__ import annotations

import pytest

from annotator.errors import UsageError
from annotator.ingest.joining import join_ids, near_misses

KNOWN = {"00012": 0, "img/a": 0, "B": 0, "x9": 0, "caf\xe9": 0, "5": 0}


@pytest.mark.parametrize(
    ("rule", "given", "known"),
    [
        ("leading-zeros", "12", "00012"),
        ("extension", "B.png", "B"),
        ("folder", "a", "img/a"),
        ("case", "b", "B"),
        ("normal-form", "cafe\u0301", "caf\xe9"),
        ("decimal", "5.0", "5"),
    ],
)
def test_rules(rule: str, given: str, known: str) -> None:
    assert join_ids([given], KNOWN, []) == {}
    assert join_ids([given], KNOWN, [rule]) == {given: known}
    assert near_misses([given], KNOWN)[0][2:] == (given, known)


def test_an_exact_match_needs_no_rule_and_wins() -> None:
    assert join_ids(["7", "07"], {"07": 0, "7": 0}, ["leading-zeros"]) == {"7": "7", "07": "07"}


def test_where_two_could_meet_none_does() -> None:
    assert join_ids(["7"], {"07": 0, "007": 0}, ["leading-zeros"]) == {}
    assert join_ids(["a.png", "a.jpg"], {"a": 0}, ["extension"]) == {}


def test_zeros_inside_a_number_stay() -> None:
    assert join_ids(["p1/100"], {"p01/0100": 0, "p1/1": 0}, ["leading-zeros"]) == {"p1/100": "p01/0100"}


def test_two_rules_together() -> None:
    assert near_misses(["dir/x9.jpg"], KNOWN)[0][0] == ("folder", "extension")


def test_unknown_rule() -> None:
    with pytest.raises(UsageError, match="expected one of leading-zeros"):
        join_ids(["a"], KNOWN, ["magic"])
