"""Reference corpora as users bring them."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.references import list_references, open_reference
from annotator.errors import FileError, UsageError
from annotator.ingest.reference import import_reference, remove_reference
from annotator.metrics.strata.labels import Axes
from annotator.store.project import Project, open_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "project", create=True)


def write(folder: Path, text: str, name: str = "words.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("the\t9\nof\t4\n", "counts", ["the", "of"]),
        ("word\tcount\nof\t4\nthe\t9.5\n", "counts", ["the", "of"]),
        ("of\nthe\nand\n", "words", ["of", "the", "and"]),
        ("The sign, the SIGN.\nA sign.\n", "text", ["sign", "the", "a"]),
    ],
)
def test_the_kind_is_told_from_the_file(
    project: Project, tmp_path: Path, text: str, kind: str, words: list[str]
) -> None:
    import_reference(project, write(tmp_path, text), "mine")
    (row,) = list_references(project)
    assert (row.name, row.kind, row.words) == ("mine", kind, len(words))
    assert list(open_reference(project, "mine").words.names) == words


def test_the_kind_may_be_given(project: Project, tmp_path: Path) -> None:
    import_reference(project, write(tmp_path, "of\nof\nthe\n"), "mine", kind="text")
    assert open_reference(project, "mine").words.count("of") == 2.0


def test_repeats_are_counted_and_words_that_no_label_can_meet_are_told(project: Project, tmp_path: Path) -> None:
    report = import_reference(project, write(tmp_path, "The\nof\nof\n"), "mine")
    assert (report.read, report.written, report.ids.duplicates) == (3, 2, 1)
    assert any(note.startswith("1 words are not case-folded") for note in report.notes)


def test_the_same_file_twice_changes_nothing(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path, "of\nthe\n")
    import_reference(project, path, "mine")
    revision = project.revision()
    again = import_reference(project, path, "mine")
    assert (again.written, again.unchanged, project.revision()) == (0, 2, revision)


def test_another_file_takes_a_name_only_when_told_to_and_its_tables_are_new(project: Project, tmp_path: Path) -> None:
    import_reference(project, write(tmp_path, "abc\t1\n"), "mine")
    assert open_reference(project, "mine").axis_pair(Axes.WORD).place("abc").ngram_rank == 1
    other = write(tmp_path, "xyz\t1\n", "other.txt")
    with pytest.raises(UsageError, match="--replace"):
        import_reference(project, other, "mine")
    import_reference(project, other, "mine", replace=True)
    assert open_reference(project, "mine").axis_pair(Axes.WORD).place("abc").ngram_rank == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no words"),
        (" \n\n", "no words"),
        ("the\t9\nof\tmany\n", "line 2"),
        ("the\t9\nof\t0\n", "line 2"),
        ("the\t9\n\t3\n", "line 2"),
        ("the\t9\nof\t4\nthe\t8\n", "line 3, column word"),
    ],
)
def test_files_that_cannot_be_read_are_refused_whole(project: Project, tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(FileError, match=told):
        import_reference(project, write(tmp_path, text), "mine")
    assert list_references(project) == ()


@pytest.mark.parametrize("name", ["", " ", "wordfreq-en"])
def test_names_that_cannot_be_taken(project: Project, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--name"):
        import_reference(project, write(tmp_path, "of\n"), name)


def test_a_reference_can_be_removed_once(project: Project, tmp_path: Path) -> None:
    import_reference(project, write(tmp_path, "of\n"), "mine")
    remove_reference(project, "mine")
    assert list_references(project) == ()
    with pytest.raises(UsageError, match="'mine'"):
        remove_reference(project, "mine")
    with pytest.raises(UsageError, match="'mine'"):
        open_reference(project, "mine")
