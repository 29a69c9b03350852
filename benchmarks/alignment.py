"""Alignment beside the semcer package, dinglehopper, jiwer and rapidfuzz, in one process on the same pairs.

    pip install jiwer && pip install --no-deps semcer==0.1.5   (dinglehopper too, if it should stand beside)
    python benchmarks/alignment.py [--large]

Prints Markdown tables. Every pair is new to every program (no memory of repeated pairs helps), and every edit of ours
is compared with the semcer package's. Times are the best of several rounds, each on pairs of its own, with the
programs taking turns. `--large` adds 100,000 and 1,000,000 short pairs and the huge ones.
"""

from __future__ import annotations

import argparse
import importlib
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from annotator.metrics.counts import score_pairs
from annotator.text.align import align_many, align_texts, alignment_version
from annotator.text.bulk import BulkSteps
from annotator.text.graphemes import split_graphemes

ENGLISH = list("eeeeeettttaaaoooiiinnnsshhrrddlucmfwypvbgkETAOIN ,.'-      ")
BENGALI_UNITS = "ক খ গ চ জ ট ত দ ন প ব ভ ম য র ল শ স হ কা কি রী নে তো স্ব ক্ষ ন্ত ত্র র্ম প্র য় ড় সু মে দি া ।"
BENGALI = [*BENGALI_UNITS.split(), *" " * 6]
SIZES = (("single word", 3, 10, 400), ("30-40 clusters", 30, 40, 200), ("240 clusters", 240, 240, 50))
ROUNDS = 5
Pair = tuple[str, str]


def make_pairs(
    units: Sequence[str], low: int, high: int, count: int, rng: random.Random, rate: float = 0.1
) -> list[Pair]:
    """Gold of random units; predicted has one unit in ten replaced, dropped or doubled with another."""
    pairs = []
    for _ in range(count):
        gold = rng.choices(units, k=rng.randint(low, high))
        predicted = []
        for unit in gold:
            if rng.random() >= rate:
                predicted.append(unit)
                continue
            predicted.extend(rng.choice(([], [rng.choice(units)], [unit, rng.choice(units)])))
        pairs.append(("".join(gold), "".join(predicted)))
    return pairs


def limit(gold: str, predicted: str) -> int:
    """The limit line: split both sides and ask rapidfuzz for the distance only."""
    return Levenshtein.distance(split_graphemes(gold), split_graphemes(predicted))


def programs() -> dict[str, Callable[[list[Pair]], object]]:
    """What runs, by name; packages that are not installed are left out."""

    def each(function: Callable[[str, str], object]) -> Callable[[list[Pair]], object]:
        return lambda pairs: [function(*pair) for pair in pairs]

    found = {
        "verbatim, pair by pair": each(align_texts),
        "verbatim, as a stream": lambda pairs: list(align_many(pairs)),
    }
    for name, module, attribute in (
        ("semcer", "semcer._align", "align_graphemes"),
        ("dinglehopper", "dinglehopper.align", "align"),
        ("jiwer (code points)", "jiwer", "process_characters"),
    ):
        try:
            function = getattr(importlib.import_module(module), attribute)
        except ImportError:
            continue
        found[name] = each((lambda g, p, f=function: list(f(g, p))) if name == "dinglehopper" else function)
    found["rapidfuzz, distance only"] = each(limit)
    return found


def check_edits(pairs: list[Pair]) -> int:
    """Compare our edits with the semcer package's, one for one; return how many pairs were equal."""
    from semcer._align import align_graphemes

    names = {"SUB": "sub", "DEL": "del", "INS": "ins"}
    for (gold, predicted), ours in zip(pairs, align_many(pairs), strict=True):
        theirs = [(names[e.op], e.i, e.j, e.g_r or "", e.g_h or "") for e in align_graphemes(gold, predicted)[2]]
        found = [(str(e.op), e.gold_index, e.predicted_index, e.gold, e.predicted) for e in ours.edits]
        assert found == theirs, (gold, predicted)
    return len(pairs)


def time_programs(units: Sequence[str], low: int, high: int, count: int) -> dict[str, float]:
    """Best microseconds per pair by program. Every program has pairs of its own in every round."""
    rng = random.Random(high)
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, run in programs().items():
            pairs = make_pairs(units, low, high, count, rng)
            start = time.perf_counter()
            run(pairs)
            spent = (time.perf_counter() - start) / count * 1e6
            best[name] = min(best.get(name, spent), spent)
    return best


