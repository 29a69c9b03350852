"""Response parser and outcomes."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.outcomes import (
    Outcome,
    OutcomeCounts,
    classify_outcome,
    count_outcomes,
    fold_text,
    has_outcome,
    parse_response,
)

PARSED = [
    ("dolphiin", "dolphiin"),
    ("", ""),
    ("  \n \t\n", ""),
    ("  dolphiin \n", "dolphiin"),
    ("\n\ndolphiin\nLength: up to 2.6 m", "dolphiin"),
    ("```\ndolphiin\n```", "dolphiin"),
    ("```text\ndolphiin\n```\nDone.", "dolphiin"),
    ("```dolphiin```", "dolphiin"),
    ("```\r\ndolphiin```", "dolphiin"),
    ("Answer: dolphiin", "dolphiin"),
    ("OUTPUT:dolphiin", "dolphiin"),
    ("text : dolphiin", "dolphiin"),
    ("Result: 'dolphiin'", "dolphiin"),
    ("Answer:\n\ndolphiin", "dolphiin"),
    ("answer dolphiin", "answer dolphiin"),
    ("The text: dolphiin", "The text: dolphiin"),
    ('"dolphiin"', "dolphiin"),
    ("“dolphiin”", "dolphiin"),
    ("«dolphiin»", "dolphiin"),
    ("`dolphiin`", "dolphiin"),
    ("\"'dolphiin'\"", "'dolphiin'"),
    ('"dolphiin', '"dolphiin'),
    ("'dolphiin\"", "'dolphiin\""),
    ('"', '"'),
    ("dоlphiin", "dоlphiin"),  # Cyrillic о
]


@pytest.mark.parametrize(("raw", "parsed"), PARSED)
def test_parse_response(raw: str, parsed: str) -> None:
    assert parse_response(raw) == parsed


def test_a_response_of_20000_characters_is_kept_whole() -> None:
    assert parse_response("dolphiin " * 2500) == ("dolphiin " * 2500).strip()


@given(st.text(max_size=60))
def test_parsed_text_is_one_stripped_line(raw: str) -> None:
    parsed = parse_response(raw)
    assert parsed == parsed.strip()
    assert len(parsed.splitlines()) <= 1
    assert len(parsed) <= len(raw)


OUTCOMES = [
    ("dolphiin", "dolphin", "dolphiin", Outcome.LITERAL),
    ("dolphiin", "dolphin", "DOLPHIIN", Outcome.LITERAL),
    ("aza lea", "azalea", " Aza \n lea ", Outcome.LITERAL),
    ("aza lea", "azalea", "azalea", Outcome.CANONICAL),
    ("dolphiin", "dolphin", "Dolphin", Outcome.CANONICAL),
    ("dolphiin", "dolphin", "dolphin.", Outcome.OTHER),
    ("dolphiin", "dolphin", "", Outcome.OTHER),
    ("dolphiin", "dolphin", "dоlphiin", Outcome.OTHER),  # Cyrillic о
    ("cafe\u0301", "cafe", "caf\u00e9", Outcome.LITERAL),
    ("strasse", "strase", "straße", Outcome.LITERAL),
    ("dolphin", "", "dolphin", None),
    ("dolphin", "  ", "dolphin", None),
    ("Dolphin", "dolphin ", "dolphin", None),
]


@pytest.mark.parametrize(("gold", "standard", "predicted", "expected"), OUTCOMES)
def test_classify_outcome(gold: str, standard: str, predicted: str, expected: Outcome | None) -> None:
    assert classify_outcome(gold, standard, predicted) == expected
    assert has_outcome(gold, standard) == (expected is not None)


@given(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_swapping_gold_and_standard_swaps_literal_and_canonical(one: str, other: str, predicted: str) -> None:
    swapped = {Outcome.LITERAL: Outcome.CANONICAL, Outcome.CANONICAL: Outcome.LITERAL, Outcome.OTHER: Outcome.OTHER}
    first = classify_outcome(one, other, predicted)
    second = classify_outcome(other, one, predicted)
    if first is not None and second is not None:
        assert second == swapped[first]


@given(st.text(max_size=12))
def test_folding_is_idempotent(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)


def test_counts_add_and_rates_are_read_last() -> None:
    first = count_outcomes([Outcome.LITERAL, Outcome.CANONICAL, None])
    second = count_outcomes([Outcome.OTHER, Outcome.LITERAL])
    total = first + second
    assert total == OutcomeCounts(literal=2, canonical=1, other=1, missing=1)
    assert (total.n, total.literal_accuracy, total.rewriting_rate, total.other_rate) == (4, 0.5, 0.25, 0.25)


def test_rates_of_no_answers_are_undefined() -> None:
    nothing = count_outcomes([None, None])
    assert (nothing.n, nothing.missing) == (0, 2)
    assert nothing.literal_accuracy is nothing.rewriting_rate is nothing.other_rate is None


# ../shared/data/scenefaith/README.md: Literal, Canonical, Other of 781, and the domain macro of the rewriting rate.
SCENEFAITH = {
    "gemini-3.1-flash-lite": (704, 66, 11, 8.33),
    "gemini-3.5-flash": (701, 70, 10, 7.43),
    "gemini-3-flash-preview": (690, 86, 5, 9.34),
    "claude-sonnet-4-6": (664, 95, 22, 11.27),
    "gpt-5.2": (526, 231, 24, 27.80),
    "qwen3-vl-8b-instruct": (486, 152, 143, 19.06),
    "qwen3-vl-8b-thinking": (379, 296, 106, 38.82),
    "qwen3-vl-32b-instruct": (476, 215, 90, 26.90),
    "qwen3-vl-32b-thinking": (371, 347, 63, 42.17),
}


@pytest.mark.shared
def test_counts_of_scenefaith(shared_data: Path) -> None:
    items = read_items(shared_data)
    by_domain: dict[str, dict[str, list[Outcome | None]]] = defaultdict(lambda: defaultdict(list))
    for system, item, parsed in read_predictions(shared_data):
        outcome = classify_outcome(items[item]["observed_text"], items[item]["canonical_text"], parsed)
        by_domain[system][items[item]["domain"]].append(outcome)
    assert set(by_domain) == set(SCENEFAITH)
    for system, (literal, canonical, other, macro) in SCENEFAITH.items():
        domains = [count_outcomes(outcomes) for outcomes in by_domain[system].values()]
        assert sum(domains, OutcomeCounts()) == OutcomeCounts(literal, canonical, other)
        rates = [counts.rewriting_rate for counts in domains]
        assert round(100 * sum(rate for rate in rates if rate is not None) / len(rates), 2) == macro


PANELS = [
    (("gpt-5.2", "claude-sonnet-4-6", "gemini-3-flash-preview"), (456, 16, 2), (465, 26, 2)),
    (
        ("gpt-5.2", "claude-sonnet-4-6", "gemini-3-flash-preview", "qwen3-vl-32b-thinking"),
        (291, 16, 2),
        (299, 26, 2),
    ),
]


@pytest.mark.shared
@pytest.mark.parametrize(("panel", "exact", "folded"), PANELS)
def test_consensus_of_scenefaith(
    shared_data: Path, panel: tuple[str, ...], exact: tuple[int, ...], folded: tuple[int, ...]
) -> None:
    items = read_items(shared_data)
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    for system, item, parsed in read_predictions(shared_data):
        answers[item][system] = parsed
    for change, expected in ((str, exact), (fold_text, folded)):
        agreed = [item for item, given in answers.items() if len({change(given[name]) for name in panel}) == 1]
        counts = Counter(
            classify_outcome(items[i]["observed_text"], items[i]["canonical_text"], answers[i][panel[0]])
            for i in agreed
        )
        assert tuple(counts[outcome] for outcome in Outcome) == expected


def read_items(shared_data: Path) -> dict[str, dict[str, str]]:
    """The items of SceneFaith by id."""
    with (shared_data / "scenefaith" / "items.tsv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def read_predictions(shared_data: Path) -> list[tuple[str, str, str]]:
    """System, item and parsed text of every SceneFaith prediction."""
    lines = (shared_data / "scenefaith" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [(row["model"], row["id"], parse_response(row["raw_response"])) for row in rows]
