"""Rank tables as compact bytes, so that a project keeps them and another process need not count again."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from annotator.metrics.strata.reference import CharacterTables, ReferenceCorpus, WordTables
from annotator.metrics.strata.tables import RankTable, ranks_of_counts

PACKING_VERSION = "1"
WORDS = "words"
WORD_PARTS = ("trigrams", "contained-1", "contained-2")
CHARACTER_PARTS = ("clusters", "pairs")


@dataclass(frozen=True, slots=True)
class PackedTable:
    """One rank table: `names` and `counts` compressed; `by_order` when the order of the names is the rank."""

    part: str
    names: bytes
    counts: bytes
    by_order: bool = False


def pack_table(part: str, table: RankTable, by_order: bool = False) -> PackedTable:
    """Pack a table. Names hold no line break (a reference corpus refuses them)."""
    names = "\n".join(table.names).encode("utf-8", "surrogatepass")
    return PackedTable(part, zlib.compress(names, 1), zlib.compress(table.counts.astype("<f8").tobytes(), 1), by_order)


def unpack_table(packed: PackedTable) -> RankTable:
    """The table that was packed, equal in names, counts and ranks."""
    counts = np.frombuffer(zlib.decompress(packed.counts), dtype="<f8")
    text = zlib.decompress(packed.names).decode("utf-8", "surrogatepass")
    names = tuple(text.split("\n")) if len(counts) else ()
    if packed.by_order:
        return RankTable.from_order(names)
    return RankTable(names, counts, ranks_of_counts(counts))


def pack_words(corpus: ReferenceCorpus) -> PackedTable:
    """The words of a corpus."""
    return pack_table(WORDS, corpus.words, by_order=not corpus.counted)


def pack_word_tables(tables: WordTables) -> tuple[PackedTable, ...]:
    """The n-gram tables of the word axes."""
    parts = (tables.trigrams, *tables.contained)
    return tuple(pack_table(name, part) for name, part in zip(WORD_PARTS, parts, strict=True))


def pack_character_tables(tables: CharacterTables) -> tuple[PackedTable, ...]:
    """The tables of the character axes."""
    parts = (tables.clusters, tables.pairs)
    return tuple(pack_table(name, part) for name, part in zip(CHARACTER_PARTS, parts, strict=True))
