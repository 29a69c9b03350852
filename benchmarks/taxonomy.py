"""How fast predictions are classified, beside aligning the same pairs.

    python benchmarks/taxonomy.py [--pairs 10000] [--seed 0]

Pairs are made from Bengali words with random slips, so that every stage and most rules are reached; none repeats.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotator.metrics.taxonomy import classify_errors
from annotator.text.align import align_texts

_WORDS = """
    নতুন বাজার রাস্তা স্কুল হাসপাতাল উজ্জ্বল শক্তি প্রতিষ্ঠান চাঁদ বাঁশি পাখি দোকান ভাড়া বাড়ি ১২৫ ২০২৪ সরকারি বিদ্যালয়
"""
WORDS = _WORDS.split()
LETTERS = "কখগঘচছজতথদধনণপবভমযরলশষসহািীুূেোঁং্"


def slip(word: str, rng: random.Random) -> str:
    """One code point replaced, lost or added."""
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(["", rng.choice(LETTERS), word[at] + rng.choice(LETTERS)]) + word[at + 1 :]


def make_pairs(n: int, seed: int) -> list[tuple[str, str]]:
    """`n` pairs of two to eight words: one in five words slips, some outputs are cut, foreign or run on."""
    rng = random.Random(seed)
    pairs = []
    for number in range(n):
        gold = [*rng.choices(WORDS, k=rng.randint(2, 8)), str(number)]
        predicted = [slip(word, rng) if rng.random() < 0.2 else word for word in gold]
        if rng.random() < 0.1:
            predicted = rng.choice([predicted[:1], ["sale", "now"], [*gold, "খোলা"], ["".join(gold[:2]), *gold[2:]]])
        pairs.append((" ".join(gold), " ".join(predicted)))
    return pairs


def seconds(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor (what a busy machine does not change as much)."""
    start, busy = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - start, time.process_time() - busy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pairs = make_pairs(options.pairs, options.seed)
    classify_errors("ক", "খ", "bengali")  # reads the table
    events: Counter[str] = Counter()
    classified = seconds(lambda: events.update(e.error_class for pair in pairs for e in classify_errors(*pair)))
    aligned = seconds(lambda: [align_texts(*pair) for pair in pairs])
    print(f"Python {platform.python_version()}, {options.pairs} pairs, seed {options.seed}, {events.total()} events")
    for name, (clock, processor) in (("classify", classified), ("align", aligned)):
        print(f"{name}: {clock:.2f} s, {processor:.2f} s of the processor")
    print(f"ratio {classified[1] / aligned[1]:.1f} in processor seconds")
    print("events by class:", ", ".join(f"{name} {n}" for name, n in events.most_common()))


if __name__ == "__main__":
    main()
