"""Agreement against `krippendorff`, `pingouin` and scikit-learn, and what is undefined."""

from __future__ import annotations

import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotator.errors import UsageError
from annotator.stats.agreement import ALL_EQUAL, NO_OVERLAP, ONE_RATER, quadratic_kappa, rate_agreement
from annotator.stats.alpha import Level, alpha_columns, alpha_of_sums, krippendorff_alpha

Ratings = list[tuple[str, str, float | int | str | None]]

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
OBSERVERS = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "C": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}
PUBLISHED = [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]


@pytest.mark.parametrize(("level", "alpha"), PUBLISHED)
def test_alpha_of_the_literature(level: str, alpha: float) -> None:
    found = rate_agreement(_long(OBSERVERS), level)
    assert found.alpha == pytest.approx(alpha, abs=0.0006)
    assert found.alpha_low is not None
    assert found.alpha_high is not None
    assert found.alpha_low < found.alpha < found.alpha_high <= 1
    assert (found.items, found.raters, found.ratings) == (12, 4, 41)
    assert set(found.kappa) == {"A|B", "A|C", "A|D", "B|C", "B|D", "C|D"}


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(list(Level)), st.booleans())
def test_equal_to_the_libraries(seed: int, level: Level, missing: bool) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 5, size=(4, 30)).astype(float)
    matrix[1:] = np.where(rng.random((3, 30)) < 0.5, matrix[0], matrix[1:])
    if missing:
        matrix[rng.random((4, 30)) < 0.2] = np.nan
    found = rate_agreement(_long_matrix(matrix), level, resamples=50)
    assert found.alpha == pytest.approx(krippendorff.alpha(matrix, level_of_measurement=level.value))
    complete = ~np.isnan(matrix).any(axis=0)
    assert (found.icc_items, found.icc_raters) == (complete.sum(), 4)
    assert found.icc2k == pytest.approx(_anova_icc2k(matrix[:, complete]))
    for one in range(4):
        for other in range(one + 1, 4):
            both = ~np.isnan(matrix[[one, other]]).any(axis=0)
            expected = cohen_kappa_score(
                matrix[one, both].astype(int),
                matrix[other, both].astype(int),
                labels=range(5),
                weights=None if level is Level.NOMINAL else "quadratic",
            )
            assert found.kappa[f"r{one}|r{other}"] == pytest.approx(expected)


def test_icc_equals_pingouin() -> None:
    import pandas as pd

    rng = np.random.default_rng(3)
    matrix = rng.integers(0, 5, size=(3, 20)).astype(float)
    matrix[1] = matrix[0]
    rows = [(item, rater, matrix[rater, item]) for rater in range(3) for item in range(20)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pingouin

        table = pingouin.intraclass_corr(pd.DataFrame(rows, columns=["i", "r", "v"]), "i", "r", "v").set_index("Type")
    expected = table["ICC"].get("ICC(A,k)", table["ICC"].get("ICC2k"))
    assert rate_agreement(_long_matrix(matrix), "ordinal", resamples=10).icc2k == pytest.approx(expected)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(list(Level)))
def test_the_additive_form_of_alpha_equals_krippendorff(seed: int, level: Level) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 4, size=(3, 12)).astype(float)
    matrix[rng.random((3, 12)) < 0.25] = np.nan
    paired = matrix[:, (~np.isnan(matrix)).sum(axis=0) >= 2]
    assume(paired.size > 0 and np.nanmin(paired) < np.nanmax(paired))
    sums = alpha_columns(matrix, matrix, level).sum(axis=0)[None, :]
    assert alpha_of_sums(sums, level)[0] == pytest.approx(krippendorff_alpha(matrix, level))


UNDEFINED: list[tuple[str, Ratings, str]] = [
    ("all equal", [(item, rater, 2) for item in "abcdef" for rater in ("r1", "r2")], ALL_EQUAL),
    ("one rater", [(item, "r1", at) for at, item in enumerate("abcdef")], ONE_RATER),
    ("no overlap", [("a", "r1", 1), ("b", "r2", 2)], NO_OVERLAP),
    ("nothing", [], ONE_RATER),
    ("only missing", [("a", "r1", None), ("b", "r2", "")], ONE_RATER),
]


@pytest.mark.parametrize(("name", "ratings", "reason"), UNDEFINED, ids=[row[0] for row in UNDEFINED])
@pytest.mark.parametrize("level", list(Level))
def test_undefined_is_said(name: str, ratings: Ratings, reason: str, level: Level) -> None:
    found = rate_agreement(ratings, level)
    assert found.alpha is found.alpha_low is found.alpha_high is found.icc2k is None
    assert found.why["alpha"] == reason
    assert found.why["icc2k"]
    assert all(value is None for value in found.kappa.values())


