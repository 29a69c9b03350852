"""Verbatim or rewritten from the command line: the keys of the contract, and the figures of SceneFaith."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.analyses.outcomes.transitions import compare_outcomes
from annotator.cli.main import root
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import open_project
from tests.builders import build_project

QUICK = ("--resamples", "300")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    items = [
        {"id": "a", "gold": "dolphiin", "standard": "dolphin", "attributes": {"domain": "animal", "d": "1"}},
        {"id": "b", "gold": "t00l", "standard": "tool", "attributes": {"domain": "thing", "d": "2"}},
        {"id": "c", "gold": "elephat", "standard": "elephant", "attributes": {"domain": "animal", "d": "3"}},
    ]
    answers = {
        "one": {"a": "dolphin", "b": "t00l", "c": "x"},
        "two": {"a": "dolphin", "b": "tool", "c": "elephant"},
        "two@gray": {"a": "dolphiin", "b": "tool", "c": "elephat"},
    }
    return build_project(tmp_path / "p", items, answers).folder


OUTCOME_KEYS = {"system", "condition", "n", "missing", "literal", "canonical", "other", "literal_accuracy",
                "rewriting_rate", "rewriting_low", "rewriting_high", "macro_rewriting_rate"}  # fmt: skip


def test_outcomes_keys(small: Path) -> None:
    document = _run(small, "outcomes", "--macro", "domain")
    assert set(document["rows"][0]) >= OUTCOME_KEYS
    assert "group" not in document["rows"][0]
    assert {"project_revision", "alignment_version", "seed"} <= set(document)


@pytest.mark.parametrize("way", [("--by", "domain"), ("--by-perturbation",), ("--by-length",), ("--by-pair",)])
def test_groupings_name_their_groups(small: Path, way: tuple[str, ...]) -> None:
    document = _run(small, "outcomes", *way)
    assert all(row["group"] for row in (*document["rows"], *document["pooled"]))


def test_one_grouping_at_a_time(small: Path) -> None:
    result = CliRunner().invoke(root, ["report", "outcomes", "--by", "domain", "--by-length", "--project", str(small)])
    assert result.exit_code == 2
    assert "choose one of" in result.output


def test_consensus_families_conditions_lexical_traces_keys(small: Path) -> None:
    assert {"accepted", "coverage", "literal", "canonical", "other"} <= set(_run(small, "consensus", "one", "two"))
    families = _run(small, "families")
    assert {"canonical", "canonical_low", "canonical_high", "n"} <= set(families["rows"][0])
    conditions = _run(small, "conditions", "--order", "default,gray")
    assert (conditions["rows"][0]["a"], conditions["rows"][0]["b"]) == ("two@gray", "two")
    assert conditions["rows"][0]["transitions"] == [[0, 2, 0], [0, 1, 0], [0, 0, 0]]
    lexical = _run(small, "lexical", "--prior", "d", "--regress")
    assert {"n", "spearman", "low", "high", "quintiles"} <= set(lexical)
    assert len(lexical["quintiles"]) == 5
    assert _run(small, "traces")["rows"] == []


@pytest.mark.parametrize("name", ["outcomes", "families", "conditions", "traces", "consensus", "lexical"])
def test_readable_tables(small: Path, name: str) -> None:
    more = {"consensus": ["one", "two"], "lexical": ["--prior", "d", "--regress"]}.get(name, [])
    result = CliRunner().invoke(root, ["report", name, *more, "--project", str(small), *QUICK])
    assert result.exit_code == 0, result.output
    assert result.output.strip()


def test_family_is_assigned_and_seen(small: Path) -> None:
    result = CliRunner().invoke(root, ["system", "family", "one", "big", "--json", "--project", str(small)])
    assert json.loads(result.output) == {"system": "one", "family": "big"}
    assert _run(small, "families")["families"]["big"] == ["one"]


def test_bands_are_whole_numbers(small: Path) -> None:
    result = CliRunner().invoke(root, ["report", "outcomes", "--by-length", "--bands", "4,x", "--project", str(small)])
    assert result.exit_code == 2
    result = CliRunner().invoke(root, ["report", "outcomes", "--by-length", "--bands", "4,3", "--project", str(small)])
    assert isinstance(result.exception, UsageError)


# README of the SceneFaith data: L, C, O, rewriting % with Wilson 95 %, domain macro %.
PUBLISHED = {
    "gemini-3.1-flash-lite": (704, 66, 11, 8.45, 6.70, 10.61, 8.33),
    "gemini-3.5-flash": (701, 70, 10, 8.96, 7.16, 11.17, 7.43),
    "gemini-3-flash-preview": (690, 86, 5, 11.01, 9.00, 13.40, 9.34),
    "claude-sonnet-4-6": (664, 95, 22, 12.16, 10.05, 14.64, 11.27),
    "gpt-5.2": (526, 231, 24, 29.58, 26.48, 32.87, 27.80),
    "qwen3-vl-8b-instruct": (486, 152, 143, 19.46, 16.84, 22.39, 19.06),
    "qwen3-vl-8b-thinking": (379, 296, 106, 37.90, 34.56, 41.35, 38.82),
    "qwen3-vl-32b-instruct": (476, 215, 90, 27.53, 24.51, 30.77, 26.90),
    "qwen3-vl-32b-thinking": (371, 347, 63, 44.43, 40.98, 47.93, 42.17),
}


@pytest.fixture(scope="module")
def scenefaith(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenefaith") / "p"
    data = shared_data / "scenefaith"
    for what, file in (("items", "items.tsv"), ("predictions", "predictions.jsonl"), ("attributes", "lexical.tsv")):
        result = CliRunner().invoke(root, ["import", what, str(data / file), "--project", str(folder)])
        assert result.exit_code == 0, result.output
    return folder


@pytest.mark.shared
def test_published_table(scenefaith: Path) -> None:
    rows = _run(scenefaith, "outcomes", "--macro", "domain")["rows"]
    found = {
        row["system"]: (
            row["literal"],
            row["canonical"],
            row["other"],
            *(round(100 * row[f"rewriting_{name}"], 2) for name in ("rate", "low", "high")),
            round(100 * row["macro_rewriting_rate"], 2),
        )
        for row in rows
    }
    assert found == PUBLISHED


@pytest.mark.shared
def test_published_group_sizes(scenefaith: Path) -> None:
    pooled = _run(scenefaith, "outcomes", "--by-perturbation")["pooled"]
    assert {row["group"]: row["items"] for row in pooled} == {
        "letter-shape": 151,
        "split-merge": 26,
        "duplication": 149,
        "digit-symbol": 61,
        "deletion": 172,
        "insertion": 36,
        "transposition": 141,
        "substitution": 45,
    }
    lengths = _run(scenefaith, "outcomes", "--by-length")["pooled"]
    assert [(row["group"], row["items"]) for row in lengths] == [("4-5", 199), ("6-7", 302), ("8-9", 199), ("10+", 81)]


PANEL = ["gpt-5.2", "claude-sonnet-4-6", "gemini-3-flash-preview"]
CONSENSUS = [
    (PANEL, (474, 456, 16, 2, 60.69, 3.80)),
    ([*PANEL, "--fold"], (493, 465, 26, 2, 63.12, 5.68)),
    ([*PANEL, "qwen3-vl-32b-thinking"], (309, 291, 16, 2, 39.56, 5.83)),
    ([*PANEL, "qwen3-vl-32b-thinking", "--fold"], (327, 299, 26, 2, 41.87, 8.56)),
]


@pytest.mark.shared
@pytest.mark.parametrize(("panel", "expected"), CONSENSUS)
def test_published_consensus(scenefaith: Path, panel: list[str], expected: tuple[float, ...]) -> None:
    found = _run(scenefaith, "consensus", *panel)
    shares = (round(100 * found["coverage"], 2), round(100 * found["error_rate"], 2))
    assert (found["accepted"], found["literal"], found["canonical"], found["other"], *shares) == expected


TRANSITIONS = [
    ("8b", ((304, 136, 46), (16, 128, 8), (59, 32, 52)), 18.44, -13.70),
    ("32b", ((317, 134, 25), (23, 183, 9), (31, 30, 29)), 16.90, -13.44),
]


@pytest.mark.shared
@pytest.mark.parametrize(("size", "matrix", "rewriting", "literal"), TRANSITIONS)
def test_published_transitions(
    scenefaith: Path, size: str, matrix: tuple[tuple[int, ...], ...], rewriting: float, literal: float
) -> None:
    instruct, thinking = f"qwen3-vl-{size}-instruct", f"qwen3-vl-{size}-thinking"
    project = open_project(scenefaith)
    assert compare_outcomes(project, Query(resamples=100), instruct, thinking).transitions == matrix
    found = compare_outcomes(project, Query(), thinking, instruct)
    assert found.rewriting.delta is not None
    assert found.literal.delta is not None
    assert (round(100 * found.rewriting.delta, 2), round(100 * found.literal.delta, 2)) == (rewriting, literal)
    assert found.rewriting.verdict == "significant"


@pytest.mark.shared
def test_d_goes_with_rewriting(scenefaith: Path) -> None:
    found = _run(scenefaith, "lexical", "--prior", "lm_gap", resamples=2000)
    assert found["n"] == 781
    assert found["spearman"] == pytest.approx(0.257, abs=0.0005)
    assert found["low"] == pytest.approx(0.19, abs=0.02)
    assert found["high"] == pytest.approx(0.32, abs=0.02)


def _run(project: Path, name: str, *options: str, resamples: int = 300) -> Any:
    command = ["report", name, *options, "--project", str(project), "--json", "--resamples", str(resamples)]
    result = CliRunner().invoke(root, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.output)
