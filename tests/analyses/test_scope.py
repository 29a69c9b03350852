"""Which language a grid is of."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.analyses.scope import choose_language
from annotator.errors import UsageError
from annotator.store.reading import ItemTable


def table(*rows: tuple[str, str]) -> ItemTable:
    """Items from (gold, language)."""
    golds, languages = tuple(gold for gold, _ in rows), tuple(language for _, language in rows)
    empty = ("",) * len(rows)
    ids = tuple(f"i{k}" for k in range(len(rows)))
    return ItemTable(np.arange(len(rows)), ids, golds, empty, empty, languages, empty, empty)


@pytest.mark.parametrize(
    ("rows", "wanted", "language", "inside", "left_out"),
    [
        ([("cat", ""), ("42", ""), ("dog", "en-GB")], "", "en", [True, True, True], {}),
        ([("ভাষা", ""), ("42", "")], "", "bn", [True, True], {}),
        ([("欢迎", ""), ("你好", ""), ("cat", "en")], "", "zh", [True, True, False], {"en": 1}),
        ([("cat", "en"), ("chat", "fr"), ("dog", "en")], "", "en", [True, False, True], {"fr": 1}),
        ([("cat", "en"), ("chat", "fr"), ("dog", "en")], "FR", "fr", [False, True, False], {"en": 2}),
        ([("cat", "en-US"), ("dog", "en-GB")], "en-GB", "en-gb", [False, True], {"en": 1}),
        ([("ꦲꦤ", "")], "", "", [True], {}),
        ([], "", "", [], {}),
    ],
)
def test_the_language_is_chosen_or_found(
    rows: list[tuple[str, str]], wanted: str, language: str, inside: list[bool], left_out: dict[str, int]
) -> None:
    scope = choose_language(table(*rows), wanted)
    assert (scope.language, scope.inside.tolist()) == (language, inside)
    assert dict(scope.left_out) == left_out


def test_a_language_told_by_the_script_is_said() -> None:
    assert "'bn'" in choose_language(table(("ভাষা", "")), "").note
    assert choose_language(table(("cat", "")), "").note == ""
    assert choose_language(table(("ভাষা", "bn")), "").note == ""


def test_a_language_that_no_item_has_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="found en, fr"):
        choose_language(table(("cat", "en"), ("chat", "fr")), "vi")
