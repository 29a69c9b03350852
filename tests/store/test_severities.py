"""The lines that severities are charged on."""

from __future__ import annotations

from pathlib import Path

from annotator.store.reading import read_runs
from annotator.store.severities import iter_lines
from tests.builders import build_project


def test_lines_are_the_answers_with_edits_each_with_its_own_blank_golds_left_out(tmp_path: Path) -> None:
    items = [{"id": str(n), "gold": gold} for n, gold in enumerate(["cat", "same", None, "hat", ""])]
    answers = {"one": {"0": "cot", "1": "same", "2": "free", "3": "hits", "4": "x"}, "two": {"0": "at", "1": "sane"}}
    project = build_project(tmp_path, items, answers)
    with project.read() as connection:
        found = [
            [(line.item_id, line.system, line.predicted, [(e.gold, e.predicted) for e in line.alignment.edits])
             for line in iter_lines(connection, run.key)]
            for run in read_runs(connection)
        ]  # fmt: skip
    assert found == [
        [
            ("0", "one", "cot", [("a", "o")]),
            ("3", "one", "hits", [("a", "i"), ("", "s")]),
        ],
        [("0", "two", "at", [("c", "")]), ("1", "two", "sane", [("m", "n")])],
    ]


def test_a_text_is_read_once_however_many_edits_it_has(tmp_path: Path) -> None:
    """Read once for each of its edits, it would take the square of its length."""
    length = 60_000
    project = build_project(tmp_path, [{"id": "1", "gold": "x" * length}], {"one": {"1": "y" * length}})
    with project.read() as connection:
        (line,) = iter_lines(connection, read_runs(connection)[0].key)
    assert line.alignment.substitutions == len(line.alignment.edits) == length
