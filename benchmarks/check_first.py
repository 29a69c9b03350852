"""The list of what to check first at N edits: opening it, far pages, marking an edit, hiding what is marked, export.

python benchmarks/check_first.py 1000000 [FOLDER]
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
SYSTEMS, EDITS_A_LINE = 5, 2
LINE = "the harbour office opens at nine on every working day"


def build(folder: Path, edits: int) -> None:
    """Lines with two wrong letters each, read by five systems, and a provider whose severities are drawn by seed."""
    from annotator.store.project import open_project
    from annotator.text.align import alignment_version

    rng = random.Random(0)
    project = open_project(folder, create=True)
    items = edits // (SYSTEMS * EDITS_A_LINE)
    version, length = alignment_version(), len(LINE)
    with project.write() as connection:
        connection.executemany(
            "INSERT INTO item (item_key, id, gold, language, benchmark, changed_revision) VALUES (?, ?, ?, 'en', ?, 1)",
            ((k, f"line-{k}", LINE, f"b{k % 4}") for k in range(1, items + 1)),
        )
        provider = connection.execute(
            "INSERT INTO provider (name, kind, version, at) VALUES ('drawn', 'imported', '1', 1)"
        ).lastrowid
        for system in range(1, SYSTEMS + 1):
            connection.execute("INSERT INTO system (system_key, name) VALUES (?, ?)", (system, f"s{system}"))
            connection.execute(
                "INSERT INTO run (run_key, system_key, condition, changed_revision) VALUES (?, ?, 'default', 1)",
                (system, system),
            )
            rows = list(_answers(rng, items, (system - 1) * items))
            connection.executemany(
                "INSERT INTO prediction (prediction_key, run_key, item_key, predicted, alignment_version, matches, "
                "substitutions, deletions, insertions, gold_length, predicted_length) VALUES (?, ?, ?, ?, ?, ?, 2, 0, 0, ?, ?)",
                ((key, system, item, text, version, length - 2, length, length) for key, item, text, _ in rows),
            )
            places = [(key, n, at, text[at]) for key, _, text, found in rows for n, at in enumerate(found)]
            connection.executemany(
                "INSERT INTO edit VALUES (?, ?, 'sub', ?, ?, ?, ?)",
                ((key, n, at, at, LINE[at], said) for key, n, at, said in places),
            )
            connection.executemany(
                "INSERT INTO severity (provider_key, prediction_key, ordinal, severity) VALUES (?, ?, ?, ?)",
                ((provider, key, n, rng.random()) for key, n, _, _ in places),
            )


def _answers(rng: random.Random, items: int, first: int) -> Iterator[tuple[int, int, str, list[int]]]:
    for item in range(1, items + 1):
        places = sorted(rng.sample(range(len(LINE)), EDITS_A_LINE))
        text = list(LINE)
        for at in places:
            text[at] = "q" if text[at] != "q" else "k"
        yield first + item, item, "".join(text), places


def seconds(work: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """The first time and the median of the others."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return took[0], statistics.median(took[1:]) if times > 1 else took[0]


def main() -> None:
    """Print a Markdown table."""
    edits = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(name) / "p"
        if not folder.exists():
            build(folder, edits)
        measure(folder, edits)


def measure(folder: Path, edits: int) -> None:
    """Time what the page and the command do."""
    from annotator.analyses.severity.checking import check_first, edit_order, mark_edit
    from annotator.exports.checklist import checklist_table
    from annotator.exports.writing import write_table
    from annotator.records import Query
    from annotator.store.project import open_project

    project, query = open_project(folder), Query()
    order = edit_order(project, query, "drawn")
    page = check_first(project, query, "drawn", 0, 10, False, order)

    def at(offset: int, hide: bool = False, query: Query = query) -> Callable[[], object]:
        return lambda: check_first(project, query, "drawn", offset, 10, hide, order)

    marks = iter(range(1_000_000))

    def mark() -> None:
        edit = page.edits[next(marks) % len(page.edits)]
        mark_edit(project, edit.prediction_key, edit.ordinal, "done")

    rows = {
        "order of all edits (once a state of the charges)": seconds(lambda: edit_order(project, query, "drawn"), 3),
        "page 1": seconds(at(0)),
        "page 100": seconds(at(990)),
        "page 10,000": seconds(at(99_990)),
        "the last page": seconds(at(edits - 10), 3),
        "mark an edit": seconds(mark),
        "page 1 with marked edits hidden": seconds(at(0, True)),
        "page 1 of one benchmark": seconds(at(0, query=Query(benchmark="b2"))),
        "page 1 of one system": seconds(at(0, query=Query(systems=("s5",)))),
    }
    print(f"| check first, {page.total_edits:,} edits | first (s) | again (s) |\n|---|---|---|")
    for what, (first, again) in rows.items():
        print(f"| {what} | {first:.3f} | {again:.3f} |", flush=True)
    start = time.perf_counter()
    write_table(project, checklist_table(project, query, "drawn"), folder / "list.csv")
    print(f"| export as CSV | {time.perf_counter() - start:.1f} | |")
    size = (folder / "verbatim.db").stat().st_size / 1e6
    print(
        f"| database {size:,.0f} MB, peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB | | |"
    )


if __name__ == "__main__":
    main()
