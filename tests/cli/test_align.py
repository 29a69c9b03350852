"""`annotator align`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import UsageError
from annotator.text.align import alignment_version


def run(*args: str) -> Any:
    result = CliRunner().invoke(root, ["align", *args, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_contract() -> None:
    document = run("ক্ষমতা", "খমত")
    assert {name: document[name] for name in ("gold_length", "predicted_length", "cer", "edits")} == {
        "gold_length": 3,
        "predicted_length": 3,
        "cer": 2 / 3,
        "edits": [
            {"op": "sub", "gold_index": 0, "predicted_index": 0, "gold": "ক্ষ", "predicted": "খ"},
            {"op": "sub", "gold_index": 2, "predicted_index": 2, "gold": "তা", "predicted": "ত"},
        ],
    }
    assert document["alignment_version"] == alignment_version()
    assert (document["profile"], document["profile_version"], document["unit"]) == ("raw", "1", "grapheme")


def test_unit_and_profile() -> None:
    assert run("ক্ষ", "ক", "--unit", "codepoint")["gold_length"] == 3
    assert run("A b!", "ab", "--profile", "full")["edits"] == []


@pytest.mark.parametrize("gold", ["", "  "])
def test_a_rate_without_gold_is_null_with_its_reason(gold: str) -> None:
    document = run(gold, "x")
    assert document["cer"] is None
    assert "blank" in document["why"]


def test_texts_may_begin_with_a_dash() -> None:
    assert run("-1", "--x")["predicted_length"] == 3


def test_readable_output_is_inert() -> None:
    result = CliRunner().invoke(root, ["align", "ab", "a\u202e\x1b"])
    assert result.exit_code == 0
    assert "\\u202e" in result.stdout
    assert "\x1b" not in result.stdout
    assert "CER 1.0000" in result.stdout
    assert "no edits" in CliRunner().invoke(root, ["align", "a", "a"]).stdout


@pytest.mark.parametrize("options", [["--unit", "word"], ["--profile", "none"]])
def test_unknown_names(options: list[str]) -> None:
    result = CliRunner().invoke(root, ["align", "a", "b", *options])
    assert isinstance(result.exception, UsageError)


def test_bytes_that_are_no_text() -> None:
    result = CliRunner().invoke(root, ["align", "a\udcff", "b"])
    assert isinstance(result.exception, UsageError)
    assert "GOLD" in str(result.exception)
