"""A project of N items x S systems: import, every main report twice in new processes, and a cell's failures.

python benchmarks/scale.py 100000 10
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
REPORTS = (
    ["scores"],
    ["strata"],
    ["outcomes"],
    ["taxonomy"],
    ["severity", "--limit", "20"],
    ["confusions"],
    ["compare", "s0", "s1"],
)


def write_files(folder: Path, items: int, systems: int) -> None:
    """Words of wordfreq's English list as golds, Zipf distributed over five benchmarks; systems wrong in 5 to 40 %."""
    from wordfreq import top_n_list

    words = [word for word in top_n_list("en", 60_000) if word.isalpha() and word.isascii()]
    rng = random.Random(0)
    golds = [words[min(int(rng.paretovariate(0.5)), len(words)) - 1] for _ in range(items)]
    with (folder / "items.tsv").open("w", encoding="utf-8") as out:
        out.write("id\tbenchmark\tlanguage\tgold\n")
        out.writelines(f"{k}\tb{k % 5}\ten\t{gold}\n" for k, gold in enumerate(golds))
    for system in range(systems):
        with (folder / f"s{system}.tsv").open("w", encoding="utf-8") as out:
            out.write("id\tsystem\tpredicted\n")
            for k, gold in enumerate(golds):
                text = list(gold)
                if rng.random() < 0.05 + 0.035 * system:
                    text[rng.randrange(len(text))] = rng.choice("abcdefghijklmnopqrstuvwxyz")
                out.write(f"{k}\ts{system}\t{''.join(text)}\n")


def run(arguments: list[str]) -> float:
    """Seconds of one command in a new process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "annotator", *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def clicks(project: Path) -> float:
    """The median of 15 reads of a cell's first failures, in one process."""
    from annotator.analyses.strata.cells import cell_items
    from annotator.records import Cell, Query
    from annotator.store.project import open_project

    opened, times = open_project(project), []
    for k in range(16):
        start = time.perf_counter()
        cell_items(opened, Query(), f"s{k % 3}", "default", Cell(5, 5 - k % 2), "wrong", 0, 24)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def main() -> None:
    """Print a Markdown table."""
    items, systems = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, items, systems)
        where = ["--project", str(folder / "p")]
        print(f"| {items:,} items x {systems} systems | first (s) | again, new process (s) |\n|---|---|---|")
        print(f"| import items | {run(['import', 'items', str(folder / 'items.tsv'), *where]):.1f} | |", flush=True)
        took = [run(["import", "predictions", str(folder / f"s{k}.tsv"), *where]) for k in range(systems)]
        print(f"| import predictions | {sum(took):.1f} | |", flush=True)
        for report in REPORTS:
            first, again = (run(["report", *report, "--json", *where]) for _ in range(2))
            print(f"| report {report[0]} | {first:.1f} | {again:.2f} |", flush=True)
        print(f"| a cell's failures, in one process | | {clicks(folder / 'p'):.3f} |")
        size = (folder / "p" / "verbatim.db").stat().st_size / 1e6
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"| database {size:,.0f} MB, largest command {peak:,.0f} MiB | | |")


if __name__ == "__main__":
    main()
