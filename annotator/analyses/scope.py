"""One grid is one language: which items a stratified report is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.analyses.references import SCRIPT_LANGUAGES
from annotator.errors import UsageError
from annotator.store.reading import ItemTable
from annotator.text.languages import primary_subtag
from annotator.text.scripts import dominant_script

Mask = npt.NDArray[np.bool_]
# Enough text to tell a script by.
_SAMPLE = 5_000


@dataclass(frozen=True, slots=True)
class LanguageScope:
    """The language of a report (a BCP 47 base tag, "" when nothing tells), its items, and the others counted."""

    language: str
    inside: Mask
    left_out: Mapping[str, int]
    note: str = ""


def choose_language(items: ItemTable, wanted: str) -> LanguageScope:
    """Choose the items of `wanted`, else of the language with most items.

    Items without a language count as `en` when most of their letters are Latin, and as the language that the script of
    most letters names otherwise. Raises `UsageError` when no item has the language, naming those there are.
    """
    base = wanted.casefold().replace("_", "-")
    unlabelled = _guess(items)
    names = [primary_subtag(tag) if tag else unlabelled for tag in items.language]
    counts = Counter(names)
    exact = [tag.casefold().replace("_", "-") == base for tag in items.language] if base else []
    if any(exact) and base not in counts:
        return _scope(base, np.array(exact, dtype=bool), names, "")
    language = base or (max(counts, key=counts.__getitem__) if counts else "")
    if base and base not in counts:
        known = ", ".join(name or "(none)" for name in counts) or "none, there are no items"
        raise UsageError(f"--language {wanted}: no item has this language; found {known}")
    inside = np.array([name == language for name in names], dtype=bool)
    guessed = language == unlabelled and any(not tag for tag in items.language)
    note = f"items without a language were taken for {language!r} by the script of their gold" if guessed else ""
    return _scope(language, inside, names, note if language != "en" else "")


def _scope(language: str, inside: Mask, names: list[str], note: str) -> LanguageScope:
    left_out = Counter(name for name, is_inside in zip(names, inside, strict=True) if not is_inside)
    return LanguageScope(language, inside, dict(left_out), note)


def _guess(items: ItemTable) -> str:
    """The language that items without one count as."""
    golds = [gold or "" for gold, tag in zip(items.gold, items.language, strict=True) if not tag]
    script = dominant_script("".join(golds[:: max(1, len(golds) // _SAMPLE)]))
    return SCRIPT_LANGUAGES.get(script or "", "")
