"""A and D of items from a language prior: of the built-in character model, or of a local causal language model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotator.analyses.severity.wordlists import primary_language, word_list
from annotator.errors import StoreError, UsageError
from annotator.models.prior import PRIOR_VERSION, CausalPrior, NgramPrior, Prior, load_prior, save_prior, train_prior
from annotator.store.project import Project
from annotator.store.reading import read_items

BUILT_IN = "ngram"
FOLDER = "model:"


def is_prior_name(name: str) -> bool:
    """`ngram` is built in; `model:DIR` names the folder of a causal language model."""
    return name == BUILT_IN or name.startswith(FOLDER)


def lexical_scores(project: Project, name: str) -> tuple[dict[int, float], dict[int, float]]:
    """A (score of the standard form) and D = A - score of gold, by item key, of items whose standard form differs.

    Items in a language without a word list have no score under `ngram`. Raises `UsageError` when no item has one,
    `InputError` for a folder that is no model.
    """
    prior_of = priors_by_language(project, name)
    strength: dict[int, float] = {}
    gap: dict[int, float] = {}
    with project.read() as connection:
        items = read_items(connection)
    for key, gold, standard, tag in zip(items.keys.tolist(), items.gold, items.standard, items.language, strict=True):
        if not standard or gold is None or standard == gold:
            continue
        prior = prior_of(primary_language(tag, gold))
        if prior is not None:
            strength[key] = prior.score(standard)
            gap[key] = strength[key] - prior.score(gold)
    if not gap:
        raise UsageError(
            f"prior {name}: no item has a standard form that differs from gold, in a language with a word list"
        )
    return strength, gap


def priors_by_language(project: Project, name: str) -> Callable[[str], Prior | None]:
    """The prior of a language under `name` (`ngram` or `model:DIR`); `None` where there is no word list."""
    if name.startswith(FOLDER):
        whole = CausalPrior(Path(name.removeprefix(FOLDER)))
        return lambda _: whole
    made: dict[str, NgramPrior | None] = {}

    def of(language: str) -> NgramPrior | None:
        if language not in made:
            made[language] = ngram_prior(project.folder / "cache", language)
        return made[language]

    return of


def ngram_prior(cache: Path, language: str) -> NgramPrior | None:
    """The character model of a language, from `cache` when it is there; `None` for a language without a word list."""
    path = cache / f"prior-{language}-{PRIOR_VERSION}.json"
    found = load_prior(path)
    words = None if found is not None else word_list(language)
    if words is None:
        return found
    found = train_prior(words.words)
    try:
        save_prior(found, path)
    except (OSError, StoreError):
        return found  # a project that cannot be written builds it again
    return found
