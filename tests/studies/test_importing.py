"""Ratings made elsewhere: plain tables, Label Studio and Potato, into a new study or one that is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.errors import FileError, UsageError
from annotator.exports.ratings import ratings_table
from annotator.exports.writing import write_table
from annotator.ingest.ratingfile import read_ratings
from annotator.ingest.ratingtools import is_tool_export, read_tool_export
from annotator.stats.alpha import Level
from annotator.store.project import Project
from annotator.studies.aggregates import study_aggregates
from annotator.studies.agreement import study_agreement
from annotator.studies.importing import import_ratings
from annotator.studies.kinds import StudyKind
from annotator.studies.progress import watch_study
from tests.studies.builders import answer, open_study, seat, text_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "p", items=4)


RATINGS = [("i0", "ann", "4"), ("i0", "bob", 5.0), ("i1", "ann", 2), ("i1", "bob", None), ("zz", "ann", 1)]


def test_a_new_study_is_made_closed_and_aggregated(project: Project) -> None:
    done = import_ratings(project, RATINGS, "elsewhere", StudyKind.TEXT_SCORE)
    assert (done.made, done.read, done.written, done.extra, done.missing) == (True, 5, 3, 1, 0)
    assert watch_study(project, "elsewhere").study.state == "closed"
    table = study_aggregates(project, "elsewhere")
    assert [row[table.columns.index("mean")] for row in table.rows] == [4.5, 2.0]
    assert study_agreement(project, "elsewhere").agreement.ratings == 3


def test_the_same_ratings_again_change_nothing(project: Project) -> None:
    import_ratings(project, RATINGS, "e", StudyKind.TEXT_SCORE)
    again = import_ratings(project, RATINGS, "e")
    assert (again.written, again.unchanged) == (0, 3)


@pytest.mark.parametrize(
    ("ratings", "kind", "words"),
    [
        ([("i0", "ann", 9)], StudyKind.TEXT_SCORE, "expected one of: 1, 2, 3, 4, 5"),
        ([("i0", "ann", 3)], None, "with --kind"),
        ([("zz", "ann", 3)], StudyKind.TEXT_SCORE, "no item of the ratings is in the project"),
    ],
)
def test_what_does_not_fit_is_refused_whole(
    project: Project, ratings: list[tuple[str, str, int]], kind: StudyKind | None, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        import_ratings(project, ratings, "e", kind)
    with project.read() as connection:
        assert connection.execute("SELECT count(*) FROM study").fetchone()[0] == 0


def test_another_value_for_a_rating_is_refused(project: Project) -> None:
    import_ratings(project, RATINGS, "e", StudyKind.TEXT_SCORE)
    with pytest.raises(UsageError, match="another value"):
        import_ratings(project, [("i0", "ann", 1)], "e")


def test_our_own_export_comes_back_by_task_number(project: Project, tmp_path: Path) -> None:
    open_study(project)
    rater = seat(project)
    for value in "0123":
        answer(project, rater, value)
    write_table(project, ratings_table(project, "s"), tmp_path / "r.csv")
    rows = read_ratings(tmp_path / "r.csv", Level.NOMINAL).ratings
    assert import_ratings(project, rows, "s").unchanged == 4


def test_label_studio(tmp_path: Path) -> None:
    tasks = [
        {"id": 7, "data": {"item_id": "i0"}, "annotations": [
            {"completed_by": 1, "result": [{"from_name": "sev", "type": "choices", "value": {"choices": ["2"]}}]},
            {"completed_by": {"email": "r@x"}, "result": [{"from_name": "sev", "type": "rating", "value": {"rating": 3}}]},
            {"completed_by": 3, "was_cancelled": True, "result": []}]},
    ]  # fmt: skip
    path = tmp_path / "ls.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    assert is_tool_export(path)
    assert read_tool_export(path) == (("i0", "1", "2"), ("i0", "r@x", "3"))
    assert read_tool_export(path, "other") == ()


def test_potato_lines_and_tables(tmp_path: Path) -> None:
    folder = tmp_path / "worker-1"
    folder.mkdir()
    lines = folder / "annotated_instances.jsonl"
    lines.write_text(
        '{"id": "i0", "label_annotations": {"severity": {"3": "3"}}}\n'
        '{"id": "i1", "user": "w2", "label_annotations": {"severity": {"bad": true}}}\n',
        encoding="utf-8",
    )
    assert is_tool_export(lines)
    assert read_tool_export(lines) == (("i0", "worker-1", "3"), ("i1", "w2", "bad"))
    table = tmp_path / "potato.csv"
    table.write_text("user,instance_id,sev:::1,sev:::2\nw1,i0,,2\nw2,i0,true,\nw3,i0,,\n", encoding="utf-8")
    assert is_tool_export(table)
    assert read_tool_export(table) == (("i0", "w1", "2"), ("i0", "w2", "1"), ("i0", "w3", None))


@pytest.mark.parametrize("text", ['[{"annotations": 3}]', '{"label_annotations": {}}', '[{"annotations": ['])
def test_a_broken_export_is_refused_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError):
        read_tool_export(path)


def test_a_plain_table_is_not_taken_for_an_export(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("item,rater,value\ni0,a,1\n", encoding="utf-8")
    assert not is_tool_export(path)


def test_a_dry_run_reports_and_writes_nothing(project: Project) -> None:
    before = project.revision()
    done = import_ratings(project, RATINGS, "e", StudyKind.TEXT_SCORE, dry_run=True)
    assert done.written == import_ratings(project, RATINGS, "e", StudyKind.TEXT_SCORE).written > 0
    assert project.revision() == before + 1
