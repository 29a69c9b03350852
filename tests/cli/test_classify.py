"""`annotator classify GOLD PREDICTED`."""

from __future__ import annotations

import json

from click.testing import CliRunner

from annotator.cli.main import root


def test_json_is_the_contract() -> None:
    result = CliRunner().invoke(root, ["classify", "পাখি ডাকে", "পাখী ডাকে", "--script", "bengali", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["script"] == "bengali"
    assert document["events"] == [
        {
            "class": "vowel-sign",
            "stage": 2,
            "gold": "পাখি",
            "predicted": "পাখী",
            "rule": "nothing but vowel signs differs: ◌ী for ◌ি",
            "edits": [{"op": "sub", "gold_index": 3, "predicted_index": 3, "gold": "ি", "predicted": "ী"}],
        }
    ]


def test_a_text_may_begin_with_a_dash_and_agree() -> None:
    result = CliRunner().invoke(root, ["classify", "-5", "-5"])
    assert (result.exit_code, result.output) == (0, "no events\n")


def test_the_script_is_found_from_gold() -> None:
    result = CliRunner().invoke(root, ["classify", "पानी", "पानि"])
    assert "vowel-sign" in result.output


def test_an_unknown_script_is_refused() -> None:
    result = CliRunner().invoke(root, ["classify", "a", "b", "--script", "klingon"])
    assert result.exit_code != 0
    assert "found 'klingon'" in str(result.exception)
