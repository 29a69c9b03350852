"""Import of N short items and predictions, in one process each: seconds of processor, seconds of wall, peak memory.

python benchmarks/import_rows.py 100000 1000000
"""

from __future__ import annotations

import random
import resource
import string
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def write_files(folder: Path, rows: int) -> None:
    """Items of 4 to 12 characters, and predictions of which two in five differ, from one seed."""
    rng = random.Random(0)
    words = ["".join(rng.choices(string.ascii_letters + string.digits, k=rng.randint(3, 10))) for _ in range(20_000)]
    with (folder / "items.tsv").open("w") as items, (folder / "predictions.tsv").open("w") as predictions:
        items.write("id\tgold\n")
        predictions.write("id\tpredicted\tsystem\tconfidence\n")
        for number in range(rows):
            gold = rng.choice(words) + str(number % 97)
            predicted = list(gold)
            if rng.random() < 0.4:
                at = rng.randrange(len(predicted))
                predicted[at] = rng.choice("abcdef")
                if rng.random() < 0.3:
                    predicted.insert(at, "x")
            items.write(f"item{number:07d}\t{gold}\n")
            predictions.write(f"item{number:07d}\t{''.join(predicted)}\tsystem\t0.9{number % 10}\n")


def measure(folder: Path, kind: str) -> str:
    """Run one import and say what it took."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-m", "annotator", "import", kind, f"{folder}/{kind}.tsv", "--project", f"{folder}/p"]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{seconds:7.1f} s processor {time.monotonic() - began:7.1f} s wall {after.ru_maxrss / 1e6:6.2f} GB peak"


def main() -> None:
    """Measure every size that is given."""
    for rows in [int(text) for text in sys.argv[1:]] or [100_000]:
        with tempfile.TemporaryDirectory() as name:
            write_files(Path(name), rows)
            for kind in ("items", "predictions"):
                print(f"{rows:>9,} {kind:<12} {measure(Path(name), kind)}")


if __name__ == "__main__":
    main()
