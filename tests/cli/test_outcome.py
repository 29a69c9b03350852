"""`annotator outcome` and `annotator perturbation`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from annotator.cli.main import root

OUTCOMES = [
    (("dolphiin", "dolphin", "```\nAnswer: 'Dolphin'\n```"), "Dolphin", "canonical"),
    (("dolphiin", "dolphin", "dolphiin"), "dolphiin", "literal"),
    (("dolphiin", "dolphin", ""), "", "other"),
    (("-5", "-6", "-5"), "-5", "literal"),
]


@pytest.mark.parametrize(("texts", "predicted", "outcome"), OUTCOMES)
def test_outcome(texts: tuple[str, str, str], predicted: str, outcome: str) -> None:
    document = _run("outcome", *texts)
    assert (document["predicted"], document["outcome"]) == (predicted, outcome)
    assert "why" not in document


def test_outcome_without_a_standard_form_says_why() -> None:
    document = _run("outcome", "Dolphin", "dolphin", "dolphin")
    assert document["outcome"] is None
    assert "equals gold" in document["why"]


def test_perturbation() -> None:
    assert _run("perturbation", "turtle", "turtie") == {"group": "letter-shape", "from": "l", "to": "i"}
    assert _run("perturbation", "owl", "owl") == {"group": "none", "from": "", "to": ""}


def test_readable_output_is_inert() -> None:
    result = CliRunner().invoke(root, ["outcome", "a", "b", "\u202ea\x1b[31m"])
    assert result.exit_code == 0
    assert "predicted: \\u202ea\\u001b[31m" in result.output


def _run(*args: str) -> dict[str, object]:
    result = CliRunner().invoke(root, [*args, "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    assert isinstance(document, dict)
    return document
