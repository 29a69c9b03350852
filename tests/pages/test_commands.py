"""The command under a page names what was chosen there, and runs."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.builders import build_project
from tests.cli.contract import annotate
from tests.pages.conftest import OpenPage

HEAD = "python -m annotator report "
WORDS = "the and for you that with this have from they will would there their what about which when make like"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [
        {"id": f"i{k}", "gold": word, "standard": word + "s", "attributes": {"domain": "ab"[k % 2], "d": str(k)}}
        for k, word in enumerate(WORDS.split())
    ]
    answers = {
        name: {f"i{k}": word + "s" * (k % size == 0) for k, word in enumerate(WORDS.split())}
        for name, size in (("one", 2), ("two", 3), ("two@gray", 4))
    }
    return build_project(tmp_path / "project", items, answers).folder


@pytest.mark.parametrize(
    ("page", "query", "command"),
    [
        ("outcomes", {}, "outcomes"),
        ("outcomes", {"by": "perturbation"}, "outcomes --by-perturbation"),
        ("outcomes", {"by": "@domain", "attribute": "domain"}, "outcomes --by domain --macro domain"),
        ("outcomes", {"tab": "pair", "b": "two@gray"}, "compare one two@gray --metric outcome"),
        (
            "outcomes",
            {"tab": "consensus", "panel": "one@default|two@gray", "fold": "1"},
            "consensus one two@gray --fold",
        ),
        ("outcomes", {"tab": "lexical"}, "lexical --prior d"),
        ("outcomes", {"tab": "conditions"}, "conditions"),
        ("compare", {"metric": "cer"}, "compare one two --metric cer"),
        ("compare", {"view": "grid", "metric": "outcome"}, "strata"),
        ("compare", {"view": "corpora", "value": "wordfreq-de"}, "crosscorpus --second wordfreq-de"),
        ("compare", {"view": "variants", "a": "two"}, "mitigation two"),
        ("strata", {"metric": "exact", "system": "two"}, "strata --metric exact"),
        ("strata", {"readout": "curves"}, "marginals --system one --condition default"),
        ("strata", {"readout": "ngrams", "cell": "3-3"}, "ngrams one two --cell 3-3"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-",
)
def test_the_command_of_a_view(
    page: str, query: dict[str, str], command: str, open_page: OpenPage, project: Path
) -> None:
    app = open_page(project, f"pages/{page}.py", **query)
    assert not app.exception
    (shown,) = [block.value for block in app.code if block.value.startswith(HEAD)]
    assert shown == f"{HEAD}{command} --project {project}"
    ran = annotate(*shlex.split(shown)[3:], "--json")
    assert ran.code == 0, ran.err