def print_side_by_side() -> None:
    """Microseconds per pair of every program, and how many times the semcer package's time ours goes into."""
    names = list(programs())
    print("| text | " + " | ".join(f"{name} (µs)" for name in names) + " | ours : semcer, pair by pair | as a stream |")
    print("|---" * (len(names) + 3) + "|")
    for language, units in (("English", ENGLISH), ("Bengali", BENGALI)):
        for size, low, high, count in SIZES:
            best = time_programs(units, low, high, count)
            ratios = [best["semcer"] / best[f"verbatim, {how}"] for how in ("pair by pair", "as a stream")]
            cells = [f"{best[name]:,.1f}" for name in names] + [f"**{ratio:.0f} x**" for ratio in ratios]
            print(f"| {language}, {size} | " + " | ".join(cells) + " |")


def print_large() -> None:
    """Many short pairs and huge ones: seconds and the process's peak memory, each in a process of its own."""
    print("\n| what | seconds | of them on a processor | peak memory of the process (MiB) |\n|---|---|---|---|")
    for name in LARGE:
        done = subprocess.run([sys.executable, __file__, "--only", name], capture_output=True, text=True, check=True)
        print(done.stdout.strip())


def short_pairs(count: int) -> list[Pair]:
    """Word pairs: half of them equal, as from a recogniser of middling quality."""
    rng = random.Random(1)
    wrong = make_pairs(ENGLISH, 3, 10, count // 2, rng, rate=0.25)
    right = [(gold, gold) for gold, _ in make_pairs(ENGLISH, 3, 10, count - len(wrong), rng)]
    return wrong + right


def scored(pairs: list[Pair]) -> object:
    """Counts and flags of every pair, as reports use them."""
    return score_pairs([gold for gold, _ in pairs], [predicted for _, predicted in pairs])


def huge(gold: int, predicted: int) -> Callable[[], object]:
    """One pair of unrelated texts of these lengths."""
    rng = random.Random(gold)
    sides = ["".join(rng.choices(ENGLISH, k=size)) for size in (gold, predicted)]
    return lambda: align_texts(*sides)


LARGE: dict[str, Callable[[], Callable[[], object]]] = {
    "align 100,000 short pairs": lambda: (lambda pairs: lambda: sum(1 for _ in align_many(pairs)))(
        short_pairs(100_000)
    ),
    "align 1,000,000 short pairs": lambda: (lambda pairs: lambda: sum(1 for _ in align_many(pairs)))(
        short_pairs(1_000_000)
    ),
    "score 100,000 short pairs": lambda: (lambda pairs: lambda: scored(pairs))(short_pairs(100_000)),
    "score 1,000,000 short pairs": lambda: (lambda pairs: lambda: scored(pairs))(short_pairs(1_000_000)),
    "gold of 20 clusters, output of 20,000": lambda: huge(20, 20_000),
    "gold of 20,000 clusters, output of 20": lambda: huge(20_000, 20),
    "both of 20,000 clusters, unrelated": lambda: huge(20_000, 20_000),
}


def print_one(name: str) -> None:
    """Time one of `LARGE` in this process."""
    run = LARGE[name]()
    start, worked = time.perf_counter(), time.process_time()
    run()
    spent, worked = time.perf_counter() - start, time.process_time() - worked
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    print(f"| {name} | {spent:.2f} | {worked:.2f} | {peak / 1024:.0f} |")


def main() -> None:
    """Parse, check, time, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", choices=list(LARGE))
    chosen = parser.parse_args()
    if chosen.only:
        print_one(chosen.only)
        return
    packages = []
    for name in ("semcer", "rapidfuzz", "jiwer", "dinglehopper", "numba", "regex"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"{name} not installed")
    print(f"Python {sys.version.split()[0]}, {', '.join(packages)}; alignment version {alignment_version()}\n")
    rng = random.Random(0)
    pairs = [pair for units in (ENGLISH, BENGALI) for pair in make_pairs(units, 0, 40, 2000, rng, rate=0.3)]
    print(f"Edits equal to the semcer package's, one for one: {check_edits(pairs)} of {len(pairs)} pairs.\n")
    BulkSteps(rows_before_loading=0).steps([(list("a" * 40), list("b" * 41))])
    print_side_by_side()
    if chosen.large:
        print_large()


if __name__ == "__main__":
    main()
