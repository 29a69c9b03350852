"""`report taxonomy`, its events, dual annotation and best conditions on a project small enough to work by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.analyses.conditions import best_conditions
from annotator.analyses.dataset import load_dataset
from annotator.analyses.dual import over_corrections
from annotator.analyses.errors import items_with_class, list_events, load_errors
from annotator.analyses.taxonomy import report_taxonomy
from annotator.errors import UsageError
from annotator.ingest.roles import mark_condition
from annotator.metrics.taxonomy import ErrorClass
from annotator.records import MissingRule, Query
from annotator.store.project import Project
from tests.builders import build_project

ITEMS = [
    {"id": "a", "gold": "পাখি ডাকে চাঁদ", "standard": "পাখী ডাকে চাঁদ"},
    {"id": "b", "gold": "বই মেলা"},
    {"id": "c", "gold": "কলম আছে"},
    {"id": "d", "gold": "ভাড়া ৪০ টাকা"},
    {"id": "e", "gold": " "},
]
ANSWERS = {
    "one@P1": {"a": "পাখী ডাকে চাঁদ", "b": "বইমেলা", "c": "কলস আছে", "d": "ভাড়া ৪৫ টাকা", "e": "x"},
    "one@P2": {"a": "পাখি ডাকে চাঁদ", "b": "বই মেলা", "c": "কলস আছে"},
    "one@P3": {"a": "পাখি ডাকে চাঁদ", "b": "বই মেলা", "c": "কলম আছে", "d": "ভাড়া ৪০ টাকা"},
    "two@P1": {"a": "পাখী ডাকে চাদ"},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return build_project(tmp_path, ITEMS, ANSWERS)


def test_counts_shares_and_ratio_by_hand(project: Project) -> None:
    one, second, perfect, two = report_taxonomy(project, Query(resamples=100)).rows
    assert {name: n for name, n in one.counts.items() if n} == {
        "numeric": 1,
        "word-boundary": 1,
        "vowel-sign": 1,
        "visual-misread": 1,
    }
    assert list(one.counts) == list(ErrorClass)
    assert (one.n, one.missing, one.events, one.exact) == (4, 0, 4, 0.0)
    assert set(one.shares.values()) == {0.0, 0.25}
    assert (one.visual_orthographic_ratio, one.cosmetic_share, one.high_risk_share) == (1.0, 0.25, 0.25)
    assert (second.n, second.missing, second.events, second.exact) == (3, 1, 1, pytest.approx(2 / 3))
    assert (second.visual_orthographic_ratio, second.why["visual_orthographic_ratio"]) == (
        None,
        "no orthographic events",
    )
    assert (perfect.events, perfect.exact, perfect.shares["numeric"], perfect.why["shares"]) == (
        0,
        1.0,
        None,
        "no error events",
    )
    assert (two.n, two.counts["vowel-sign"], two.counts["nasal"]) == (1, 1, 1)


def test_missing_as_error_is_a_truncation(project: Project) -> None:
    query = Query(missing=MissingRule.ERROR, resamples=50, systems=("two",))
    (row,) = report_taxonomy(project, query).rows
    assert (row.n, row.counts["truncation"]) == (4, 3)
    assert list_events(project, query, "truncation").total == 3


def test_dual_annotation_folds_and_does_not_fold(project: Project) -> None:
    rows = report_taxonomy(project, Query(resamples=50)).dual
    assert [(row.system, row.condition, row.n, row.verbatim, row.standard, row.neither) for row in rows] == [
        ("one", "P1", 1, 0.0, 1.0, 0.0),
        ("one", "P2", 1, 1.0, 0.0, 0.0),
        ("one", "P3", 1, 1.0, 0.0, 0.0),
        ("two", "P1", 1, 0.0, 0.0, 1.0),
    ]
    assert (rows[0].standard_equal, rows[1].verbatim_equal) == (1.0, 1.0)
    found = over_corrections(project, load_dataset(project, Query()))
    assert [(one.item.id, one.run.name, one.predicted) for one in found] == [("a", "one@P1", "পাখী ডাকে চাঁদ")]


def test_the_best_condition_is_never_an_oracle(project: Project) -> None:
    (free,) = best_conditions(load_dataset(project, Query()))
    assert (free.condition, free.chosen_from, free.n) == ("P3", ("P1", "P2", "P3"), 3)
    assert mark_condition(project, "P3", "oracle") == 1
    (best,) = report_taxonomy(project, Query(resamples=50)).best
    assert (best.condition, best.chosen_from, best.oracle_condition, best.oracle_value) == ("P2", ("P1", "P2"), "P3", 0)
    mark_condition(project, "P1", "realistic")
    (best,) = best_conditions(load_dataset(project, Query()), "exact")
    assert (best.condition, best.chosen_from, best.value) == ("P1", ("P1",), 0.0)
    mark_condition(project, "P1", "oracle")
    mark_condition(project, "P2", "oracle")
    (best,) = best_conditions(load_dataset(project, Query()))
    assert (best.condition, best.why) == (None, "every condition of this system is marked oracle")


def test_unknown_roles_and_conditions_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="expected one of realistic"):
        mark_condition(project, "P1", "lucky")
    with pytest.raises(UsageError, match="expected one of: P1, P2, P3"):
        mark_condition(project, "P9", "oracle")


def test_changes_between_conditions(project: Project) -> None:
    changes = {(c.second, c.error_class): c.change for c in report_taxonomy(project, Query(resamples=50)).changes}
    # P1 and P2 on the three items that both answered: vowel sign, word boundary and misread against the misread alone.
    assert changes["P2", "visual-misread"] == pytest.approx(2 / 3)
    assert changes["P2", "vowel-sign"] == pytest.approx(-1 / 3)
    assert ("P2", "numeric") not in changes
    assert changes["P3", "numeric"] is None


def test_events_in_pages_are_the_events_in_one(project: Project) -> None:
    whole = list_events(project, Query())
    assert whole.total == len(whole.rows) == 7
    paged = [row for start in range(0, 8, 2) for row in list_events(project, Query(), offset=start, limit=2).rows]
    assert [(r.run.name, r.item.id, r.event) for r in paged] == [(r.run.name, r.item.id, r.event) for r in whole.rows]
    chosen = list_events(project, Query(), "vowel-sign", "two@P1")
    assert [(row.item.id, row.event.gold, row.predicted) for row in chosen.rows] == [("a", "পাখি", "পাখী ডাকে চাদ")]
    with pytest.raises(UsageError, match="expected one of truncation"):
        list_events(project, Query(), "typo")


def test_items_with_a_class(project: Project) -> None:
    data = load_dataset(project, Query())
    assert items_with_class(project, data, "vowel-sign").tolist() == [True, False, False, False, False]
    assert items_with_class(project, data, "visual-misread", "one@P2").tolist() == [False, False, True, False, False]


def test_events_are_stored_and_follow_the_texts(project: Project) -> None:
    first = load_errors(project, load_dataset(project, Query()))
    with project.write() as connection:
        assert connection.execute("SELECT count(*) FROM error_block").fetchone()[0] == 4
        connection.execute("UPDATE error_block SET stamp = 'older', data = x''")
    again = load_errors(project, load_dataset(project, Query()))
    assert all(np.array_equal(a.counts, b.counts) for a, b in zip(first, again, strict=True))


def test_own_gold_and_scripts_are_kept_apart(project: Project) -> None:
    with project.write() as connection:
        connection.execute("UPDATE prediction SET own_gold = predicted")
    assert {row.events for row in report_taxonomy(project, Query(own_gold=True, resamples=50)).rows} == {0}
    latin = report_taxonomy(project, Query(resamples=50), "latin").rows[0]
    assert (latin.counts["vowel-sign"], latin.counts["visual-misread"]) == (0, 2)
    with pytest.raises(UsageError, match="expected one of auto"):
        report_taxonomy(project, Query(), "klingon")
