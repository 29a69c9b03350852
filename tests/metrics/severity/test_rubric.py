"""The rubric rules order the paper's anchors as the paper does, and say which rule fired."""

from __future__ import annotations

import pytest

from annotator.analyses.severity.wordlists import word_list
from annotator.metrics.severity.rubric import EditInContext, Rating, WordList, rate_edit
from annotator.metrics.severity.words import edited_words
from annotator.text.align import align_texts


@pytest.fixture(scope="module")
def english() -> WordList:
    found = word_list("en")
    assert found is not None
    return found


def ratings(gold: str, predicted: str, words: WordList | None) -> list[Rating]:
    alignment = align_texts(gold, predicted)
    found: dict[int, Rating] = {}
    for word in edited_words(gold, alignment):
        for number, place in zip(word.edits, word.places, strict=True):
            found[number] = rate_edit(EditInContext(alignment.edits[number], word.before, word.after, place), words)
    assert sorted(found) == list(range(len(alignment.edits))), "every edit is rated once"
    return [found[number] for number in sorted(found)]


@pytest.mark.parametrize(
    ("gold", "predicted", "level"),
    [
        # the anchors of semCER, section A.1, in sentences of our own
        ("the parade begins at 3pm", "the parade begins at 3pM", 0),
        ("sales are improving here", "sales are imbroving here", 1),
        ("keep to the left lane", "keep to the lift lane", 2),
        ("on the 13th floor", "on the 23th floor", 3),
        ("founded in 1999 by", "founded in 1989 by", 4),
        ("opens at 3pm today", "opens at 8pm today", 4),
        # surface
        ("Hello, world", "Hello world", 0),
        ("a b", "ab", 0),
        ("it’s", "it's", 0),
        ("ＡＢＣ", "ABC", 0),
        # numbers
        ("room 1024", "room 1o24", 3),
        ("price 12.50", "price 1250", 4),
        ("on 12/05/2020", "on 12/15/2020", 4),
        ("on 12/05/2020", "on 42/15/2020", 3),
        # the familiar word replaces a name
        ("ask Jonsin today", "ask Johnson today", 4),
        ("flight KLZQ now", "flight KLZV now", 4),
    ],
)
def test_levels(english: WordList, gold: str, predicted: str, level: int) -> None:
    found = ratings(gold, predicted, english)
    assert {r.level for r in found} == {level}, found


def test_the_anchors_are_in_the_papers_order(english: WordList) -> None:
    pairs = [("3pm", "3pM"), ("improving", "imbroving"), ("left", "lift"), ("13th", "23th"), ("1999", "1989")]
    levels = [ratings(gold, predicted, english)[0].level for gold, predicted in pairs]
    assert levels == sorted(levels)
    assert len(set(levels)) == 5


def test_without_a_word_list_letters_are_charged_two_and_it_says_why() -> None:
    (found,) = ratings("রাজনীতি", "রাজনিতি", None)
    assert found.level == 2
    assert "no word list" in found.rule


def test_unspaced_scripts_use_the_words_that_cover_the_edit() -> None:
    words = WordList("zh", {"大学": 5.0, "大字": 5.0}, ())
    assert ratings("北京大学", "北京大字", words)[0].level == 3
    assert ratings("北京大学", "北京大亨", words)[0].level == 2
