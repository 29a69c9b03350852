"""The character prior: known words before near ones before junk; cached; bad folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.analyses.outcomes.lexical import read_prior
from annotator.analyses.outcomes.lexicalprior import ngram_prior
from annotator.errors import InputError, UsageError
from annotator.models.prior import CausalPrior, load_prior, save_prior, train_prior
from tests.builders import build_project

WORDS = {"kitten": 4.0, "mitten": 3.0, "sitting": 4.0, "kitchen": 5.0, "sitter": 2.0}
PRIOR = train_prior(WORDS)


def test_a_word_scores_above_a_slip_and_a_slip_above_junk() -> None:
    assert PRIOR.score("kitten") > PRIOR.score("kittn") > PRIOR.score("xqzj")
    assert PRIOR.score("KITTEN") == PRIOR.score("kitten")


@given(st.text(max_size=12))
def test_every_text_has_a_finite_score_at_most_0(text: str) -> None:
    assert -20 < PRIOR.score(text) <= 0.0


def test_shares_of_one_context_sum_to_at_most_one() -> None:
    letters = {unit for followers in PRIOR.counts.values() for unit in followers}
    assert sum(PRIOR._share(["k", "i", "t", "t"], unit) for unit in letters) <= 1.0


def test_a_prior_reads_back(tmp_path: Path) -> None:
    save_prior(PRIOR, tmp_path / "cache" / "p.json")
    again = load_prior(tmp_path / "cache" / "p.json")
    assert again is not None
    assert again.score("mitten") == pytest.approx(PRIOR.score("mitten"))
    (tmp_path / "cache" / "p.json").write_text("{", "utf-8")
    assert load_prior(tmp_path / "cache" / "p.json") is None
    assert ngram_prior(tmp_path / "cache", "tlh") is None


def test_no_words_and_no_model_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found none"):
        train_prior({})
    with pytest.raises(InputError, match="transformers"):
        CausalPrior(tmp_path)


def test_items_get_a_and_d_from_a_cached_prior(tmp_path: Path) -> None:
    items = [
        {"id": "a", "gold": "kittn", "standard": "kitten", "language": "en"},
        {"id": "same", "gold": "mitten", "language": "en"},
    ]
    project = build_project(tmp_path, items)
    save_prior(PRIOR, project.folder / "cache" / "prior-en-1.json")
    prior = read_prior(project, "ngram")
    assert prior.strength is not None
    assert (list(prior.gap), prior.gap[1] > 0) == ([1], True)
    assert prior.strength[1] == pytest.approx(PRIOR.score("kitten"))
    with pytest.raises(UsageError, match="no item has a standard form"):
        read_prior(build_project(tmp_path / "other", items[1:]), "ngram")
