"""A slow textbook alignment to compare with: the whole Wagner-Fischer table, and the walk of the convention."""

from __future__ import annotations

from collections.abc import Sequence


def textbook_edits(gold: Sequence[str], predicted: Sequence[str]) -> list[tuple[str, int, int]]:
    """The edits (op, gold index, predicted index) in reading order, from the full table of distances."""
    table = [[max(i, j) if 0 in (i, j) else 0 for j in range(len(predicted) + 1)] for i in range(len(gold) + 1)]
    for i in range(1, len(gold) + 1):
        for j in range(1, len(predicted) + 1):
            diagonal = table[i - 1][j - 1] + (gold[i - 1] != predicted[j - 1])
            table[i][j] = min(diagonal, table[i - 1][j] + 1, table[i][j - 1] + 1)
    edits = []
    i, j = len(gold), len(predicted)
    while i or j:
        different = int(i == 0 or j == 0 or gold[i - 1] != predicted[j - 1])
        if i and j and table[i][j] == table[i - 1][j - 1] + different:
            i, j = i - 1, j - 1
            if different:
                edits.append(("sub", i, j))
        elif i and table[i][j] == table[i - 1][j] + 1:
            i -= 1
            edits.append(("del", i, max(j - 1, 0)))
        else:
            j -= 1
            edits.append(("ins", i, j))
    return edits[::-1]
