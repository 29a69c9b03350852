"""JSON Lines and JSON lists: lines, types, and what is broken."""

from __future__ import annotations

import pytest

from annotator.errors import FileError
from annotator.ingest.jsonrows import kind_of, read_json_list, read_json_object, read_jsonl
from annotator.ingest.reading import table_of
from annotator.ingest.sources import source_of
from annotator.ingest.tables import ABSENT


def test_keys_that_come_later_are_absent_before() -> None:
    table = read_jsonl("f", '{"a": 1}\n\n{"b": null, "a": "x"}\n', "")
    assert (table.columns, list(table.lines)) == (("a", "b"), [1, 3])
    assert table.rows == [(1, ABSENT), ("x", None)]


def test_line_separators_of_unicode_are_text() -> None:
    assert read_jsonl("f", '{"a": "x\u2028y\x85z"}', "").rows == [("x\u2028y\x85z",)]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('{"a": 1}\n{"a": \n', 2, "broken JSON"),
        ('{"a": 1}\n[1]\n', 2, "a list"),
        ('{"a": 1}\n{"a": NaN}\n', 2, "broken JSON (NaN is not JSON)"),
        ('{"a": 1}\n' + '{"a":' * 100_000, 2, "broken JSON"),
        ('{"a": 1}\n{"a": "x", "b": 1, "a" : "y"}\n', 2, "broken JSON (the key 'a' twice in one object)"),
        ('{"a": 1}\n{"a": [{"b": 1, "b": 2}]}\n', 2, "broken JSON (the key 'b' twice in one object)"),
    ],
)
def test_broken_lines_are_named(text: str, line: int, found: str) -> None:
    table = read_jsonl("f", text, "")
    (problem,) = table.problems
    assert (problem.line, problem.found.startswith(found), len(table.rows)) == (line, True, 1)


def test_a_text_that_looks_like_a_key_is_text() -> None:
    assert read_jsonl("f", '{"a": "x\\":", "b": {"a": 1}}', "").rows == [('x":', {"a": 1})]


def test_lists_know_the_line_of_each_object() -> None:
    table = read_json_list("f", '[\n {"a": 1},\n\n {"a":\n 2}\n]\n', "")
    assert (table.rows, list(table.lines)) == ([(1,), (2,)], [2, 4])


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('[{"a": 1},\n', 2, "a cut file"),
        ('[{"a": 1}\n{"a": 2}]', 2, "a list that is not closed"),
        ('[{"a": 1}]\n[]', 2, "text after the list"),
        ('[{"a": 1},\n{"a": ]', 2, "broken JSON"),
    ],
)
def test_cut_and_broken_lists(text: str, line: int, found: str) -> None:
    (problem,) = read_json_list("f", text, "").problems
    assert (problem.line, problem.found.startswith(found)) == (line, True)


@pytest.mark.parametrize("text", ["", "[]", "[1, 2]", "7", '"x"'])
def test_nothing_to_read_is_refused(text: str) -> None:
    with pytest.raises(FileError):
        read_json_list("f", text, "")


def test_one_object_around_one_list() -> None:
    table = read_json_object("f", '{"version": 1, "items": [{"a": 1}]}', "")
    assert table is not None
    assert (table.rows, table.notes[0]) == (
        [(1,)],
        "rows are taken from the list 'items'; line numbers are row numbers",
    )
    assert read_json_object("f", '{"a": [1], "b": [2]}', "") is None
    assert table_of(source_of("f.json", b'{"a": 1}\n{"a": 2}')).rows == [(1,), (2,)]


def test_words_for_kinds() -> None:
    assert [kind_of(v) for v in (None, ABSENT, True, 7, 1.5, [], {}, "x")] == [
        "null",
        "no value",
        "true",
        "the number 7",
        "the number 1.5",
        "a list",
        "an object",
        "text",
    ]
