"""The overview holds the same figures as the reports it gathers."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.overview import report_overview
from annotator.analyses.scores import report_scores
from annotator.analyses.severity.loading import are_charged
from annotator.analyses.strata.report import report_strata
from annotator.records import Query
from tests.builders import build_project

WORDS = [
    "the",
    "and",
    "you",
    "that",
    "was",
    "for",
    "are",
    "with",
    "his",
    "they",
    "zyzzyva",
    "quokka",
    "xylem",
    "rhythm",
    "gnostic",
]
QUERY = Query(resamples=200)


def test_figures_are_those_of_the_reports(tmp_path: Path) -> None:
    items = [{"id": word, "gold": word, "language": "en"} for word in WORDS]
    answers = {word: word.upper() if len(word) > 4 else word for word in WORDS}
    project = build_project(tmp_path, items, {"a": answers, "a@gray": {"the": "the"}})
    overview = report_overview(project, QUERY)
    scores, strata = report_scores(project, QUERY), report_strata(project, QUERY)
    assert [(r.system, r.condition, r.n, r.missing) for r in overview.rows] == [
        ("a", "default", 15, 0),
        ("a", "gray", 1, 14),
    ]
    for row, score, grid in zip(overview.rows, scores.rows, strata.systems, strict=True):
        assert (row.cer, row.exact, row.semcer) == (score.cer, score.exact, score.semcer)
        assert row.normalized_cer == 0
        assert (row.gap, row.gap_low) == (grid.gap.value, grid.gap.low)
    assert overview.reference == "wordfreq-en"


@pytest.mark.parametrize(
    ("items", "said"),
    [([], ""), ([{"id": "1", "gold": "qq", "language": "tlh"}], "no list for the language 'tlh'")],
)
def test_without_a_grid_the_gap_is_undefined_with_its_reason(
    tmp_path: Path, items: list[dict[str, str]], said: str
) -> None:
    project = build_project(tmp_path, items, {"a": {item["id"]: "x" for item in items}})
    overview = report_overview(project, QUERY)
    assert said in overview.grid_why
    assert all(row.gap is None and row.why["gap"] for row in overview.rows)


def test_before_charging_everything_but_semcer_is_there(tmp_path: Path) -> None:
    items = [{"id": word, "gold": word, "language": "en"} for word in WORDS]
    project = build_project(tmp_path, items, {"a": {word: f"{word}s" for word in WORDS}})
    assert not are_charged(project, QUERY, "rubric")
    (before,) = report_overview(project, QUERY, provider="").rows
    assert not are_charged(project, QUERY, "rubric")
    (after,) = report_overview(project, QUERY).rows
    assert are_charged(project, QUERY, "rubric")
    assert (before.semcer, before.why["semcer"]) == (None, "no severities are computed for these edits")
    assert after.semcer is not None
    assert (before.cer, before.normalized_cer, before.gap) == (after.cer, after.normalized_cer, after.gap)
