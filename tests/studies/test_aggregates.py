"""Aggregates: the columns of every kind, counted by hand; what is left out; decisions on written answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotator.errors import UsageError
from annotator.ingest.adoption import SettledText, adopt_texts, undo_adoption
from annotator.store.project import Project
from annotator.studies.adjudicate import adjudicate, cases, pairwise_cer, settled_texts
from annotator.studies.aggregates import COLUMNS, study_aggregates
from annotator.studies.kinds import StudyKind
from annotator.studies.progress import watch_study
from annotator.studies.settings import StudySettings
from annotator.studies.work import current_desk
from annotator.studies.written import Written, read_written, write_written
from tests.studies.builders import PLAIN, answer, open_study, picture_project, seat, text_project

COMMON = ["study", "kind", "task", "item_id", "language", "band", "gold"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "p", items=4)


@pytest.fixture
def pictures(tmp_path: Path) -> Project:
    return picture_project(tmp_path / "q" / "p", ("one", "two"), items=3)


def first_row(project: Project, name: str = "s") -> dict[str, object]:
    table = study_aggregates(project, name)
    return dict(zip(table.columns, table.rows[0], strict=True))


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        ("text-severity", "predicted n_raters mean median sd share_0 share_1 share_2 share_3 share_4"),
        ("text-score", "predicted n_raters mean median sd share_1 share_2 share_3 share_4 share_5"),
        ("preference", "predicted_a predicted_b n_raters a_wins b_wins ties both_bad majority"),
        ("labels", "label n_raters majority share_majority"),
        ("other-review", "label n_raters majority share_majority"),
        ("transcription", "n_raters pairwise_cer needed_adjudication standard"),
    ],
)
def test_columns_are_the_contract(kind: str, columns: str) -> None:
    assert list(COLUMNS[StudyKind(kind)]) == COMMON + columns.split()


def test_a_scale_has_mean_median_sd_and_shares(project: Project) -> None:
    open_study(project, StudyKind.TEXT_SEVERITY, size=1)
    for value in ("0", "0", "3"):
        answer(project, seat(project), value)
    row = first_row(project)
    assert (row["n_raters"], row["mean"], row["median"]) == (3, 1.0, 0.0)
    assert row["sd"] == pytest.approx(1.7320508)
    assert row["share_0"] == pytest.approx(2 / 3)
    assert row["share_3"] == pytest.approx(1 / 3)
    assert row["share_4"] == 0


@pytest.mark.parametrize(
    ("values", "majority"),
    [("aab", "a"), ("abt", "none"), ("xxb", "both-bad"), ("ttt", "tie"), ("ab", "none"), ("", "none")],
)
def test_the_majority_of_preferences_is_strict(project: Project, values: str, majority: str) -> None:
    loose = StudySettings(both_bad=True, check_questions=0, check_pass=0)
    open_study(project, StudyKind.PREFERENCE, size=1, settings=loose)
    for value in values:
        answer(project, seat(project), {"t": "tie", "x": "both-bad"}.get(value, value))
    row = first_row(project)
    assert row["majority"] == majority
    assert (row["a_wins"], row["b_wins"]) == (values.count("a"), values.count("b"))
    assert (row["ties"], row["both_bad"]) == (values.count("t"), values.count("x"))


def test_of_repeats_the_first_counts_and_attention_is_left_out(project: Project) -> None:
    open_study(project, size=2, overlap=1, repeats=2, attention=1, settings=StudySettings(
        check_questions=0, check_pass=0, attention_every=2))  # fmt: skip
    rater = seat(project)
    turns = 0
    while (task := current_desk(project, rater).task) is not None:
        answer(project, rater, "4" if task.repeat else "1")
        turns += 1
    table = study_aggregates(project, "s")
    assert turns == 5
    assert [row[table.columns.index("mean")] for row in table.rows] == [1.0, 1.0]
    assert dict(table.left_out) == {"attention task": 1, "repeat": 2}


def test_rows_are_ordered_by_item_and_hold_no_rater(project: Project) -> None:
    open_study(project)
    answer(project, seat(project), "2", rationale="because")
    table = study_aggregates(project, "s", with_systems=True)
    ids = [row[table.columns.index("item_id")] for row in table.rows]
    assert ids == sorted(ids)
    flat = str(table.rows)
    assert "rater-01" not in flat
    assert "because" not in flat


def test_missed_attention_fast_answers_and_one_note_are_flagged(project: Project) -> None:
    open_study(project, size=0, overlap=1, repeats=4, attention=4, settings=StudySettings(
        check_questions=0, check_pass=0, attention_every=2))  # fmt: skip
    rater = seat(project)
    while current_desk(project, rater).task is not None:
        answer(project, rater, "2")  # never right for an attention task
    watched = watch_study(project, "s").raters[0]
    assert watched.attention_missed == watched.attention_seen > 0
    assert "misses attention tasks" in watched.flags
    assert "most answers are fast" in watched.flags


def test_transcriptions_are_settled_adopted_and_put_back(pictures: Project) -> None:
    open_study(pictures, StudyKind.TRANSCRIPTION, overlap=2, settings=PLAIN)
    for texts in (("ab", "cd", "ef"), ("ab", "cx", "ef")):
        rater = seat(pictures)
        while (task := current_desk(pictures, rater).task) is not None:
            answer(pictures, rater, write_written(Written(texts[(task.task_key - 1) % 3])))
    disputed = [case for case in cases(pictures, "s") if case.disagreed]
    assert len(disputed) == 1
    assert len(settled_texts(pictures, "s")) == 2
    adjudicate(pictures, "s", disputed[0].task.number, Written("cd", standard="c d"))
    texts_now = [SettledText(s.item_id, s.written.verbatim, s.written.standard) for s in settled_texts(pictures, "s")]
    before = pictures.revision()
    done = adopt_texts(pictures, texts_now, "study:s")
    assert (done.rows, done.realigned, done.project_revision) == (3, 6, before + 1)
    assert golds(pictures) == {"ab", "cd", "ef"}
    table = study_aggregates(pictures, "s")
    row = next(r for r in table.rows if r[table.columns.index("needed_adjudication")] == 1)
    assert row[table.columns.index("pairwise_cer")] == 0.5
    assert row[table.columns.index("standard")] == "c d"
    assert undo_adoption(pictures, "study:s").rows == 3
    assert all(gold.startswith("Word") for gold in golds(pictures))
    with pictures.read() as connection:  # counts are those of the golds that are there again
        assert connection.execute("SELECT max(gold_length) FROM prediction").fetchone()[0] == 18


def golds(project: Project) -> set[str]:
    with project.read() as connection:
        return {row[0] for row in connection.execute("SELECT gold FROM item")}


def test_labels_have_one_row_each_and_a_decision_stands(pictures: Project) -> None:
    open_study(pictures, StudyKind.LABELS, size=1, overlap=3, settings=PLAIN)
    for style in ("Printed", "Printed", "Artistic"):
        answer(pictures, seat(pictures), write_written(Written(labels={"font": style, "curved": "No"})))
    table = study_aggregates(pictures, "s")
    found = {row[7]: row[8:] for row in table.rows}
    assert found == {"font": (3, "Printed", pytest.approx(2 / 3)), "curved": (3, "No", 1.0)}
    number = cases(pictures, "s")[0].task.number
    adjudicate(pictures, "s", number, Written(labels={"font": "Artistic", "curved": "No"}))
    again = {row[7]: row[9] for row in study_aggregates(pictures, "s").rows}
    assert again == {"font": "Artistic", "curved": "No"}


def test_written_answers_are_checked(pictures: Project) -> None:
    open_study(pictures, StudyKind.TRANSCRIPTION, settings=PLAIN)
    rater = seat(pictures)
    for value in ("not json", write_written(Written("")), write_written(Written("x", flags=("odd",)))):
        with pytest.raises(UsageError):
            answer(pictures, rater, value)
    assert answer(pictures, rater, write_written(Written("", flags=("unreadable",)))).outcome == "stored"
    typed = "e\u0301 \u200dক্‌ষ [?]"  # kept code point by code point
    assert read_written(write_written(Written(typed))).verbatim == typed


def test_labels_outside_the_codebook_are_refused(pictures: Project) -> None:
    open_study(pictures, StudyKind.LABELS, settings=replace(PLAIN, codebook="banglawild"))
    rater = seat(pictures)
    for labels in ({"context": "Moon"}, {"mood": "Wall"}):
        with pytest.raises(UsageError, match="no such choice"):
            answer(pictures, rater, write_written(Written(labels=labels)))
    assert answer(pictures, rater, write_written(Written(labels={"context": "Wall"}))).outcome == "stored"


def test_other_kinds_cannot_be_adjudicated(project: Project) -> None:
    open_study(project)
    with pytest.raises(UsageError, match="expected a transcription or labels study"):
        cases(project, "s")


@pytest.mark.parametrize(
    ("texts", "rate"), [(["a"], None), (["", ""], None), (["ab", "ab"], 0.0), (["ab", "ac"], 0.5), (["ab", ""], 1.0)]
)
def test_pairwise_cer(texts: list[str], rate: float | None) -> None:
    assert pairwise_cer(texts) == rate
