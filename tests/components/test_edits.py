"""Aligned edits as HTML: what is shown, and that nothing in it can act."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.text.align import align_texts
from annotator.text.graphemes import split_graphemes
from components.edits import cells_html, edit_pairs, lens_html, lines_html, predicted_html, text_html
from components.marks import direction, joins, shown

TEXTS = st.text(alphabet="ab <>&\"'\u200d\u200c\u202eকষ্মদعلا中é\u0301\n", max_size=12)


@settings(max_examples=150)
@given(TEXTS, TEXTS)
def test_pairs_spell_both_texts_and_hold_the_edits_of_the_alignment(gold: str, predicted: str) -> None:
    pairs = edit_pairs(gold, predicted)
    assert [p.gold for p in pairs if p.gold is not None] == split_graphemes(gold)
    assert [p.predicted for p in pairs if p.predicted is not None] == split_graphemes(predicted)
    edits = align_texts(gold, predicted).edits
    assert [(p.op, p.gold or "", p.predicted or "") for p in pairs if p.edit is not None] == [
        (e.op.value, e.gold, e.predicted) for e in edits
    ]


@settings(max_examples=100)
@given(TEXTS, TEXTS)
def test_no_character_of_a_text_can_act(gold: str, predicted: str) -> None:
    for made in (
        lines_html(gold, predicted),
        cells_html(gold, predicted),
        lens_html(gold),
        predicted_html(gold, predicted),
    ):
        assert "\u202e" not in made
        tags = set(re.findall(r"</?([a-z]+)", made))
        assert tags <= {
            "div",
            "span",
            "bdi",
            "i",
            "b",
            "br",
            "wbr",
            "small",
            "table",
            "thead",
            "tbody",
            "tr",
            "td",
            "th",
            "p",
        }


def test_markup_is_shown_as_text() -> None:
    made = lines_html("<b>", '<script>alert("x")</script>')
    assert "<script" not in made
    assert "&lt;" in made


def test_a_run_of_one_kind_is_one_span_and_letters_name_the_edits() -> None:
    made = lines_html("abcdef", "abXYef")
    assert '<span class="ge-sub" title="substituted">XY</span>' in made
    assert made.count("<b>S</b>") == 2


def test_arabic_line_is_one_isolated_run_from_the_right() -> None:
    made = predicted_html("سلام", "سلم", language="ar")
    assert made.count("<bdi") == 1
    assert 'dir="rtl"' in made
    assert 'lang="ar"' in made


def test_cells_keep_contextual_forms_with_joiners() -> None:
    made = cells_html("سلام", "سلام")
    assert "س\u200d" in made  # seen joins lam
    assert "ا\u200d" not in made  # alef never joins forward


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [("س", "ل", True), ("ا", "م", False), ("د", "ر", False), ("a", "b", False), ("س", "1", False), ("س", "ء", False)],
)
def test_joins(left: str, right: str, joined: bool) -> None:
    assert joins(left, right) is joined


@pytest.mark.parametrize(
    ("cluster", "marks", "expected"),
    [
        (" ", False, " "),
        (" ", True, '<i class="ge-ws">·</i><wbr>'),
        ("\u202e", False, '<i class="ge-ctl">RLO</i>'),
        ("\u0007", False, '<i class="ge-ctl">U+0007</i>'),
        ("ক্\u200c", False, "ক্\u200c"),
        ("ক্\u200c", True, 'ক্<i class="ge-ctl">ZWNJ</i>'),
        ("\u0301", False, "\u25cc\u0301"),
        ("<", False, "&lt;"),
    ],
)
def test_shown(cluster: str, marks: bool, expected: str) -> None:
    assert shown(cluster, marks) == expected


@pytest.mark.parametrize(
    ("text", "way"), [("abc", "ltr"), ("123 سلام", "rtl"), ("", "ltr"), ("123", "ltr"), ("中文", "ltr")]
)
def test_direction(text: str, way: str) -> None:
    assert direction(text) == way


def test_empty_text_is_said_to_be_empty() -> None:
    assert "empty" in text_html("")
    assert "empty" in lines_html("a", "")


def test_a_long_line_is_cut_with_the_number_left() -> None:
    assert "18,000 more" in lines_html("a", "b" * 20_000)


def test_severity_tints_and_is_written() -> None:
    made = lines_html("ab", "xb", severities=[0.75])
    assert "--ge-v:75%" in made
    assert "severity 0.75" in made


def test_lens_names_code_points_and_flags_what_is_not_nfc() -> None:
    made = lens_html("e\u0301")
    assert "U+00E9 LATIN SMALL LETTER E WITH ACUTE" in made
    assert "not in NFC" in made
    assert "U+0065 U+0301" in made
    assert "not in NFC" not in lens_html("é")
