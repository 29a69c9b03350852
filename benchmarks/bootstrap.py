"""Paired bootstrap of two systems: seconds for 10,000 resamples, beside a plain NumPy loop and scipy.

    python benchmarks/bootstrap.py

Prints a Markdown table. The plain loop draws one resample after another; scipy gets the same paired differences in one
vectorised call with a batch that keeps its memory in bounds. Best of three for times under a second, else one run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import scipy.stats

from annotator.stats.bootstrap import bootstrap_difference, bootstrap_rate

RESAMPLES = 10_000
SIZES = (474, 7_248, 100_000)


def seconds(run: Callable[[], object]) -> float:
    """Best wall time of up to three runs."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
        if best > 1:
            break
    return best


def plain_loop(gaps: np.ndarray, rng: np.random.Generator, resamples: int) -> np.ndarray:
    """What most papers' scripts do."""
    return np.array([gaps[rng.integers(0, len(gaps), len(gaps))].mean() for _ in range(resamples)])


def scipy_bootstrap(gaps: np.ndarray, rng: np.random.Generator, resamples: int) -> object:
    """scipy.stats.bootstrap, percentile."""
    batch = max(1, 2_000_000 // len(gaps))
    return scipy.stats.bootstrap(
        (gaps,), np.mean, n_resamples=resamples, method="percentile", vectorized=True, batch=batch, rng=rng
    )


def main() -> None:
    """Time every size and kind of value, and print the table."""
    print("| pairs | values | verbatim (s) | plain loop / verbatim | scipy / verbatim |")
    print("|---|---|---|---|---|")
    for n in SIZES:
        rng = np.random.default_rng(n)
        cases = {
            "yes/no": (rng.integers(0, 2, n), rng.integers(0, 2, n)),
            "any number": (rng.random(n), rng.random(n)),
        }
        fewer = RESAMPLES if n < 10_000 else RESAMPLES // 20
        for name, (a, b) in cases.items():
            ours = seconds(lambda a=a, b=b, rng=rng: bootstrap_difference(a, b, rng, RESAMPLES))
            loop = seconds(lambda a=a, b=b, rng=rng, few=fewer: plain_loop(a - b, rng, few)) * RESAMPLES / fewer
            theirs = seconds(lambda a=a, b=b, rng=rng, few=fewer: scipy_bootstrap(a - b, rng, few)) * RESAMPLES / fewer
            print(f"| {n:,} | {name} | {ours:.4f} | {loop / ours:.1f} | {theirs / ours:.1f} |", flush=True)
        edits, lengths = rng.integers(0, 5, n), rng.integers(3, 14, n)
        rate = seconds(lambda e=edits, g=lengths, rng=rng: bootstrap_rate(e, g, rng, RESAMPLES))
        print(f"| {n:,} | pooled CER of short words | {rate:.4f} | | |", flush=True)


if __name__ == "__main__":
    main()
