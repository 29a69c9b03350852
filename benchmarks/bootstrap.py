"""Paired bootstrap of two systems: seconds for 10,000 resamples, beside a plain NumPy loop and scipy.

    python benchmarks/bootstrap.py

Prints a Markdown table; processor seconds count all threads, which matters on a machine that does other work. The plain loop draws one resample after another; scipy gets the same paired differences in one
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


def seconds(run: Callable[[], object]) -> tuple[float, float]:
    """Best wall time and best processor time of up to three runs."""
    wall = processor = float("inf")
    for _ in range(3):
        start, start_processor = time.perf_counter(), time.process_time()
        run()
        wall = min(wall, time.perf_counter() - start)
        processor = min(processor, time.process_time() - start_processor)
        if wall > 1:
            break
    return wall, processor


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
    print("| pairs | values | wall (s) | processor (s) | plain loop / ours | scipy / ours |")
    print("|---|---|---|---|---|---|")
    for n in SIZES:
        rng = np.random.default_rng(n)
        cases = {
            "yes/no": (rng.integers(0, 2, n), rng.integers(0, 2, n)),
            "any number": (rng.random(n), rng.random(n)),
        }
        few = RESAMPLES if n < 10_000 else RESAMPLES // 20
        for name, (a, b) in cases.items():
            wall, ours = seconds(lambda a=a, b=b, rng=rng: bootstrap_difference(a, b, rng, RESAMPLES))
            loop = seconds(lambda a=a, b=b, rng=rng, few=few: plain_loop(a - b, rng, few))[1] * RESAMPLES / few
            theirs = seconds(lambda a=a, b=b, rng=rng, few=few: scipy_bootstrap(a - b, rng, few))[1] * RESAMPLES / few
            ratios = f"{loop / ours:.1f} | {theirs / ours:.1f}"
            print(f"| {n:,} | {name} | {wall:.4f} | {ours:.4f} | {ratios} |", flush=True)
        edits, lengths = rng.integers(0, 5, n), rng.integers(3, 14, n)
        wall, ours = seconds(lambda e=edits, g=lengths, rng=rng: bootstrap_rate(e, g, rng, RESAMPLES))
        print(f"| {n:,} | pooled CER of short words | {wall:.4f} | {ours:.4f} | | |", flush=True)


if __name__ == "__main__":
    main()
