"""How long the stratified report takes: first time, in a new process with stored tables, and unchanged; and one cell.

    python benchmarks/strata.py [--language en] [--items 7248] [--systems 10] [--seed 0]

The project is made of words of wordfreq's list (lines of two to eight of its words for `zh`), read by systems that slip more often on
long ones, and imported before the clock starts. Each report runs in a process of its own: seconds on the clock, and of the processor,
which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from annotator.analyses.strata import cell_items  # noqa: E402
from annotator.ingest.items import import_items  # noqa: E402
from annotator.ingest.predictions import import_predictions  # noqa: E402
from annotator.records import Cell, Query  # noqa: E402
from annotator.store.project import Project, open_project  # noqa: E402


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the clock and of the processor."""

    clock: float
    processor: float


def make_golds(language: str, items: int, rng: random.Random) -> list[str]:
    """Words drawn evenly over the logarithm of their rank, so that every quintile is filled."""
    from wordfreq import iter_wordlist

    words = [word for word in iter_wordlist(language) if word.isalpha()]
    drawn = [words[int(len(words) ** rng.random()) - 1] for _ in range(items * (5 if language == "zh" else 1))]
    if language != "zh":
        return drawn
    return ["".join(drawn[5 * k : 5 * k + rng.randint(2, 5)]) for k in range(items)]


def slip(gold: str, rng: random.Random) -> str:
    """Lose or change a letter, the likelier the longer gold is."""
    if rng.random() > 0.05 + 0.03 * len(gold):
        return gold
    at = rng.randrange(len(gold))
    return gold[:at] + rng.choice(["", rng.choice(gold)]) + gold[at + 1 :]


def build(folder: Path, language: str, items: int, systems: int, seed: int) -> Project:
    """Write the files and import them."""
    rng = random.Random(seed)
    golds = make_golds(language, items, rng)
    project = open_project(folder / "project", create=True)
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = [[f"i{k}", gold, f"set{k % 6}", language] for k, gold in enumerate(golds)]
        csv.writer(stream).writerows([["id", "gold", "benchmark", "language"], *rows])
    import_items(project, folder / "items.csv")
    with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "predicted", "system"])
        for system in range(systems):
            writer.writerows([f"i{k}", slip(gold, rng), f"system{system:02}"] for k, gold in enumerate(golds))
    import_predictions(project, folder / "answers.csv")
    return project


def report(project: Project, *options: str) -> Spent:
    """One report in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "annotator",
        "report",
        "strata",
        "--json",
        "--project",
        str(project.folder),
        *options,
    ]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(time.perf_counter() - start, processor)


def cell_click(project: Project) -> Spent:
    """The failures of the corner, fifty of them: what a click on a cell asks for. The median of nine."""
    spent = []
    for _ in range(9):
        start, busy = time.perf_counter(), time.process_time()
        cell_items(project, Query(), "system00", "default", Cell(5, 5))
        spent.append(Spent(time.perf_counter() - start, time.process_time() - busy))
    return sorted(spent, key=lambda one: one.clock)[4]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", default="en")
    parser.add_argument("--items", type=int, default=7_248)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = build(Path(folder), asked.language, asked.items, asked.systems, asked.seed)
        spent = {
            "first report": report(project),
            "another seed, stored tables": report(project, "--seed", "1"),
            "unchanged, new process": report(project),
            "cell to items, in process": cell_click(project),
        }
    print(
        f"{asked.language}, {asked.items:,} items x {asked.systems} systems, Python {platform.python_version()}, ",
        end="",
    )
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name, one in spent.items():
        print(f"  {name:30} {one.clock:7.3f} s on the clock  {one.processor:7.3f} s of the processor")


if __name__ == "__main__":
    main()
