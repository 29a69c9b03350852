"""`report scores` on a project small enough to work by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.scores import report_scores
from annotator.analyses.severity.report import report_severity
from annotator.errors import UsageError
from annotator.records import MissingRule, Query
from annotator.store.project import Project
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    items = [
        {"id": "a", "gold": "cat", "attributes": {"place": "shop"}},
        {"id": "b", "gold": "Two dogs", "attributes": {"place": "road"}},
        {"id": "c", "gold": " ", "attributes": {"place": "road"}},
    ]
    return build_project(
        tmp_path, items, {"one": {"a": "cat", "b": "two dog", "c": "x"}, "two": {"a": "cats"}, "none": {}}
    )


def test_rates_by_hand(project: Project) -> None:
    one, two, none = report_scores(project, Query(resamples=200)).rows
    assert (one.n, one.missing, one.without_gold, one.edits, one.gold_length) == (2, 0, 1, 2, 11)
    assert one.cer == pytest.approx(2 / 11)
    assert one.cer_macro == pytest.approx((0 + 2 / 8) / 2)
    assert one.wer == pytest.approx(2 / 3)
    assert one.one_minus_ned == pytest.approx((1 + 1 - 2 / 8) / 2)
    assert (one.exact, one.str_accuracy, one.charitable) == (0.5, 0.5, 0.5)
    assert one.cer_low is not None
    assert one.cer_high is not None
    assert one.cer_low <= one.cer <= one.cer_high
    assert (two.n, two.missing, two.cer, two.charitable) == (1, 1, pytest.approx(1 / 3), 1.0)
    assert (none.n, none.missing, none.cer, none.why["cer"]) == (0, 2, None, "no answered items with gold")


def test_missing_as_error(project: Project) -> None:
    rows = report_scores(project, Query(missing=MissingRule.ERROR, resamples=50)).rows
    assert (rows[2].n, rows[2].missing, rows[2].cer, rows[2].exact) == (2, 2, 1.0, 0.0)


def test_by_an_attribute_the_groups_add_up(project: Project) -> None:
    rows = [row for row in report_scores(project, Query(resamples=50), by="place").rows if row.system == "one"]
    assert [(row.group, row.n, row.edits) for row in rows] == [("road", 1, 2), ("shop", 1, 0)]
    with pytest.raises(UsageError, match="expected one of: place"):
        report_scores(project, Query(), by="colour")


def test_the_second_call_reads_the_stored_report_and_a_write_makes_a_new_one(project: Project) -> None:
    first = report_scores(project, Query(resamples=50))
    assert report_scores(project, Query(resamples=50)) == first
    with project.write() as connection:
        connection.execute("UPDATE item SET mark = 'gold-wrong' WHERE id = 'b'")
    later = report_scores(project, Query(resamples=50))
    assert (later.gold_wrong, later.rows[0].n, later.project_revision) == (1, 1, first.project_revision + 1)


def test_a_project_without_predictions_has_no_rows(tmp_path: Path) -> None:
    project = build_project(tmp_path, [{"id": "a", "gold": "cat"}])
    assert report_scores(project, Query(resamples=50)).rows == ()
    assert report_severity(project, Query(resamples=50), "rubric").rows == ()


def test_semcer_has_the_interval_of_the_severity_report(project: Project) -> None:
    query = Query(resamples=200)
    scores = report_scores(project, query).rows
    charged = report_severity(project, query, "rubric").rows
    assert [(s.semcer, s.semcer_low, s.semcer_high) for s in scores] == [
        (c.semcer, c.semcer_low, c.semcer_high) for c in charged
    ]
    assert scores[0].semcer_low is not None
    assert scores[-1].semcer_low is None


def test_white_space_at_the_ends_is_counted_under_raw(tmp_path: Path) -> None:
    items = [
        {"id": k, "gold": gold} for k, gold in (("a", "cat "), ("b", "dog"), ("c", "hen"), ("d", " "), ("e", "owl"))
    ]
    answers = {"a": "cat", "b": "dog", "c": "\u2003hen", "d": " x", "e": ""}
    project = build_project(tmp_path, items, {"one": answers, "two": {"b": "dog\u00a0"}})
    query = Query(resamples=50)
    assert [(row.n, row.edge_space) for row in report_scores(project, query).rows] == [(4, 2), (1, 1)]
    assert [row.edge_space for row in report_scores(project, Query(profile="light", resamples=50)).rows] == [0, 0]
    with project.write() as connection:
        connection.execute("UPDATE prediction SET own_gold = 'dog ' WHERE predicted = 'dog'")
    assert [row.edge_space for row in report_scores(project, Query(own_gold=True, resamples=50)).rows] == [3, 1]
