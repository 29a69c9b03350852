"""Confidence per character as HTML: one column per cluster, the least sure code point counts, nothing acts."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from components.sureness import ABSOLUTE, RELATIVE, sure_html

CELL = re.compile(r"<td[^>]*>")


def test_a_probability_is_tinted_by_itself() -> None:
    shown = sure_html("ab", (0.9, 0.25), "softmax")
    assert re.findall(r"--ge-v:(\d+)%", shown) == ["10", "75"]
    assert ABSOLUTE in shown
    assert "0.25" in shown


def test_a_score_is_tinted_by_its_place_in_the_answer() -> None:
    shown = sure_html("abc", (0.96, 0.91, None), "engine-score")
    assert re.findall(r"--ge-v:(\d+)%", shown) == ["0", "100"]
    assert RELATIVE in shown
    assert 'title="no confidence"' in shown


def test_a_cluster_is_as_sure_as_its_least_sure_code_point() -> None:
    shown = sure_html("কি", (0.9, 0.4), "softmax")
    assert len(CELL.findall(shown)) == 1
    assert 'title="confidence 0.4000"' in shown


def test_an_answer_without_numbers_says_so() -> None:
    assert "No character" in sure_html("ab", (None, None), "softmax")
    assert "No character" in sure_html("", (), "softmax")


@given(st.text(alphabet="ab<>&\"'\u202eক্ষدعلا中é\u0301", min_size=1, max_size=12))
def test_nothing_in_the_text_can_act(text: str) -> None:
    shown = sure_html(text, [0.5] * len(text), "unknown")
    assert set(re.findall(r"<(\w+)", shown)) <= {"div", "table", "tr", "td", "bdi", "br", "small", "p", "i", "wbr"}
