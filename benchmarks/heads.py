"""An autoregressive head against a CTC head over one encoder, trained on the same drawn words, by word rarity and n-gram novelty.

    python benchmarks/heads.py --out FOLDER [--seeds 3] [--crops 30000] [--tests 2000] [--threads 1]

Each seed trains one reader with both heads on wordfreq-en's 20,000 most frequent words (lower case, by their frequency; one in twenty
held out) and reads the same drawn test words: drawn evenly over the logarithm of their rank in the whole list, and one in ten made of
random letters. The readings go into a project with the systems `ctc` and `ar`; every seed is a benchmark of its own, and a word's readings
by all seeds are resampled together. Readers and the project stay in FOLDER: a run that was stopped goes on, the tables are printed again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from annotator.analyses.compare import compare_runs  # noqa: E402
from annotator.analyses.references import open_reference  # noqa: E402
from annotator.analyses.strata.probe import report_probe  # noqa: E402
from annotator.analyses.strata.report import report_strata  # noqa: E402
from annotator.analyses.trainreader import WordChoice, split_words  # noqa: E402
from annotator.images.words import find_faces  # noqa: E402
from annotator.ingest.items import import_items  # noqa: E402
from annotator.ingest.predictions import import_predictions  # noqa: E402
from annotator.models.reader.reading import Head, Reader, Reading  # noqa: E402
from annotator.models.reader.saving import WEIGHTS, load_reader, save_reader  # noqa: E402
from annotator.models.reader.training import Crop, ReaderTraining, draw_crops, train_reader  # noqa: E402
from annotator.records import Cell, Query  # noqa: E402
from annotator.store.project import Project, open_project  # noqa: E402

CHOICE = WordChoice()
SPLIT_SEED = 0  # every seed of training holds out the same words
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CORNER, CENTRE = Cell(5, 5), Cell(3, 3)
RESAMPLES = 5_000


def test_words(names: Sequence[str], size: int, rng: np.random.Generator) -> list[str]:
    """Distinct words of 3 to 14 letters over the whole list, evenly by the logarithm of their rank; a tenth are made up."""
    usable = [word for word in names if 3 <= len(word) <= 14 and set(word) <= set(LETTERS)]
    chosen: dict[str, None] = {}
    while len(chosen) < size - size // 10:
        chosen[usable[int(len(usable) ** rng.random()) - 1]] = None
    while len(chosen) < size:
        chosen["".join(rng.choice(list(LETTERS), int(rng.integers(4, 10))).tolist())] = None
    return list(chosen)


def trained(folder: Path, seed: int, project: Project, faces: Sequence[str], crops: int, threads: int) -> Reader:
    """The reader of a seed: read from `folder`, or trained and kept there."""
    if (folder / WEIGHTS).is_file():
        return load_reader(folder)[0]
    lexicon, _ = split_words(project, CHOICE, SPLIT_SEED)
    how = ReaderTraining(seed=seed, crops=crops, threads=threads, cases=(1.0, 0.0, 0.0))
    clock, processor = time.perf_counter(), time.process_time()

    def tell(done: int, total: int, loss: float) -> None:
        print(f"seed {seed}: {done:,} of {total:,}, loss {loss:.3f}", file=sys.stderr, flush=True)

    reader = train_reader(lexicon, faces, how, progress=tell)
    spent = {"seconds": round(time.perf_counter() - clock), "processor": round(time.process_time() - processor)}
    save_reader(reader, folder, {"seed": seed, "crops": crops, **spent})
    return reader


def write_answers(folder: Path, seed: int, crops: Sequence[Crop], reader: Reader) -> None:
    """Predictions of both heads as JSON lines, and the states of each layer as `.npz`."""
    pixels = [crop.pixels for crop in crops]
    for head in Head:
        readings = reader.read(pixels, head)
        lines = (json.dumps(row) for row in _rows(seed, head, readings))
        (folder / f"answers-{seed}-{head}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        layers = {name: np.stack([reading.hidden[name] for reading in readings]) for name in readings[0].hidden}
        ids = np.array([f"{seed}-{k}" for k in range(len(readings))])
        np.savez(folder / f"states-{seed}-{head}.npz", ids=ids, **layers)


def _rows(seed: int, head: Head, readings: Sequence[Reading]) -> Iterator[dict[str, object]]:
    for k, reading in enumerate(readings):
        extra = {f"attention_{name}": value for name, value in reading.attention.items()}
        row = {"id": f"{seed}-{k}", "predicted": reading.text, "system": head.value, **extra}
        yield row | {"char_confidence": list(reading.char_confidence)}


def build(folder: Path, seeds: int, tests: int, crops: int, threads: int) -> Project:
    """Train, read and import what is not there yet."""
    project = open_project(folder / "project", create=True)
    names = open_reference(project, CHOICE.reference).words.names
    words = test_words(names, tests, np.random.default_rng(17))
    faces = find_faces([LETTERS])
    drawn = draw_crops(words, faces, np.random.default_rng(18))
    rows = [f"{seed}-{k},{word},seed-{seed},w{k},en" for seed in range(seeds) for k, word in enumerate(words)]
    table = folder / "items.csv"
    table.write_text("\n".join(["id,gold,benchmark,document,language", *rows]) + "\n", encoding="utf-8")
    import_items(project, table)
    for seed in range(seeds):
        reader = trained(folder / f"seed-{seed}", seed, project, faces, crops, threads)
        write_answers(folder, seed, drawn, reader)
        for head in Head:
            import_predictions(project, folder / f"answers-{seed}-{head}.jsonl")
    return project


def query(benchmark: str = "") -> Query:
    """One seed's items, or all."""
    return Query(reference=CHOICE.reference, benchmark=benchmark, resamples=RESAMPLES)


