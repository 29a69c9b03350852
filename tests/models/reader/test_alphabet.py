"""Letters as numbers and back, in the order of the picture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.models.reader.alphabet import BLANK, Alphabet


@given(st.lists(st.text("abcxyz", min_size=1, max_size=8), min_size=1, max_size=6))
def test_what_is_encoded_comes_back(words: list[str]) -> None:
    alphabet = Alphabet.of(words)
    for word in words:
        places = alphabet.encode(word)
        assert BLANK not in places
        assert max(places) < alphabet.classes
        assert "".join(alphabet.decode(places)) == word


@pytest.mark.parametrize(("word", "units"), [("কি", 1), ("ক্ষমা", 2), ("ab", 2), ("سلام", 4)])
def test_clusters_are_the_letters(word: str, units: int) -> None:
    alphabet = Alphabet.of([word])
    assert len(alphabet.encode(word)) == units
    assert "".join(alphabet.decode(alphabet.encode(word))) == word


def test_right_to_left_words_stand_turned_in_the_picture() -> None:
    alphabet = Alphabet.of(["سلام"])
    assert alphabet.clusters[alphabet.encode("سلام")[0] - 1] == "م"
    assert alphabet.turns(alphabet.encode("سلام"))
    assert not alphabet.turns([])


def test_an_unknown_letter_is_an_error() -> None:
    with pytest.raises(KeyError):
        Alphabet.of(["abc"]).encode("abd")
