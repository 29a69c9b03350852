"""Reference corpora by name: wordfreq's lists and the imported ones, with tables that the project keeps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from annotator.errors import StoreError, UsageError
from annotator.metrics.strata.axes import AxisPair, CharacterAxes, WordAxes
from annotator.metrics.strata.labels import Axes
from annotator.metrics.strata.packing import (
    CHARACTER_PARTS,
    PACKING_VERSION,
    WORD_PARTS,
    WORDS,
    PackedTable,
    pack_character_tables,
    pack_word_tables,
    pack_words,
    unpack_table,
)
from annotator.metrics.strata.reference import WORDFREQ, CharacterTables, ReferenceCorpus, WordTables, load_wordfreq
from annotator.metrics.strata.tables import RankTable
from annotator.store.project import Project
from annotator.store.references import ReferenceRow, find_reference, load_tables, read_references, save_tables
from annotator.text.languages import primary_subtag

# Scripts whose letters name a language on their own, for items that carry no language.
SCRIPT_LANGUAGES = {
    "Latin": "en", "Han": "zh", "Hiragana": "ja", "Katakana": "ja", "Hangul": "ko", "Bengali": "bn", "Arabic": "ar",
    "Cyrillic": "ru", "Greek": "el", "Hebrew": "he", "Devanagari": "hi", "Tamil": "ta",
}  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """A reference corpus opened in a project. Tables come from the project, or are built once and kept there."""

    project: Project
    name: str
    stamp: str

    @cached_property
    def words(self) -> RankTable:
        """The words with their ranks."""
        kept = self._load((WORDS,))
        if kept is not None:
            return kept[0]
        corpus = load_wordfreq(self.name.removeprefix(WORDFREQ))
        self._keep((pack_words(corpus),))
        return corpus.words

    @cached_property
    def _corpus(self) -> ReferenceCorpus:
        return ReferenceCorpus(self.name, self.words)

    def axis_pair(self, axes: Axes) -> AxisPair:
        """The axes of this kind over the corpus."""
        return self._character_axes if axes is Axes.CHARACTER else self._word_axes

    @cached_property
    def _word_axes(self) -> WordAxes:
        kept = self._load(WORD_PARTS)
        if kept is not None:
            return WordAxes(WordTables(self.words, kept[0], (kept[1], kept[2])))
        tables = self._corpus.word_tables
        self._keep(pack_word_tables(tables))
        return WordAxes(tables)

    @cached_property
    def _character_axes(self) -> CharacterAxes:
        kept = self._load(CHARACTER_PARTS)
        if kept is not None:
            return CharacterAxes(CharacterTables(*kept))
        tables = self._corpus.character_tables
        self._keep(pack_character_tables(tables))
        return CharacterAxes(tables)

    def _load(self, parts: tuple[str, ...]) -> tuple[RankTable, ...] | None:
        with self.project.read() as connection:
            packed = load_tables(connection, self.name, self.stamp, parts)
        return None if packed is None else tuple(unpack_table(table) for table in packed)

    def _keep(self, tables: tuple[PackedTable, ...]) -> None:
        try:
            with self.project.write(raises_revision=False) as connection:
                save_tables(connection, self.name, self.stamp, tables)
        except StoreError:
            return  # a project that cannot be written gives the same tables, built anew


def open_reference(project: Project, name: str) -> Reference:
    """The reference corpus called `name`: an imported one, or `wordfreq-LANG`.

    Raises `UsageError` naming the ones there are when it is neither.
    """
    with project.read() as connection:
        imported = find_reference(connection, name)
        known = [row.name for row in read_references(connection)]
    if imported is not None:
        return _opened(project.folder, name, imported.stamp, project)
    if not name.startswith(WORDFREQ):
        names = ", ".join([*known, "wordfreq-LANG (for example wordfreq-en)"])
        raise UsageError(f"unknown reference corpus: found {name!r}; expected one of: {names}")
    from importlib.metadata import version

    base = primary_subtag(name.removeprefix(WORDFREQ))
    return _opened(project.folder, WORDFREQ + base, f"{PACKING_VERSION}|wordfreq {version('wordfreq')}", project)


def count_words(project: Project, name: str) -> int:
    """How many words the reference corpus `name` has. Raises `UsageError` when there is none of that name."""
    return len(open_reference(project, name).words.names)


@lru_cache(maxsize=4)
def _opened(folder: Path, name: str, stamp: str, project: Project) -> Reference:
    """One open corpus a process: its tables are large, and pages ask for them again and again."""
    return Reference(project, name, stamp)


def list_references(project: Project) -> tuple[ReferenceRow, ...]:
    """The imported reference corpora."""
    with project.read() as connection:
        return read_references(connection)


def wordfreq_languages() -> tuple[str, ...]:
    """Languages for which wordfreq has a `best` list."""
    from wordfreq import available_languages

    return tuple(sorted(available_languages("best")))


def require_default(language: str) -> str:
    """The reference of a report's language when none was named: wordfreq's list. Raises `UsageError` without one."""
    base = primary_subtag(language)
    if not base:
        raise UsageError(
            "no reference corpus: the items carry no language and their script names none; expected --reference NAME "
            "(wordfreq-LANG, or one brought in with import reference FILE --name NAME)"
        )
    if base not in wordfreq_languages():
        raise UsageError(
            f"no reference corpus: wordfreq has no list for the language {language!r}; expected --reference NAME "
            "(one brought in with import reference FILE --name NAME)"
        )
    return WORDFREQ + base
