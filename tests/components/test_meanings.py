"""Every number of a table has its "?": words of its own, or those of its key."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from components.meanings import MEANINGS, meaning_of
from components.tables import Column, Kind, table_html
from tests.conftest import ROOT

PLAIN = {"line", "revision", "written", "count", "words", "task", "low", "high", "value", "lines"}
TEXTS = {"TEXT", "READ"}


def bare_numbers(source: str) -> Iterator[str]:
    """Keys of the numeric columns of a module that bring no help."""
    for call in ast.walk(ast.parse(source)):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Column"):
            continue
        kind = next((a.attr for a in call.args[2:3] if isinstance(a, ast.Attribute)), "TEXT")
        has_help = len(call.args) > 3 or any(word.arg == "help" for word in call.keywords)
        if kind not in TEXTS and not has_help and isinstance(call.args[0], ast.Constant):
            yield str(call.args[0].value)


@pytest.mark.parametrize("folder", ["components", "pages"])
def test_every_number_of_a_table_is_explained(folder: str) -> None:
    bare = {
        f"{path.name}: {key}"
        for path in sorted((ROOT / folder).glob("*.py"))
        for key in bare_numbers(path.read_text(encoding="utf-8"))
        if key not in MEANINGS and key not in PLAIN
    }
    assert bare == set()


def test_own_words_come_first_and_texts_have_none() -> None:
    assert meaning_of("n", "mine") == "mine"
    assert meaning_of("nowhere", "") == ""
    assert 'aria-label="mine"' in table_html([Column("n", "n", Kind.COUNT, "mine")], [], "t")
    assert "aria-label" not in table_html([Column("a", "A")], [], "t").partition("<table")[2]
