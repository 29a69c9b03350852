"""Character n-grams of a word list, counted with array arithmetic.

The words are joined into one array of symbols. A cluster of several code points stands as one private-use symbol there,
so that an n-gram is always n clusters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import regex
from numpy.typing import NDArray

from annotator.metrics.strata.tables import Floats, Ints, RankTable
from annotator.text.graphemes import split_graphemes

_FIRST_ALIAS = 0xF0000
_LAST_ALIAS = 0x10FFFF
_BREAK = 0x0A
_SYMBOLS = 0x110000
# Up to this many possible keys a look-up table is faster than sorting the occurrences.
_DENSE = 1 << 25
_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class SymbolText:
    """A word list as symbols: `symbols` (shape (n,)) and the index of the word each belongs to (`word_of`, shape (n,)).

    `aliases` gives the cluster behind each private-use symbol.
    """

    symbols: NDArray[np.uint32]
    word_of: Ints
    aliases: dict[int, str]

    def keep_letters_and_digits(self) -> SymbolText:
        """Only the clusters that begin with a letter or a digit (Unicode L and N); the others close up."""
        known, places = _compact(self.symbols.astype(np.int64), _SYMBOLS)
        wanted = np.array([is_counted(self.aliases.get(code) or chr(code)) for code in known.tolist()], dtype=bool)
        kept = wanted[places]
        return SymbolText(self.symbols[kept], self.word_of[kept], self.aliases)


@cache
def is_counted(cluster: str) -> bool:
    """Whether a cluster begins with a letter or a digit (Unicode category L or N)."""
    return unicodedata.category(cluster[0])[0] in "LN"


def lay_out(words: Sequence[str]) -> SymbolText:
    """Lay the clusters of `words` out as one array, in the order of the words."""
    joined = "\n".join(words)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    clustering = _clustering_codes(codes)
    aliases: dict[int, str] = {}
    if len(clustering):
        codes, aliases = _alias_clusters(words, codes, clustering)
    breaks = codes == _BREAK
    word_of = np.cumsum(breaks, dtype=np.int64)
    return SymbolText(codes[~breaks], word_of[~breaks], aliases)


def _clustering_codes(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The code points among `codes` that can join a neighbour in a cluster, and the private-use ones."""
    known = _distinct(codes)
    joining = [code >= _FIRST_ALIAS or _joins(chr(code)) for code in known.tolist()]
    return known[np.array(joining, dtype=bool)] if len(known) else known


def _distinct(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    seen = np.zeros(_SYMBOLS, dtype=bool)
    seen[codes] = True
    return np.flatnonzero(seen).astype(np.uint32)


def _joins(char: str) -> bool:
    return char != "\n" and any(len(_CLUSTER.findall(pair)) < 2 for pair in (f"a{char}", f"{char}a", char * 2))


def _alias_clusters(
    words: Sequence[str], codes: NDArray[np.uint32], clustering: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], dict[int, str]]:
    joins = np.zeros(_SYMBOLS, dtype=bool)
    joins[clustering] = True
    touched = joins[codes]
    word_of = np.cumsum(codes == _BREAK)
    texts = list(words)
    symbol_of: dict[str, str] = {}
    for index in np.unique(word_of[touched]).tolist():
        texts[index] = "".join(_symbol(cluster, symbol_of) for cluster in split_graphemes(texts[index]))
    aliased = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return aliased, {ord(symbol): cluster for cluster, symbol in symbol_of.items()}


def _symbol(cluster: str, symbol_of: dict[str, str]) -> str:
    if len(cluster) == 1 and ord(cluster) < _FIRST_ALIAS:
        return cluster
    # Beyond the private-use planes (131,072 distinct clusters) the rest share the last symbol: rarer than any real list.
    code = min(_FIRST_ALIAS + len(symbol_of), _LAST_ALIAS)
    return symbol_of.setdefault(cluster, chr(code))


def count_ngrams(text: SymbolText, counts: Floats, size: int, *, once_per_word: bool = False) -> RankTable:
    """Count the n-grams of `size` clusters: the sum of the word's count over the n-gram's occurrences.

    `counts` (shape (words,)) holds the words' counts. With `once_per_word` an n-gram counts once for each word that
    holds it. No padding and no boundary marks. Source: StratiSTR section 3.2, `rank_Cref(t)`.
    """
    distinct, place, words = _find_ngrams(text, size)
    if once_per_word and len(distinct):
        pairs = np.sort(words * len(distinct) + place)
        words, place = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], len(distinct))
    totals: Floats = np.bincount(place, counts[words], len(distinct)).astype(np.float64)
    return RankTable.from_counts(_spell(distinct, text.aliases), totals)


def _find_ngrams(text: SymbolText, size: int) -> tuple[Ints, Ints, Ints]:
    """The distinct n-grams as symbols (shape (m, size)), and for each occurrence, in order, its n-gram and its word."""
    alphabet, letters = _compact(text.symbols.astype(np.int64), _SYMBOLS)
    spelled = alphabet[:, np.newaxis]
    starts = np.arange(len(letters))
    place = letters
    for offset in range(1, size):
        inside = starts + offset < len(letters)
        starts, place = starts[inside], place[inside]
        inside = text.word_of[starts] == text.word_of[starts + offset]
        starts, place = starts[inside], place[inside]
        keys, place = _compact(place * len(alphabet) + letters[starts + offset], len(spelled) * len(alphabet))
        before, last = np.divmod(keys, max(len(alphabet), 1))
        spelled = np.column_stack((spelled[before], alphabet[last]))
    return spelled, place, text.word_of[starts]


def _compact(keys: Ints, bound: int) -> tuple[Ints, Ints]:
    """The distinct keys, rising, and the place of each key among them. Keys lie in [0, bound)."""
    if bound > _DENSE:
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, place
    seen = np.zeros(bound, dtype=bool)
    seen[keys] = True
    distinct = np.flatnonzero(seen)
    place_of = np.zeros(bound, dtype=np.int64)
    place_of[distinct] = np.arange(len(distinct))
    return distinct, place_of[keys]


def _spell(ngrams: Ints, aliases: dict[int, str]) -> list[str]:
    """N-grams of symbols (shape (m, size)) as text."""
    size = ngrams.shape[1]
    flat = ngrams.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    spelled = [flat[start : start + size] for start in range(0, len(flat), size)]
    return [text.translate(aliases) for text in spelled] if aliases else spelled


def distinct_ngrams(clusters: Sequence[str], size: int) -> Iterable[str]:
    """The n-grams of a text in order of first occurrence, each once."""
    grams = ("".join(clusters[start : start + size]) for start in range(len(clusters) - size + 1))
    return dict.fromkeys(grams)
