"""The text tables of the command line."""

from __future__ import annotations

import pytest

from annotator.cli.frame import table


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("p", 0.0, "< 0.0001"),
        ("mcnemar_p", 3e-9, "< 0.0001"),
        ("p", 0.0001, "0.0001"),
        ("cer", 0.00001, "0.0000"),
        ("p", None, "-"),
    ],
)
def test_a_p_is_never_nought(name: str, value: float | None, shown: str) -> None:
    assert table([{name: value}], [name]).split("\n")[-1].strip() == shown
