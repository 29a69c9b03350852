"""Tables: what is drawn and what is copied."""

from __future__ import annotations

import csv
import io

import pytest

from components.numbers import Kind, interval, written
from components.tables import Column, as_csv, as_latex, as_markdown, table_html

COLUMNS = (
    Column("system", "System"),
    Column("n", "n", Kind.COUNT),
    Column("cer", "CER %", Kind.PERCENT, "edits / gold graphemes", "cer_low", "cer_high"),
)
ROWS = (
    {"system": "a_b", "n": 1234, "cer": 0.12345, "cer_low": 0.1, "cer_high": 0.15},
    {"system": "<x>|y", "n": 0, "cer": None, "cer_low": None, "cer_high": None, "why": {"cer": "no item has gold"}},
)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (0.5, Kind.PERCENT, "50.00"),
        (-0.1071, Kind.POINTS, "\u221210.71"),
        (0.1, Kind.POINTS, "+10.00"),
        (None, Kind.PERCENT, "\u2013"),
        (12345, Kind.COUNT, "12,345"),
        (0.00001, Kind.P, "< 0.0001"),
        ("name", Kind.TEXT, "name"),
        (True, Kind.TEXT, "True"),
    ],
)
def test_written(value: object, kind: Kind, expected: str) -> None:
    assert written(value, kind) == expected


def test_interval_needs_both_ends() -> None:
    assert interval(0.1, 0.2, Kind.PERCENT) == "[10.00, 20.00]"
    assert interval(None, 0.2, Kind.PERCENT) == ""


def test_drawn_table_escapes_and_explains_the_undefined() -> None:
    made = table_html(COLUMNS, ROWS, "Scores & more")
    assert "<x>" not in made
    assert 'aria-label="no item has gold"' in made
    assert "[10.00, 15.00]" in made
    assert "Scores &amp; more" in made
    assert 'aria-label="edits / gold graphemes"' in made


def test_csv_holds_full_precision_under_the_contract_names() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(COLUMNS, ROWS))))
    assert rows[0] == ["system", "n", "cer", "cer_low", "cer_high"]
    assert rows[1] == ["a_b", "1234", "0.12345", "0.1", "0.15"]
    assert rows[2][2] == ""


def test_markdown_and_latex_are_escaped() -> None:
    assert "<x>\\|y" in as_markdown(COLUMNS, ROWS)
    latex = as_latex(COLUMNS, ROWS, "100 % & more")
    assert "a\\_b" in latex
    assert "100 \\% \\& more" in latex
    assert latex.count("\\\\\n") == 3
