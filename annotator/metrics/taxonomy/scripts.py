"""What the rules know about a script: one table per script, read from `data/scripts/NAME.yaml`."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from annotator.errors import FileError, Problem, UsageError
from annotator.text.graphemes import nfc
from annotator.text.scripts import COMMON, is_letter, script_of

SCRIPTS_FOLDER = Path(__file__).resolve().parents[3] / "data" / "scripts"
AUTO = "auto"
FALLBACK = "common"


@dataclass(frozen=True, slots=True, eq=False)
class ScriptTable:
    """One script's signs, homophones and look-alikes. `data/scripts/README.md` says what each key means.

    Each table is read once and is equal to itself alone.

    `homophones`, `vowel_letters` and `confusables` give, for a letter, the numbers of the groups that it is in.
    """

    name: str
    scripts: tuple[str, ...]
    spaced: bool
    decompose: bool
    vowel_signs: frozenset[str]
    conjunct_signs: frozenset[str]
    nasal_signs: frozenset[str]
    letter_marks: frozenset[str]
    digits: Mapping[str, str]
    homophones: Mapping[str, frozenset[int]]
    vowel_letters: Mapping[str, frozenset[int]]
    confusables: Mapping[str, frozenset[int]]


_KEYS = frozenset(field.name for field in fields(ScriptTable)) - {"name"}


def script_names(folder: Path = SCRIPTS_FOLDER) -> tuple[str, ...]:
    """The names that `script` may take: `auto`, then every table in `folder`."""
    return (AUTO, *sorted(path.stem for path in folder.glob("*.yaml")))


@cache
def tables_version(folder: Path = SCRIPTS_FOLDER) -> str:
    """A short digest of all tables: stored events of other tables are computed anew."""
    tables = (path.read_bytes() for path in sorted(folder.glob("*.yaml")))
    return hashlib.sha256(b"\0".join(tables)).hexdigest()[:12]


@lru_cache(maxsize=64)
def load_script(name: str, folder: Path = SCRIPTS_FOLDER) -> ScriptTable:
    """Read the table `name`. Raises UsageError for a name without a table, FileError for a table that is wrong."""
    if name not in script_names(folder)[1:]:
        known = ", ".join(script_names(folder))
        raise UsageError(f"script: found {name!r}; expected one of {known}. Choose one of these with --script.")
    import yaml

    path = folder / f"{name}.yaml"
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FileError(f"the script table {path.name} cannot be read: {error}") from error
    return _table(name, path.name, raw)


def _table(name: str, file: str, raw: Any) -> ScriptTable:
    problems = _problems(file, raw)
    if problems:
        raise FileError(f"the script table {file} is refused", problems)
    digits = {ch: str(value) for row in raw.get("digits", ()) for value, ch in enumerate(row)}
    return ScriptTable(
        name=name,
        scripts=tuple(raw["scripts"]),
        spaced=raw.get("spaced", True),
        decompose=raw.get("decompose", False),
        vowel_signs=frozenset(raw.get("vowel_signs", "")),
        conjunct_signs=frozenset(raw.get("conjunct_signs", "")),
        nasal_signs=frozenset(raw.get("nasal_signs", "")),
        letter_marks=frozenset(raw.get("letter_marks", "")),
        digits=digits,
        homophones=_groups(raw.get("homophones", ()), "letters"),
        vowel_letters=_groups(raw.get("vowel_letters", ()), "letters"),
        confusables=_groups(raw.get("confusables", ()), "glyphs"),
    )


def _problems(file: str, raw: Any) -> list[Problem]:
    if not isinstance(raw, dict) or not isinstance(raw.get("scripts"), list):
        return [Problem(file, None, "scripts", "no list of Unicode script names", "`scripts: [Name]`, empty for none")]
    found = [Problem(file, None, key, "an unknown key", ", ".join(sorted(_KEYS))) for key in raw if key not in _KEYS]
    signs = Counter(ch for key in ("vowel_signs", "conjunct_signs", "nasal_signs") for ch in set(raw.get(key, "")))
    found += [
        Problem(file, None, None, f"U+{ord(ch):04X} in {n} kinds of sign", "each sign in one kind")
        for ch, n in signs.items()
        if n > 1
    ]
    found += [
        Problem(file, None, "digits", f"{row!r}", "ten digits, 0 to 9")
        for row in raw.get("digits", ())
        if not isinstance(row, str) or len(row) != 10
    ]
    return found


def _groups(rows: Sequence[Mapping[str, Any]], key: str) -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, row in enumerate(rows):
        for letter in map(nfc, row[key]):
            groups[letter] = groups.get(letter, frozenset()) | {number}
    return groups


@cache
def _by_unicode_script(folder: Path) -> dict[str, str]:
    return {script: name for name in script_names(folder)[1:] for script in load_script(name, folder).scripts}


@lru_cache(maxsize=1 << 14)
def _writing_system(ch: str) -> str:
    """What the code point counts for: its table's name, else its script as Unicode names it, `""` for no letter."""
    script = script_of(ch) if is_letter(ch) else COMMON
    return "" if script == COMMON else _by_unicode_script(SCRIPTS_FOLDER).get(script, script)


def dominant_scripts(text: str) -> tuple[str, ...]:
    """The writing systems with the most letters in `text`: several when they tie, none without letters.

    In the order of their first letter, each as its table's name, or as Unicode's where it has no table. Writing systems
    that one table speaks for (Han and kana) count together.
    """
    counts = Counter(map(_writing_system, text))
    counts.pop("", None)
    most = max(counts.values(), default=0)
    return tuple(name for name, n in counts.items() if n == most)


def table_for(text: str, script: str) -> ScriptTable:
    """The table of `script`; for `auto` that of the dominant script of `text`, the first to appear of a tie.

    Texts without letters, and scripts without a table, get the fallback table.
    """
    return table_of(dominant_scripts(text)) if script == AUTO else load_script(script)


def table_of(dominant: tuple[str, ...]) -> ScriptTable:
    """The table of the first of some dominant scripts; the fallback table when it has none, or there is none."""
    known = _by_unicode_script(SCRIPTS_FOLDER).values()
    return load_script(dominant[0] if dominant and dominant[0] in known else FALLBACK)
