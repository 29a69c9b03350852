"""How ids of a predictions file meet the project's: as text, or by a rule that the user agrees to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from annotator.errors import UsageError

_EXTENSION = re.compile(r"\.(?:jpe?g|png|webp|tiff?|bmp|gif|txt|gt\.txt)$", re.IGNORECASE)
_DECIMAL = re.compile(r"(?<=\d)\.0+$")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")

RULES: dict[str, Callable[[str], str]] = {
    "leading-zeros": lambda text: _ZEROS.sub("", text),
    "extension": lambda text: _EXTENSION.sub("", text),
    "folder": lambda text: text.replace("\\", "/").rsplit("/", 1)[-1],
    "case": str.casefold,
    "normal-form": lambda text: unicodedata.normalize("NFC", text),
    "decimal": lambda text: _DECIMAL.sub("", text),
}
_WORDS = {
    "leading-zeros": "leading zeros",
    "extension": "a file extension",
    "folder": "a folder before the name",
    "case": "upper and lower case",
    "normal-form": "their Unicode normal form",
    "decimal": "a .0 at the end",
}


def by_rules(rules: Sequence[str]) -> Callable[[str], str]:
    """One function that applies all rules. Raises `UsageError` on an unknown one."""
    for rule in rules:
        if rule not in RULES:
            raise UsageError(f"--join {rule}: expected one of {', '.join(RULES)}")

    def apply(text: str) -> str:
        for rule in rules:
            text = RULES[rule](text)
        return text

    return apply


def join_ids(ids: Collection[str], known: Collection[str], rules: Sequence[str]) -> dict[str, str]:
    """The known id that each of `ids` meets under `rules`, exact matches first; where two could meet, none does."""
    met = {each: each for each in ids if each in known}
    if not rules:
        return met
    apply = by_rules(rules)
    project = _unique(known, apply)
    for key, each in _unique((each for each in ids if each not in met), apply).items():
        if each is not None and project.get(key) is not None:
            met[each] = str(project[key])
    return met


def _unique(ids: Iterable[str], apply: Callable[[str], str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for each in ids:
        key = apply(each)
        found[key] = None if key in found else each
    return found


def near_misses(extra: Sequence[str], known: Mapping[str, object]) -> list[tuple[tuple[str, ...], int, str, str]]:
    """Rules under which ids that are not known would be: (rules, how many, an example, what it would meet), best first."""
    if not extra:
        return []
    tried = [(rule,) for rule in RULES] + [("folder", "extension"), ("extension", "leading-zeros")]
    found = []
    for rules in tried:
        met = join_ids(extra, known, rules)
        if met:
            example = next(iter(met))
            found.append((rules, len(met), example, met[example]))
    best: dict[int, tuple[tuple[str, ...], int, str, str]] = {}
    for miss in found:
        best.setdefault(miss[1], miss)
    return sorted(best.values(), key=lambda miss: -miss[1])


def miss_words(rules: Sequence[str], count: int, total: int, example: str, meets: str) -> str:
    """A near miss in words, with the option that would join."""
    differ = " and ".join(_WORDS[rule] for rule in rules)
    option = " ".join(f"--join {rule}" for rule in rules)
    which = f"all {total:,}" if count == total else f"{count:,} of {total:,}"
    return f"{which} differ from an item's id only by {differ} ({example} here, {meets} there): {option} joins them"