def show(folder: Path, project: Project, seeds: int) -> None:
    """The tables, in Markdown."""
    names = ["", *(f"seed-{seed}" for seed in range(seeds))]
    show_grids(project)
    print(
        "\n| items | head | all % | corner % (n) | centre % (n) | gap, points | 95 % |\n|---|---|---|---|---|---|---|"
    )
    for name in names:
        for system in report_strata(project, query(name)).systems:
            gap = system.gap
            print(
                f"| {name or 'all'} | {system.system} | {_percent(system.aggregate.value)} | {_percent(gap.corner)} ({gap.n_corner}) | "
                f"{_percent(gap.centre)} ({gap.n_centre}) | {_percent(gap.value)} | {_points(gap.low, gap.high)} |"
            )
    print(
        "\n| items | cell | n | CTC - AR, points | 95 % | p | verdict | McNemar p |\n|---|---|---|---|---|---|---|---|"
    )
    for name in names:
        for cell in (None, CORNER, CENTRE):
            found = compare_runs(project, query(name), "ctc", "ar", cell).paired
            print(
                f"| {name or 'all'} | {cell or 'all'} | {found.n:,} | {_percent(found.delta)} | {_points(found.low, found.high)} | "
                f"{found.p:.4f} | {found.verdict} | {_mcnemar(name, found.mcnemar_p)} |"
            )
    show_probes(folder, project, seeds)


def show_grids(project: Project) -> None:
    """Accuracy by cell of both heads, and the attention ratio of one along the n-gram axis."""
    for system in report_strata(project, query()).systems:
        print(f"\n{system.system}, accuracy in % (n): rows n-gram quintile 5 to 1, columns word quintile 1 to 5\n")
        print("| | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|")
        for j in range(5, 0, -1):
            cells = [system.grid[Cell(i, j)] for i in range(1, 6)]
            print(f"| {j} | " + " | ".join(f"{_percent(cell.value)} ({cell.n})" for cell in cells) + " |")
    for system in report_strata(project, query(), "attention_ratio").systems:
        along = [f"{cell.value:.3f}" for cell in system.grid.along_ngram() if cell.value is not None]
        if along:
            print(f"\n{system.system}: attention ratio by n-gram quintile, 1 to 5: {', '.join(along)}")


def show_probes(folder: Path, project: Project, seeds: int) -> None:
    """Can each layer tell the corner? One logistic regression a layer and seed."""
    print("\n| seed | layer | AUC | 95 % | balanced accuracy |\n|---|---|---|---|---|")
    for seed in range(seeds):
        for row in report_probe(project, query(), folder / f"states-{seed}-{Head.AR}.npz").rows:
            if row.auc is None:
                print(f"| {seed} | {row.layer} | - | {row.why} | - |")
            else:
                print(
                    f"| {seed} | {row.layer} | {row.auc:.3f} | {row.auc_low:.3f} to {row.auc_high:.3f} | {row.balanced_accuracy:.3f} |"
                )


def _mcnemar(benchmark: str, p: float | None) -> str:
    """McNemar's p of one seed; over all seeds a word's readings are not independent, and there is none."""
    return "-" if p is None or not benchmark else f"{p:.2g}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _points(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{100 * low:+.2f} to {100 * high:+.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--crops", type=int, default=30_000)
    parser.add_argument("--tests", type=int, default=2_000)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    show(given.out, build(given.out, given.seeds, given.tests, given.crops, given.threads), given.seeds)


if __name__ == "__main__":
    main()
