"""The language a tag names."""

from __future__ import annotations

import pytest

from annotator.text.languages import primary_subtag


@pytest.mark.parametrize(
    ("tag", "expected"), [("en", "en"), ("en-GB", "en"), ("zh_Hant_TW", "zh"), ("BN", "bn"), ("", ""), ("-x", "")]
)
def test_the_primary_subtag(tag: str, expected: str) -> None:
    assert primary_subtag(tag) == expected
