"""`report judge`: columns and studies, a second judge, disagreements with CER."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.analyses.judge import report_judge
from annotator.cli.main import root
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.kinds import StudyKind
from tests.builders import build_project
from tests.studies.builders import answer, open_study, seat

QUERY = Query(resamples=200)
# item: alpha's answer, judge, strict judge, what three raters said
SCORES = {
    "a": ("abcdefghij", 5, 5, "555"),
    "b": ("abcdefghiz", 4, 3, "443"),
    "c": ("abcdefzzzz", 3, 2, "445"),
    "d": ("zzzzzzzzzz", 5, 1, "111"),
    "e": ("abcdefghzz", 4, 4, "345"),
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [{"id": name, "gold": "abcdefghij"} for name in SCORES]
    made = build_project(tmp_path / "p", items, {"alpha": {name: row[0] for name, row in SCORES.items()}, "beta": {}})
    with made.write() as connection:
        connection.execute("UPDATE system SET family = 'gem' WHERE name = 'alpha'")
        for name, (_, judge, strict, said) in SCORES.items():
            extra = {"judge": str(judge), "strict": str(strict)}
            if majority := [value for value in said if said.count(value) > 1]:
                extra["majority"] = majority[0]
            connection.execute(
                "INSERT INTO prediction_detail (prediction_key, extra) SELECT prediction_key, ? FROM prediction "
                "JOIN item USING (item_key) WHERE id = ?",
                (json.dumps(extra), name),
            )
    return made


def test_judge_against_the_majority_and_a_second_judge(project: Project) -> None:
    report = report_judge(project, QUERY, "judge", raters="majority", other="strict", family="gem")
    alpha, beta = report.rows
    assert (alpha.n, alpha.judge, alpha.own_family) == (5, pytest.approx(4.2), True)
    assert alpha.cer == pytest.approx((0 + 1 + 4 + 10 + 2) / 50)
    assert (alpha.raters_n, alpha.exact, alpha.within_one) == (4, 0.5, 0.75)
    assert (alpha.other_n, alpha.other_judge, alpha.difference) == (5, 3.0, pytest.approx(1.2))
    assert alpha.difference_low is not None
    assert alpha.difference_low <= 1.2
    assert (beta.n, beta.judge, beta.own_family, beta.why["judge"]) == (
        0,
        None,
        False,
        "no answer in scope has a score",
    )
    assert (report.pooled.n, report.pooled.judge) == (5, alpha.judge)


def test_where_judge_and_cer_disagree_most(project: Project) -> None:
    worst, second, *_ = report_judge(project, QUERY, "judge", limit=3).disagree
    assert (worst.id, worst.judge, worst.cer, worst.gap) == ("d", 5, 1.0, pytest.approx(1.0))
    assert abs(second.gap) <= abs(worst.gap)


def test_the_majority_of_a_study_leaves_ties_out(project: Project) -> None:
    open_study(project, StudyKind.TEXT_SCORE, overlap=3, query=Query(systems=("alpha",)))
    raters = [seat(project) for _ in range(3)]
    with project.read() as connection:
        tasks = dict(connection.execute("SELECT task_key, item_id FROM task").fetchall())
    from annotator.studies.work import current_desk

    for number, rater in enumerate(raters):
        while (desk := current_desk(project, rater)).task is not None:
            answer(project, rater, SCORES[tasks[desk.task.task_key]][3][number], desk)
    report = report_judge(project, QUERY, "judge", raters="s")
    alpha = report.rows[0]
    rated = len(tasks)
    assert (alpha.raters_n, report.without_majority) == (rated - 1, 1)


def test_names_and_ranges_are_checked(project: Project) -> None:
    with pytest.raises(UsageError, match="expected one of"):
        report_judge(project, QUERY, "nobody")
    with project.write() as connection:
        connection.execute('UPDATE prediction_detail SET extra = \'{"judge": "70"}\'')
    with pytest.raises(UsageError, match="expected 1 to 5"):
        report_judge(project, QUERY, "judge")


def test_the_command(project: Project) -> None:
    args = ["report", "judge", "judge", "--raters", "majority", "--other", "strict", "--project", str(project.folder)]
    result = CliRunner().invoke(root, [*args, "--resamples", "50", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["rows"][0]["exact"] == 0.5
    table = CliRunner().invoke(root, [*args, "--resamples", "50"])
    assert "where judge and CER disagree most" in table.output
