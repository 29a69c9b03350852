"""semCER from stored charges."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.severity.checking import check_first, mark_edit
from annotator.analyses.severity.report import report_severity
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import Charge, put_provider, write_charges
from tests.builders import build_project

ITEMS = [
    {"id": "a", "gold": "open at 3pm", "language": "en"},
    {"id": "b", "gold": "Hello, world", "language": "en"},
    {"id": "c", "gold": "cat", "language": "en"},
]
ANSWERS = {"one": {"a": "open at 8pm", "b": "hello world", "c": "cat"}, "two": {"a": "open at 3pm"}}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return build_project(tmp_path, ITEMS, ANSWERS)


def test_the_rubric_charges_what_misleads_and_not_the_surface(project: Project) -> None:
    one, two = report_severity(project, Query(resamples=50), "rubric").rows
    assert (one.n, one.coverage, one.edits) == (3, 1.0, 3)
    assert one.semcer == pytest.approx(1.0 / 26)
    assert one.cer == pytest.approx(3 / 26)
    assert one.normalized_cer == pytest.approx(1 / (9 + 10 + 3))
    assert (two.semcer, two.mean_severity, two.why) == (0.0, None, {"mean_severity": "no edits"})


def test_unit_severities_give_cer(project: Project) -> None:
    for row in report_severity(project, Query(resamples=50), "unit").rows:
        assert row.semcer == row.cer


def test_no_provider_puts_semcer_above_cer(project: Project) -> None:
    for provider in ("rubric", "unit", "filter-label", "real-word-label"):
        for row in report_severity(project, Query(resamples=50), provider).rows:
            assert row.semcer is not None
            assert row.cer is not None
            assert row.semcer <= row.cer


def test_an_edit_without_severity_leaves_its_prediction_out_unless_imputed(project: Project) -> None:
    with project.read() as connection:
        run = read_runs(connection, ("one",))[0]
        (key,) = connection.execute("SELECT prediction_key FROM prediction WHERE predicted = 'hello world'").fetchone()
    with project.write(raises_revision=False) as connection:
        provider = put_provider(connection, "file", "imported", "1", {}, 0.0)
        write_charges(connection, provider, run.key, [Charge(key, 0, 0.25)], "x")
    row = report_severity(project, Query(systems=("one",), resamples=50), "file").rows[0]
    assert (row.n, row.coverage, row.edits) == (1, pytest.approx(1 / 3), 0)
    row = report_severity(project, Query(systems=("one",), resamples=50), "file", impute=True).rows[0]
    assert (row.n, row.coverage, row.imputed) == (3, 1.0, 2)
    assert row.semcer == pytest.approx((0.25 + 1 + 1) / 26)


def test_a_worked_line_of_six_edits(tmp_path: Path) -> None:
    """Six edits over 35 clusters whose severities sum to 1.90 give CER 0.171 and semCER 0.054 (semCER, Figure 2)."""
    gold, predicted = "x" * 35, "y" * 6 + "x" * 29
    project = build_project(tmp_path, [{"id": "a", "gold": gold}], {"one": {"a": predicted}})
    with project.read() as connection:
        run = read_runs(connection)[0]
    with project.write(raises_revision=False) as connection:
        provider = put_provider(connection, "file", "imported", "1", {}, 0.0)
        charges = [Charge(1, at, s) for at, s in enumerate([0.0, 0.0, 0.5, 0.5, 0.6, 0.3])]
        write_charges(connection, provider, run.key, charges, "x")
    row = report_severity(project, Query(resamples=50), "file").rows[0]
    assert row.cer is not None
    assert row.semcer is not None
    assert (round(row.cer, 3), round(row.semcer, 3)) == (0.171, 0.054)


def test_check_first_is_sorted_and_remembers_what_is_done(project: Project) -> None:
    page = check_first(project, Query(), "rubric")
    assert [edit.severity for edit in page.edits] == [1.0, 0.0, 0.0]
    assert page.edits[0].gold_edit == "3"
    assert page.caught == (1.0, 1.0, 1.0)
    mark_edit(project, page.edits[0].prediction_key, page.edits[0].ordinal, "done")
    left = check_first(project, Query(), "rubric", hide_done=True)
    assert [edit.severity for edit in left.edits] == [0.0, 0.0]
    assert (left.caught, left.listed, left.marked, left.total_edits) == ((1.0, 1.0), 2, 1, 3)
    mark_edit(project, page.edits[0].prediction_key, page.edits[0].ordinal, "")
    assert len(check_first(project, Query(), "rubric", hide_done=True).edits) == 3


def test_unknown_provider_and_profile_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="expected one of: rubric, unit, filter-label, real-word-label"):
        report_severity(project, Query(), "luck")
    with pytest.raises(UsageError, match="profile raw"):
        report_severity(project, Query(profile="full"), "rubric")
