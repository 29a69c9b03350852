"""Confusion tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics.confusions import count_confusions
from annotator.text.align import Op, align_texts
from tests.text.strategies import pairs

ROWS = [("1", "cat", "cut"), ("2", "bat", "but"), ("3", "কি", "কী"), ("1", "aa", "uu"), ("4", "a", ""), ("5", "", "!")]


def test_hand_worked() -> None:
    table = count_confusions(((item, align_texts(gold, predicted)) for item, gold, predicted in ROWS), examples=2)
    first = table.rows[0]
    assert (first.op, first.gold, first.predicted, first.script) == (Op.SUBSTITUTION, "a", "u", "Latin")
    assert (first.count, first.items, first.examples) == (4, 2, ("1", "2"))
    assert [(r.op, r.gold, r.predicted, r.count) for r in table.rows[1:]] == [
        ("del", "a", "", 1),
        ("ins", "", "!", 1),
        ("sub", "কি", "কী", 1),
    ]
    assert table.scripts == ("Latin", "Bengali", "Common")
    assert [r.gold for r in table.select(script="Bengali").rows] == ["কি"]
    assert table.select(op="ins").edits == 1
    assert table.select() == table


@given(st.lists(pairs, max_size=6))
def test_every_edit_is_counted_once(rows: list[tuple[str, str]]) -> None:
    alignments = [(str(at), align_texts(*row)) for at, row in enumerate(rows)]
    table = count_confusions(alignments)
    assert table.edits == sum(alignment.distance for _, alignment in alignments)
    assert sum(table.select(script=name).edits for name in table.scripts) == table.edits
    assert all(1 <= row.items <= row.count and len(row.examples) == min(row.items, 5) for row in table.rows)
    assert sorted(table.rows, key=lambda row: -row.count) == list(table.rows)
