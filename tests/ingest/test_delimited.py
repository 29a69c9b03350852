"""CSV and TSV: separators, quotes, line breaks, and every physical line accounted for."""

from __future__ import annotations

import pytest

from annotator.errors import FileError
from annotator.ingest.delimited import find_separator, read_delimited
from annotator.ingest.tables import Table


def read(text: str, **more: object) -> Table:
    return read_delimited("f.csv", text, "", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("header", "suffix", "separator"),
    [
        ("id,gold", ".csv", ","),
        ("id;gold", ".csv", ";"),
        ("id\tgold", ".csv", "\t"),
        ("id\tgold", ".tsv", "\t"),
        ("id", ".csv", ","),
        ("id", ".tsv", "\t"),
        ('id;"a,b,c"', ".csv", ";"),
    ],
)
def test_the_separator_is_that_of_the_header(header: str, suffix: str, separator: str) -> None:
    assert find_separator(header, suffix) == separator


def test_cells_stay_as_written() -> None:
    table = read('id,gold\n a ,"x, ""y"" "\n007,NA\n')
    assert table.rows == [(" a ", 'x, "y" '), ("007", "NA")]
    assert list(table.lines) == [2, 3]


def test_quoted_cells_may_hold_line_breaks_and_lines_stay_physical() -> None:
    table = read('id,gold\r\na,"one\r\ntwo\n"\r\n\r\nb,x\r\n')
    assert table.rows == [("a", "one\r\ntwo\n"), ("b", "x")]
    assert list(table.lines) == [2, 6]


def test_a_quote_is_ordinary_in_tsv_unless_asked() -> None:
    assert read('id\tgold\na\t"x\n').rows == [("a", '"x')]
    assert read('id\tgold\na\t"x\ty"\n', quoted=True).rows == [("a", "x\ty")]


def test_only_line_feeds_end_a_line() -> None:
    assert read("id\tgold\na\tx\u2028y\x0bz\n").rows == [("a", "x\u2028y\x0bz")]
    assert read("id\tgold\ra\tx\rb\ty").rows == [("a", "x"), ("b", "y")]


def test_a_separator_line_of_a_spreadsheet_is_obeyed() -> None:
    table = read("sep=;\nid;gold\na;x,y\n")
    assert (table.rows, list(table.lines)) == ([("a", "x,y")], [3])


def test_blank_rows_are_skipped_and_counted() -> None:
    table = read("id,gold\na,x\n,\n\n,\n")
    assert (table.rows, table.notes) == ([("a", "x")], ("2 rows of empty cells skipped",))


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("id,gold\na,x\nb,one, two\n", 3, "3 cells, 2 columns"),
        ("id,gold\na\n", 2, "1 cell, 2 columns"),
        ('id,gold\na,"x\ny\n', 2, "a quote that is never closed"),
        ('id,gold\n"x\ny",z\nb,"q\n', 4, "a quote that is never closed"),
        ('id,gold\n"a\nb","c\n', 3, "a quote that is never closed"),
        ('id,gold\na,"x"y\n', 2, "text after a closing quote"),
        ("id,gold\na,x\ry\n", 2, "a bare carriage return"),
    ],
)
def test_what_is_wrong_is_told_by_line(text: str, line: int, found: str) -> None:
    problem = read(text).problems[0]
    assert (problem.line, problem.found) == (line, found)


def test_all_problems_are_found_and_the_good_rows_kept() -> None:
    table = read('id,gold\na\nb,x\nc,"q"z\nd,y\n')
    assert [problem.line for problem in table.problems] == [2, 4]
    assert table.rows == [("b", "x"), ("d", "y")]


@pytest.mark.parametrize("text", ["", "\n\n", " \r\n", "sep=;"])
def test_a_file_without_a_header_is_refused(text: str) -> None:
    with pytest.raises(FileError, match="a header line"):
        read(text)
