"""Rubrics in every language: every kind is there, every edit question has one edit, every answer exists; owners' files."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.errors import UsageError
from annotator.studies.codebook import codebook_names, load_codebook
from annotator.studies.kinds import WRITTEN, StudyKind, choices
from annotator.studies.rubric import SHIPPED, check_set, load_rubric, locales, right_answers, save_rubric
from annotator.studies.settings import StudySettings

LOCALES = ("bn", "en", "vi", "zh")
EVERYTHING = StudySettings(both_bad=True)


def test_four_languages_ship() -> None:
    assert tuple(sorted(locales())) == LOCALES


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", list(StudyKind))
def test_every_language_has_every_kind(locale: str, kind: StudyKind) -> None:
    rubric = load_rubric(kind, locale)
    english = load_rubric(kind, "en")
    allowed = choices(kind, EVERYTHING)
    assert rubric.locale == locale
    assert [v.value for v in rubric.values] == list(allowed)
    assert set(rubric.words) == set(english.words)
    assert rubric.question
    assert rubric.guidelines
    if kind in WRITTEN:
        return
    assert [len(cases) for cases in rubric.checks] == [5, 5]
    for case in (*rubric.examples, *(case for cases in rubric.checks for case in cases)):
        assert set(case.accepted) <= set(allowed)
        assert case.accepted
        assert (case.edit is not None) == (kind is StudyKind.EDIT_SEVERITY)


@pytest.mark.parametrize("locale", LOCALES)
def test_words_with_places_keep_them(locale: str) -> None:
    words = load_rubric(StudyKind.EDIT_SEVERITY, locale).words
    assert words["check_intro"].format(needed=4, asked=5)
    assert "{minutes}" in words["pace"]


def test_an_unknown_language_falls_back_to_english() -> None:
    assert load_rubric(StudyKind.PREFERENCE, "xx").locale == "en"
    assert load_rubric(StudyKind.PREFERENCE, "zh-TW").locale == "zh"
    assert load_rubric(StudyKind.PREFERENCE, "../../etc").locale == "en"


def test_the_second_try_has_other_questions() -> None:
    rubric = load_rubric(StudyKind.EDIT_SEVERITY)
    first, second = (set(check_set(rubric, 5, tries, seed=3)) for tries in (0, 1))
    assert len(first) == len(second) == 5
    assert not first & second
    assert check_set(rubric, 5, 0, seed=3) == check_set(rubric, 5, 0, seed=3)


def test_silence_is_not_an_answer() -> None:
    cases = load_rubric(StudyKind.EDIT_SEVERITY).checks[0]
    assert right_answers(cases, [None] * 5) == 0
    assert right_answers(cases, [case.accepted[0] for case in cases]) == 5


def test_an_owners_file_comes_first_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    text = (SHIPPED / "en.yaml").read_text(encoding="utf-8")
    save_rubric(tmp_path, "en", text.replace("Room 805", "Room 905"))
    assert load_rubric(StudyKind.EDIT_SEVERITY, "en", tmp_path).examples[4].predicted == "Room 905"
    for broken in ("kinds: [", "just words", text.replace("Room 805", "Room 999"), "kinds: {}"):
        with pytest.raises(UsageError):
            save_rubric(tmp_path, "en", broken)
    assert load_rubric(StudyKind.EDIT_SEVERITY, "en", tmp_path).examples[4].predicted == "Room 905"
    assert sorted(path.name for path in (tmp_path / "rubric").iterdir()) == ["en.yaml"]


def test_the_shipped_codebook_has_six_labels(tmp_path: Path) -> None:
    book = load_codebook("banglawild")
    assert [(label.name, len(label.values)) for label in book.labels] == [
        ("context", 5),
        ("content", 6),
        ("curved_text", 2),
        ("font_style", 3),
        ("occlusion", 3),
        ("background", 3),
    ]
    assert all(isinstance(value.value, str) for label in book.labels for value in label.values)
    assert codebook_names() == ("banglawild",)
    (tmp_path / "codebooks").mkdir()
    (tmp_path / "codebooks" / "bad.yaml").write_text("labels: 3", encoding="utf-8")
    for name in ("bad", "none"):
        with pytest.raises(UsageError):
            load_codebook(name, tmp_path)
