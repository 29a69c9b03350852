"""Groups of the change between standard form and gold."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.perturbation import PerturbationGroup, classify_perturbation

CHANGES = [
    ("dolphin", "dolphin", "none", "", ""),
    ("Dolphin", "dolphin ", "none", "", ""),
    ("", "", "none", "", ""),
    ("turtle", "turtie", "letter-shape", "l", "i"),
    ("spider", "splder", "letter-shape", "i", "l"),
    ("peacock", "pcacock", "letter-shape", "e", "c"),
    ("uranus", "vranus", "letter-shape", "u", "v"),
    ("vase", "uase", "letter-shape", "v", "u"),
    ("robin", "robim", "letter-shape", "n", "m"),
    ("hat", "bat", "letter-shape", "h", "b"),
    ("cat", "cot", "letter-shape", "a", "o"),
    ("lily", "iily", "letter-shape", "l", "i"),
    ("tool", "t00l", "digit-symbol", "oo", "00"),
    ("owl", "0wl", "digit-symbol", "o", "0"),
    ("lion", "l1on", "digit-symbol", "i", "1"),
    ("eagle", "eag1e", "digit-symbol", "l", "1"),
    ("snake", "5nake", "digit-symbol", "s", "5"),
    ("albania", "@lbania", "digit-symbol", "a", "@"),
    ("penguin", "pen9uin", "digit-symbol", "g", "9"),
    ("bear", "6ear", "digit-symbol", "b", "6"),
    ("0wl", "owl", "substitution", "0", "o"),
    ("shrimp", "shrirnp", "split-merge", "m", "rn"),
    ("corner", "comer", "split-merge", "rn", "m"),
    ("walrus", "vvalrus", "split-merge", "w", "vv"),
    ("savvy", "sawy", "split-merge", "vv", "w"),
    ("clam", "dam", "split-merge", "cl", "d"),
    ("spider", "spicler", "split-merge", "d", "cl"),
    ("dolphin", "dolphiin", "duplication", "", "i"),
    ("osaka", "osakaa", "duplication", "", "a"),
    ("montreal", "mmontreal", "duplication", "", "m"),
    ("latte", "lattte", "duplication", "", "t"),
    ("azalea", "aza lea", "insertion", "", " "),
    ("tennis", "te-nnis", "insertion", "", "-"),
    ("crow", "ctrow", "insertion", "", "t"),
    ("elephant", "elephat", "deletion", "n", ""),
    ("azalea", "zaea", "deletion", "azal", "za"),
    ("latte", "late", "deletion", "t", ""),
    ("table", "tabel", "transposition", "le", "el"),
    ("bear", "ebar", "transposition", "be", "eb"),
    ("bear", "besr", "substitution", "a", "s"),
    ("harp", "hatpp", "substitution", "r", "tp"),
    ("", "x", "insertion", "", "x"),
    ("x", "", "deletion", "x", ""),
    ("ক্ষমতা", "ক্ষতা", "deletion", "ম", ""),
]


@pytest.mark.parametrize(("standard", "gold", "group", "old", "new"), CHANGES)
def test_classify_perturbation(standard: str, gold: str, group: str, old: str, new: str) -> None:
    found = classify_perturbation(standard, gold)
    assert (found.group.value, found.from_, found.to) == (group, old, new)


def test_pair_names() -> None:
    assert classify_perturbation("turtle", "turtie").pair == "l>i"
    assert classify_perturbation("crow", "ctrow").pair == ">t"
    assert classify_perturbation("crow", "crow").pair == ""


@given(st.text("abclmnr", max_size=7), st.integers(0, 7), st.sampled_from("abclmnr-"))
def test_one_more_cluster_is_never_a_deletion(standard: str, at: int, added: str) -> None:
    gold = standard[:at] + added + standard[at:]
    assert classify_perturbation(standard, gold).group in {
        PerturbationGroup.INSERTION,
        PerturbationGroup.DUPLICATION,
        PerturbationGroup.SPLIT_MERGE,
    }


@given(st.text("abclmnrvwd", max_size=7), st.text("abclmnrvwd", max_size=7))
def test_both_directions_agree_on_symmetric_groups(standard: str, gold: str) -> None:
    symmetric = {"none", "letter-shape", "split-merge", "transposition"}
    there, back = classify_perturbation(standard, gold), classify_perturbation(gold, standard)
    assert (there.group in symmetric) == (back.group in symmetric)
    if there.group in symmetric:
        assert there.group == back.group


@pytest.mark.shared
def test_group_sizes_of_scenefaith(shared_data: Path) -> None:
    with (shared_data / "scenefaith" / "items.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = [classify_perturbation(row["canonical_text"], row["observed_text"]) for row in rows]
    assert Counter(one.group.value for one in found) == {
        "letter-shape": 151,
        "split-merge": 26,
        "duplication": 149,
        "digit-symbol": 61,
        "deletion": 172,
        "insertion": 36,
        "transposition": 141,
        "substitution": 45,
    }
    pairs = Counter(one.pair for one in found)
    assert (pairs["l>i"], pairs["i>l"], pairs["l>1"], pairs["i>1"]) == (10, 21, 7, 16)
