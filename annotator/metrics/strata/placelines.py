"""Place many labels at once: what placing them one by one gives, with array arithmetic on the character axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from annotator.metrics.strata.axes import AxisPair, CharacterAxes, Placement
from annotator.metrics.strata.labels import DropReason, Letters, drop_reason
from annotator.metrics.strata.ngrams import lay_out
from annotator.metrics.strata.tables import Floats, Ints


def place_labels(labels: Sequence[str], pair: AxisPair, letters: Letters) -> dict[str, Placement | DropReason]:
    """Where each of the distinct folded `labels` lies, or why it stays out of the grid."""
    if isinstance(pair, CharacterAxes) and not any("\n" in label for label in labels):
        return dict(zip(labels, _place_lines(labels, pair), strict=True))
    return {label: drop_reason(label, pair.axes, letters) or pair.place(label) for label in labels}


def _place_lines(labels: Sequence[str], axes: CharacterAxes) -> Iterator[Placement | DropReason]:
    text = lay_out(labels).keep_letters_and_digits()
    owner, symbols = text.word_of, text.symbols.astype(np.int64)
    alphabet, letters = np.unique(symbols, return_inverse=True)
    names = [text.aliases.get(code) or chr(code) for code in alphabet.tolist()]
    clusters = [axes.cluster_value(name) for name in names]
    rarest = _first_largest(np.array([value for value, _ in clusters])[letters], owner)

    starts = np.flatnonzero(owner[:-1] == owner[1:])
    keys, pair_of = np.unique(letters[starts] * len(names) + letters[starts + 1], return_inverse=True)
    pairs = [axes.pair_value(names[key // len(names)], names[key % len(names)]) for key in keys.tolist()]
    novel = _first_largest(np.array([value for value, _ in pairs])[pair_of], owner[starts])

    cluster_ranks = [axes.tables.clusters.rank(unit) for _, unit in clusters]
    pair_ranks = [axes.tables.pairs.rank(ngram) for _, ngram in pairs]
    for number, label in enumerate(labels):
        if number not in novel:  # fewer than two clusters: no pair
            yield DropReason.SHORT if label.strip() else DropReason.EMPTY
            continue
        one, two = int(letters[rarest[number]]), int(pair_of[novel[number]])
        (word_value, unit), (ngram_value, ngram) = clusters[one], pairs[two]
        yield Placement(word_value, ngram_value, cluster_ranks[one], pair_ranks[two], unit, ngram)


def _first_largest(values: Floats, owner: Ints) -> dict[int, int]:
    """The index of the largest value of each owner, the first of equals. `owner` does not fall (both of shape (n,))."""
    if not len(values):
        return {}
    owners, starts, runs = np.unique(owner, return_index=True, return_counts=True)
    largest = np.repeat(np.maximum.reduceat(values, starts), runs)
    hits = np.flatnonzero(values == largest)
    _, first = np.unique(owner[hits], return_index=True)
    return dict(zip(owners.tolist(), hits[first].tolist(), strict=True))
