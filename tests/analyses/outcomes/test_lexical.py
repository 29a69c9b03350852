"""Rewriting against a language prior."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from annotator.analyses.outcomes.lexical import read_prior, report_lexical
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project

N = 120


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Items whose rewriting grows with D; A is noise."""
    rng = np.random.default_rng(0)
    gaps = rng.normal(size=N).round(3)
    noise = rng.normal(size=N).round(3)
    items = []
    answers: dict[str, dict[str, str]] = {"one": {}, "two": {}}
    for at in range(N):
        standard = "word" + "abcdefghij"[at % 10] * (at % 5 + 1)
        scores = {"gap": str(gaps[at]), "lm_standard": str(noise[at]), "lm_gold": str(round(noise[at] - gaps[at], 6))}
        if at == 0:
            scores.pop("gap")
        items.append({"id": f"i{at}", "gold": standard + "x", "standard": standard, "attributes": scores})
        for system in answers:
            rewrites = rng.random() < 1 / (1 + np.exp(-1.5 * gaps[at]))
            answers[system][f"i{at}"] = standard if rewrites else standard + "x"
    return build_project(tmp_path, items, answers)


def test_rank_correlation_and_quintiles(project: Project) -> None:
    report = report_lexical(project, Query(resamples=300), "gap")
    assert (report.n, report.without_score, report.condition) == (N - 1, 1, "default")
    assert report.spearman is not None
    assert report.low is not None
    assert report.high is not None
    assert 0.3 < report.low < report.spearman < report.high < 0.9
    assert sum(report.quintile_items) == N - 1
    rates = [rate for rate in report.quintiles if rate is not None]
    assert len(rates) == 5
    assert rates[0] < rates[2] < rates[4]
    with project.read() as connection:
        rows = connection.execute(
            "SELECT CAST(json_extract(attributes, '$.gap') AS REAL), avg(predicted = standard) FROM prediction "
            "JOIN item USING (item_key) WHERE json_extract(attributes, '$.gap') IS NOT NULL GROUP BY item_key"
        ).fetchall()
    expected = scipy.stats.spearmanr([row[0] for row in rows], [row[1] for row in rows]).statistic
    assert report.spearman == pytest.approx(expected)


def test_equal_scores_share_a_quintile(tmp_path: Path) -> None:
    items = [
        {"id": f"i{at}", "gold": "aa", "standard": "a", "attributes": {"d": "0" if at < 8 else str(at)}}
        for at in range(10)
    ]
    project = build_project(tmp_path, items, {"one": {f"i{at}": "a" for at in range(10)}})
    report = report_lexical(project, Query(resamples=50), "d")
    assert report.quintile_items == (8, 0, 0, 0, 2)
    assert report.quintiles == (1.0, None, None, None, 1.0)
    assert report.why == {"spearman": "all values of one side are equal"}


def test_regressions_find_d_and_not_a(project: Project) -> None:
    report = report_lexical(project, Query(resamples=50), "lm", regress=True)
    alone_a, alone_d, both = report.regressions
    assert [fit.name for fit in report.regressions] == ["A alone", "D alone", "A and D"]
    assert (both.items, both.rows) == (N, 2 * N)
    ratios = {odds.term: odds for odds in both.odds}
    assert ratios["D"].low is not None
    assert ratios["D"].low > 1.5
    assert ratios["A"].low is not None
    assert ratios["A"].high is not None
    assert ratios["A"].low < 1 < ratios["A"].high
    assert (ratios["length"].per, ratios["D"].per) == ("character", "standard deviation")
    assert "system" in both.controls
    assert alone_a.odds[0].term == "A"
    assert alone_d.odds[0].ratio is not None


def test_regressions_say_why_they_cannot_be_fitted(tmp_path: Path) -> None:
    items = [{"id": f"i{at}", "gold": "aa", "standard": "a", "attributes": {"d": str(at)}} for at in range(10)]
    project = build_project(tmp_path, items, {"one": {f"i{at}": "a" for at in range(10)}})
    (fit,) = report_lexical(project, Query(resamples=50), "d", regress=True).regressions
    assert fit.why == "every answer is rewritten, or none is"
    assert fit.odds == ()


def test_two_columns_make_a_prior(project: Project) -> None:
    prior, gap = read_prior(project, "lm"), read_prior(project, "gap", "lm_standard")
    assert prior.strength == gap.strength
    assert prior.gap[2] == pytest.approx(gap.gap[2])


def test_unknown_and_unreadable_priors(project: Project) -> None:
    with pytest.raises(UsageError, match=r"no prior 'zipf'.*lm_gold, gap"):
        read_prior(project, "zipf")
    with pytest.raises(UsageError, match="no item has the attribute 'x'"):
        read_prior(project, "gap", "x")
    with project.write() as connection:
        connection.execute("UPDATE item SET attributes = '{\"gap\": \"high\"}' WHERE id = 'i3'")
    with pytest.raises(UsageError, match="found 'high'"):
        read_prior(project, "gap")
