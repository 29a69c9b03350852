"""A recogniser from a word list: which words are learned, what the card says, and what is refused before any work."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from annotator.analyses.trainreader import WordChoice, is_held_out, split_words, train_recogniser
from annotator.errors import InputError, UsageError
from annotator.ingest.reference import import_reference
from annotator.models.reader.saving import CARD, load_reader
from annotator.models.reader.training import ReaderTraining
from annotator.store.project import Project, open_project

MADE = ["".join(parts) for parts in product("bdgt", "ae", "lnr", "io", "kmp")]  # 144 words of five letters
CHOICE = WordChoice("made", 140, tests=30)
HOW = ReaderTraining(seed=1, crops=48, batch=16, threads=1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    path = tmp_path / "words.tsv"
    odd = [("it's", 9_000), ("x", 8_000), ("4th", 7_000), ("a" * 25, 6_000)]
    rows = [*odd, *((word, 1_000 - k) for k, word in enumerate(MADE))]
    path.write_text("".join(f"{word}\t{count}\n" for word, count in rows), encoding="utf-8")
    opened = open_project(tmp_path / "project", create=True)
    import_reference(opened, path, "made")
    return opened


def test_the_most_frequent_words_of_letters_are_learned_and_some_held_out(project: Project) -> None:
    learned, held = split_words(project, CHOICE, seed=1)
    assert sorted([*learned.words, *held]) == sorted(MADE[:140])
    assert held == tuple(word for word in MADE[:140] if is_held_out(word, 1))
    assert 0 < len(held) < 20
    assert list(learned.weights) == sorted(learned.weights, reverse=True)
    assert split_words(project, CHOICE, seed=2)[1] != held


def test_the_card_says_how_both_heads_read(project: Project, tmp_path: Path) -> None:
    told: list[int] = []
    card = train_recogniser(project, tmp_path / "reader", CHOICE, HOW, lambda seen, total, loss: told.append(seen))
    assert told == [48]
    assert [(score.head, score.words, score.n) for score in card.scores] == [
        ("ctc", "seen", 30), ("ar", "seen", 30), ("ctc", "held-out", 30), ("ar", "held-out", 30),
    ]  # fmt: skip
    for score in card.scores:
        assert score.accuracy == score.correct / score.n
        assert score.low is not None
        assert score.low <= score.accuracy
    assert (card.language, card.vocabulary + card.held_out, card.crops) == ("", 140, 48)
    saved = json.loads((tmp_path / "reader" / CARD).read_text(encoding="utf-8"))
    assert saved["scores"][0]["n"] == 30
    assert load_reader(tmp_path / "reader")[1] == saved


def test_what_cannot_be_trained_is_refused_and_nothing_is_written(project: Project, tmp_path: Path) -> None:
    few = tmp_path / "few.tsv"
    few.write_text("only\t3\ntwo\t2\n", encoding="utf-8")
    import_reference(project, few, "few")
    with pytest.raises(UsageError, match="found 2 words of letters alone; expected at least 100"):
        train_recogniser(project, tmp_path / "out", WordChoice("few"), HOW)
    with pytest.raises(UsageError, match="unknown reference corpus"):
        train_recogniser(project, tmp_path / "out", WordChoice("none"), HOW)
    with pytest.raises(InputError, match="no font has every letter"):
        train_recogniser(project, tmp_path / "out", replace(CHOICE, reference="wordfreq-bn"), HOW)
    assert not list((tmp_path / "out").iterdir())


def test_an_interrupted_training_leaves_the_earlier_recogniser(project: Project, tmp_path: Path) -> None:
    def stop(seen: int, total: int, loss: float) -> None:
        raise KeyboardInterrupt

    train_recogniser(project, tmp_path / "reader", CHOICE, HOW)
    before = load_reader(tmp_path / "reader")[1]
    with pytest.raises(KeyboardInterrupt):
        train_recogniser(project, tmp_path / "reader", CHOICE, replace(HOW, seed=5), stop)
    assert load_reader(tmp_path / "reader")[1] == before
    assert not list((tmp_path / "reader").glob("*.part"))