def test_kappa_of_raters_who_share_no_item_is_undefined() -> None:
    ratings: Ratings = [("a", "r1", 1), ("a", "r2", 2), ("b", "r1", 2), ("b", "r3", 1), ("c", "r2", 1), ("c", "r3", 1)]
    found = rate_agreement(ratings, "ordinal", min_share=0)
    assert found.alpha is not None
    rare = rate_agreement([*ratings, ("d", "r4", 2)], "ordinal", min_share=0)
    assert rare.kappa["r1|r4"] is None
    assert rare.why["kappa r1|r4"] == "no item was rated by both"


def test_raters_under_the_smallest_share_are_dropped() -> None:
    ratings = _long({"a": [1, 2, 3, 4], "b": [1, 2, 3, 5], "c": [1, None, None, None], "d": [1, 2, None, None]})
    found = rate_agreement(ratings, "ordinal")
    assert (found.raters, found.dropped_raters, found.ratings) == (3, ("c",), 10)
    everyone = rate_agreement(ratings, "ordinal", min_share=0.25)
    assert (everyone.raters, everyone.dropped_raters, everyone.icc_items) == (4, (), 1)


def test_the_first_of_several_ratings_counts() -> None:
    ratings: Ratings = [("a", "r1", 1), ("a", "r1", 4), ("a", "r2", 1), ("b", "r1", 2), ("b", "r2", 2)]
    found = rate_agreement(ratings, "ordinal")
    assert (found.repeats, found.alpha, found.ratings) == (1, pytest.approx(1.0), 4)


def test_raters_who_contradict_each_other_have_no_icc_above_one() -> None:
    matrix = np.array([[0, 2, 4, 1, 3, 0], [4, 3, 0, 3, 1, 4]], dtype=float)
    assert _anova_icc2k(matrix) > 1
    found = rate_agreement(_long_matrix(matrix), "ordinal", resamples=10)
    assert found.icc2k is None
    assert "denominator is negative" in found.why["icc2k"]


def test_text_choices_have_no_icc() -> None:
    ratings: Ratings = [("a", "r2", "tie"), ("a", "r10", "tie"), ("b", "r2", "a"), ("b", "r10", "b"), ("c", "r2", "1")]
    found = rate_agreement(ratings, "nominal")
    assert found.icc2k is None
    assert found.why["icc2k"] == "the ratings are text, not numbers"
    assert list(found.kappa) == ["r10|r2"]
    assert found.alpha is not None


def test_numbers_may_come_as_text() -> None:
    as_text = [(item, rater, None if value is None else str(value)) for item, rater, value in _long(OBSERVERS)]
    assert rate_agreement(as_text, "ordinal", resamples=20) == rate_agreement(_long(OBSERVERS), "ordinal", resamples=20)


def test_words_need_the_nominal_level() -> None:
    with pytest.raises(UsageError, match="'minor'"):
        rate_agreement([("a", "r1", "minor")], "ordinal")


def test_unknown_level_and_share() -> None:
    with pytest.raises(UsageError, match="nominal, ordinal, interval"):
        rate_agreement([], "ratio")
    with pytest.raises(UsageError, match="from 0 to 1"):
        rate_agreement([], "ordinal", min_share=2)


def test_distances_count_at_the_interval_level() -> None:
    a, b = np.array([0.0, 0.5, 10.0, 10.0]), np.array([0.5, 0.0, 10.0, 0.0])
    apart = ((a[:, None] - b[None, :]) ** 2).mean()
    assert quadratic_kappa(a, b) == pytest.approx(1 - ((a - b) ** 2).mean() / apart)


def _long(by_rater: dict[str, list[int | None]]) -> Ratings:
    return [(f"u{at}", rater, value) for rater, values in by_rater.items() for at, value in enumerate(values)]


def _long_matrix(matrix: np.ndarray) -> Ratings:
    raters, items = matrix.shape
    return [
        (f"i{item}", f"r{rater}", None if np.isnan(matrix[rater, item]) else float(matrix[rater, item]))
        for item in range(items)
        for rater in range(raters)
    ]


def _anova_icc2k(matrix: np.ndarray) -> float:
    """ICC(2,k) from the two-way mean squares (Shrout and Fleiss 1979)."""
    k, n = matrix.shape
    grand = matrix.mean()
    items = k * ((matrix.mean(axis=0) - grand) ** 2).sum() / (n - 1)
    raters = n * ((matrix.mean(axis=1) - grand) ** 2).sum() / (k - 1)
    rest = matrix - matrix.mean(axis=0)[None, :] - matrix.mean(axis=1)[:, None] + grand
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    return float((items - error) / (items + (raters - error) / n))
