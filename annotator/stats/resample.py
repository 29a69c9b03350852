"""The engine of every bootstrap here: sums of columns over resampled items, without an item matrix in memory.

A statistic of additive counts needs only the sums of its columns in each resample. Two exact ways give them:

- *grouped*: items with equal rows are interchangeable, so a resample is one multinomial draw over the distinct rows.
  Yes/no outcomes have two or three distinct rows however many items there are.
- *drawn*: items are drawn in blocks, each with its own generator seeded from the caller's, over the cores there are.
  The result does not depend on the number of threads. With few columns the items are cut into parts of 2^k: first how
  many draws fall into each part (multinomial), then which pairs of its items, summed by one look-up a pair.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.errors import UsageError

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MIN_CLUSTERS = 5
FEW_CLUSTERS = f"fewer than {MIN_CLUSTERS} documents: items were resampled instead of documents"

# Resamples of one seed, the unit of work of a thread (fewer where their counts by part would fill the memory); and
# draws of one pass over arrays that stay in the processor's cache.
_BLOCK_RESAMPLES = 2_500
_BLOCK_COUNTS = 4_000_000
_PASS_DRAWS = 50_000
_PARALLEL_FROM = 20_000_000
# Two items of such a part have 2^16 sums: sixteen random bits draw a pair, and one look-up adds it.
_LARGEST_PART = 2**8
# One binomial draw of the multinomial costs about as much as drawing and reading ten items by index.
_DRAWS_PER_GROUP = 10
# Up to this many columns it is faster to look up pairs in each one than to count the items drawn and multiply.
_FEW_COLUMNS = 3


def resample_sums(
    columns: ArrayLike, rng: np.random.Generator, resamples: int, clusters: ArrayLike | None = None
) -> Floats:
    """Column sums of `resamples` samples of the rows, drawn with replacement, each as large as the original.

    `columns` is items x columns of finite numbers with at least one row. With `clusters` (one code per row) whole
    clusters are drawn instead of rows, as many as there are; see `use_clusters` for when that makes sense. Returns
    resamples x columns.
    """
    rows = np.asfortranarray(_matrix(columns))
    if clusters is not None:
        rows = _sum_by_cluster(rows, np.asarray(clusters))
    grouped = _distinct_rows(rows, len(rows) // _DRAWS_PER_GROUP)
    if grouped is not None:
        distinct, counts = grouped
        return _grouped_sums(distinct, counts, rng, resamples)
    return _drawn_sums(rows, rng, resamples)


def resample_sums_by_group(
    columns: ArrayLike,
    groups: ArrayLike,
    width: int,
    rng: np.random.Generator,
    resamples: int,
    clusters: ArrayLike | None = None,
) -> Floats:
    """Column sums within each of `width` groups, in `resamples` samples of all the rows drawn with replacement.

    `groups` has one code 0 ... width - 1 per row; every row is in one group, so that a group's size varies with the sample. With
    `clusters` whole clusters are drawn. Returns resamples x groups x columns.
    """
    rows = _matrix(columns)
    codes = np.asarray(groups, dtype=np.int64)
    if clusters is not None:
        wide = np.zeros((len(rows), width, rows.shape[1]))
        wide[np.arange(len(rows)), codes] = rows
        sums = resample_sums(wide.reshape(len(rows), -1), rng, resamples, clusters)
        return sums.reshape(resamples, width, rows.shape[1])
    out = np.empty((resamples, width, rows.shape[1]))
    block = max(1, min(_BLOCK_RESAMPLES, _BLOCK_COUNTS // (1 + len(rows) // _LARGEST_PART)))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = rng.integers(0, len(rows), size=(size, len(rows)))
        slots = (codes[drawn] + np.arange(size)[:, None] * width).ravel()
        for at, column in enumerate(rows.T):
            out[start : start + size, :, at] = np.bincount(slots, column[drawn].ravel(), size * width).reshape(
                size, width
            )
    return out


def cluster_codes(names: Sequence[str]) -> Codes | None:
    """One code per item from document names; items without a name stand alone. `None` when no two items share one."""
    codes: dict[str, int] = {}
    found = [codes.setdefault(name or f"\0{at}", len(codes)) for at, name in enumerate(names)]
    return None if len(codes) == len(found) else np.asarray(found, dtype=np.int64)


def use_clusters(clusters: ArrayLike | None) -> tuple[Codes | None, str]:
    """The clusters to resample and a note: under five documents the items are resampled instead, and that is said."""
    if clusters is None:
        return None, ""
    codes = np.asarray(clusters, dtype=np.int64)
    if len(np.unique(codes)) < MIN_CLUSTERS:
        return None, FEW_CLUSTERS
    return codes, ""


def _matrix(columns: ArrayLike) -> Floats:
    rows = np.asarray(columns, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not len(rows):
        raise UsageError(f"Bootstrap: found an array of shape {rows.shape}; expected at least one item.")
    if not np.isfinite(rows).all():
        raise UsageError("Bootstrap: found a value that is not finite; leave such items out and count them first.")
    return rows


def _sum_by_cluster(rows: Floats, clusters: NDArray[np.int64]) -> Floats:
    if clusters.shape != (len(rows),):
        raise UsageError(f"Bootstrap: found {clusters.size} cluster codes for {len(rows)} items; expected one each.")
    names, codes = np.unique(clusters, return_inverse=True)
    return np.stack([np.bincount(codes, column, len(names)) for column in rows.T], axis=1)


def _distinct_rows(rows: Floats, most: int) -> tuple[Floats, Codes] | None:
    """The distinct rows and how often each occurs, most frequent first; `None` when there are more than `most`."""
    codes = np.zeros(len(rows), dtype=np.int64)
    distinct = 1
    for column in rows.T:
        values, inverse = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * len(values) + inverse, return_inverse=True)
        distinct = int(codes.max()) + 1
        if distinct > most:
            return None
    counts = np.bincount(codes, minlength=distinct)
    first = np.zeros(distinct, dtype=np.int64)
    first[codes] = np.arange(len(rows))
    order = np.argsort(-counts, kind="stable")
    return rows[first[order]], counts[order]


def _grouped_sums(distinct: Floats, counts: Codes, rng: np.random.Generator, resamples: int) -> Floats:
    n = int(counts.sum())
    block = max(1, 4_000_000 // len(counts))
    sums = np.empty((resamples, distinct.shape[1]))
    for start in range(0, resamples, block):
        drawn = rng.multinomial(n, counts / n, size=min(block, resamples - start))
        sums[start : start + block] = drawn @ distinct
    return sums


def _drawn_sums(rows: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    block = max(1, min(_BLOCK_RESAMPLES, _BLOCK_COUNTS // (1 + len(rows) // _LARGEST_PART)))
    one_block = _pair_sums if rows.shape[1] <= _FEW_COLUMNS else _counted_sums
    starts = range(0, resamples, block)
    seeds = rng.integers(0, 2**63, size=len(starts))
    sums = np.empty((resamples, rows.shape[1]))

    def draw(start: int, seed: int) -> None:
        part = sums[start : start + block]
        part[:] = one_block(rows, np.random.default_rng(seed), len(part))

    workers = (os.cpu_count() or 1) if resamples * len(rows) >= _PARALLEL_FROM else 1
    if workers == 1:
        for start, seed in zip(starts, seeds, strict=True):
            draw(start, int(seed))
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(draw, starts, map(int, seeds)))
    return sums


def _counted_sums(rows: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    """Draw items, count how often each came, multiply by the rows: best for many columns."""
    n = len(rows)
    passes = max(1, _PASS_DRAWS // n)
    index_type = np.uint16 if n <= 2**16 else np.uint32
    sums = np.empty((resamples, rows.shape[1]))
    for start in range(0, resamples, passes):
        size = min(passes, resamples - start)
        drawn = rng.integers(0, n, size=(size, n), dtype=index_type).astype(np.intp)
        drawn += np.arange(size)[:, None] * n
        times = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        sums[start : start + size] = times @ rows
    return sums


def _pair_sums(rows: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    """Draw pairs of items part by part, for all resamples at once."""
    parts = _powers_of_two(len(rows))
    sizes = np.array([stop - start for start, stop in parts])
    counts = rng.multinomial(len(rows), sizes / len(rows), size=resamples)
    sums = np.zeros((resamples, rows.shape[1]))
    for (start, stop), drawn in zip(parts, counts.T, strict=True):
        pairs, single = drawn >> 1, np.flatnonzero(drawn & 1)
        some = np.flatnonzero(pairs)
        firsts = np.concatenate([[0], np.cumsum(pairs[some])])
        bits = rng.integers(0, 2**16, size=firsts[-1], dtype=np.uint16)
        which = np.bitwise_and(bits, (stop - start) ** 2 - 1, dtype=np.intp)
        alone = rng.integers(0, stop - start, size=len(single))
        for at, column in enumerate(rows[start:stop].T):
            sums[single, at] += column[alone]
            if len(some):
                # mode="clip" skips the bounds check, which the bits have made needless.
                found = (column[:, None] + column[None, :]).ravel().take(which, mode="clip")
                sums[some, at] += np.add.reduceat(found, firsts[:-1])
    return sums


def _powers_of_two(n: int) -> list[tuple[int, int]]:
    """Cut 0..n into consecutive parts whose sizes are powers of two, none above 2^8."""
    parts: list[tuple[int, int]] = []
    start = 0
    while start < n:
        size = min(_LARGEST_PART, 1 << ((n - start).bit_length() - 1))
        parts.append((start, start + size))
        start += size
    return parts
