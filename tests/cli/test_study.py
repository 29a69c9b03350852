"""`annotator study` and the exports of a study, as a user calls them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import UsageError
from annotator.store.project import Project
from tests.studies.builders import answer, picture_project, seat, text_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return text_project(tmp_path / "p", items=6)


def call(project: Project, *args: str) -> Any:
    result = CliRunner().invoke(root, [*args, "--json", "--project", str(project.folder)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_study_from_creation_to_the_table_of_aggregates(project: Project, tmp_path: Path) -> None:
    made = call(project, "study", "create", "edit-severity", "--name", "s", "--overlap", "2", "--check-questions", "0")
    assert (made["study"], made["state"], made["tasks"], made["links"]) == ("s", "draft", 6, [])
    assert call(project, "study", "open", "s")["state"] == "open"
    invited = call(project, "study", "invite", "s", "--count", "2")
    assert invited["raters"] == ["rater-01", "rater-02"]
    assert all("/rate?as=" in link for link in invited["links"])
    rater = seat(project)
    for value in "012340":
        answer(project, rater, value)
    status = call(project, "study", "status", "s")
    assert status["counts"]["partly"] == 6
    out = tmp_path / "a.csv"
    exported = call(project, "export", "aggregates", "--study", "s", "--out", str(out))
    assert (exported["file"], exported["rows"], exported["left_out"]) == (str(out), 6, {})
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "study",
        "kind",
        "task",
        "item_id",
        "language",
        "band",
        "gold",
        "predicted",
        "op",
        "gold_index",
        "predicted_index",
        "gold_edit",
        "predicted_edit",
        "n_raters",
        "mean",
        "median",
        "sd",
        "share_0",
        "share_1",
        "share_2",
        "share_3",
        "share_4",
    ]
    assert [row["item_id"] for row in rows] == [f"i{i}" for i in range(6)]
    assert sorted(row["mean"] for row in rows) == sorted(f"{v}.000000" for v in (0, 1, 2, 3, 4, 0))
    assert {row["sd"] for row in rows} == {""}
    meta = json.loads((tmp_path / "a.csv.meta.json").read_text(encoding="utf-8"))
    assert (meta["export"], meta["rows"]) == ("aggregates", 6)
    assert call(project, "study", "close", "s")["state"] == "closed"


def test_systems_come_last_and_only_when_asked(project: Project, tmp_path: Path) -> None:
    call(project, "study", "create", "edit-severity", "--name", "s")
    out = tmp_path / "a.csv"
    call(project, "export", "aggregates", "--study", "s", "--out", str(out), "--with-systems")
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[-1] == "systems"
    assert [row["systems"] for row in rows] == ["alpha-ocr", "alpha-ocr|beta-ocr"] * 3


def test_single_ratings_are_for_the_owner(project: Project, tmp_path: Path) -> None:
    call(project, "study", "create", "edit-severity", "--name", "s", "--open", "--check-questions", "0")
    answer(project, seat(project), "3", rationale="a name")
    out = tmp_path / "r.csv"
    assert call(project, "export", "ratings", "--study", "s", "--out", str(out))["rows"] == 1
    header, row = out.read_text(encoding="utf-8").splitlines()
    assert header == "study,task,rater,repeat,value,rationale,shown_first,seconds,answered_at,replaces"
    assert row.split(",")[2:6] == ["rater-01", "0", "3", "a name"]


def test_withdraw_and_restore_say_how_many_rows(project: Project) -> None:
    call(project, "study", "create", "edit-severity", "--name", "s", "--open", "--check-questions", "0")
    answer(project, seat(project))
    assert call(project, "study", "withdraw", "s", "--rater", "rater-01")["rows"] == 1
    assert call(project, "study", "restore", "s", "--rater", "rater-01")["rows"] == 1


def test_a_preview_stores_nothing(project: Project) -> None:
    assert call(project, "study", "create", "preference", "--name", "s", "--preview")["tasks"] == 3
    assert call(project, "study", "status") == {"studies": []}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["study", "open", "none"], "no study named 'none'"),
        (["study", "create", "guess", "--name", "s"], "expected one of: edit-severity"),
        (["study", "create", "transcription", "--name", "s"], "the pool is empty: 6 without an image"),
        (["study", "create", "edit-severity", "--name", "a/b"], "without / and |"),
        (["study", "create", "edit-severity", "--name", "", "--preview"], "found the study name ''"),
    ],
)
def test_refusals_say_what_was_expected(project: Project, args: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("|", r"\|")):
        CliRunner().invoke(root, [*args, "--project", str(project.folder)], catch_exceptions=False)


def test_a_check_that_nobody_can_pass_is_refused(project: Project) -> None:
    create = ["study", "create", "edit-severity", "--name", "s", "--project", str(project.folder)]
    with pytest.raises(UsageError, match="found 9 right answers needed of 5; expected at most as many"):
        CliRunner().invoke(root, [*create, "--check-pass", "9"], catch_exceptions=False)
    made = call(project, "study", "create", "edit-severity", "--name", "short", "--check-questions", "2")
    assert (made["settings"]["check_questions"], made["settings"]["check_pass"]) == (2, 2)


def test_links_need_an_address(project: Project) -> None:
    call(project, "study", "create", "edit-severity", "--name", "s")
    refused = CliRunner().invoke(
        root, ["study", "invite", "s", "--base", "nowhere", "--project", str(project.folder)], catch_exceptions=False
    )
    assert refused.exit_code == 2
    assert "'nowhere' is no address; expected http://HOST:PORT or https://HOST" in refused.output


def test_a_labels_study_has_a_codebook(tmp_path: Path) -> None:
    project = picture_project(tmp_path / "p", ("one", "two"), items=3)
    made = call(project, "study", "create", "labels", "--name", "l")
    assert made["settings"]["codebook"] == "banglawild"
    with pytest.raises(UsageError, match="no codebook 'none'; expected one of: banglawild"):
        call(project, "study", "create", "labels", "--name", "m", "--codebook", "none")
    (project.folder / "codebooks").mkdir()
    (project.folder / "codebooks" / "own.yaml").write_text("labels: []", encoding="utf-8")
    with pytest.raises(UsageError, match="a labels study needs --codebook; expected one of: banglawild, own"):
        call(project, "study", "create", "labels", "--name", "m")
