"""How long a rater waits at most for a task and its answer to be stored while N rows are imported, realigned or backed up.

python benchmarks/waiting.py 100000
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def write_files(folder: Path, rows: int) -> None:
    """Items with words of two syllables, and two systems that err in every third."""
    golds = [f"word{k % 9973}" for k in range(rows)]
    (folder / "items.tsv").write_text(
        "id\tgold\n" + "".join(f"{k}\t{g}\n" for k, g in enumerate(golds)), encoding="utf-8"
    )
    for name, wrong in (("one", "x"), ("two", "yz")):
        lines = (f"{k}\t{g if k % 3 else g[:-1] + wrong}\n" for k, g in enumerate(golds))
        (folder / f"{name}.tsv").write_text("id\tpredicted\n" + "".join(lines), encoding="utf-8")


class Rater(threading.Thread):
    """Answers one task after another until `stop`, and keeps the longest time of a turn."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        from annotator.store.project import open_project
        from tests.studies.builders import seat

        self.project = open_project(folder)
        self.rater, self.longest, self.answers, self.stop = seat(self.project), 0.0, 0, False

    def run(self) -> None:
        """Rate."""
        from annotator.store.study_records import Answer
        from annotator.studies.work import current_desk, give_answer, new_event

        while not self.stop:
            start = time.perf_counter()
            task = current_desk(self.project, self.rater).task
            if task is None:
                return
            give_answer(self.project, self.rater, Answer(new_event(), task.task_key, task.repeat, value="2"))
            self.longest = max(self.longest, time.perf_counter() - start)
            self.answers += 1
            time.sleep(0.02)


def annotator(*arguments: str) -> None:
    """One command, in a process of its own."""
    subprocess.run([sys.executable, "-m", "annotator", *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Print a Markdown table."""
    from annotator.store.project import open_project
    from tests.studies.builders import open_study

    rows = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, rows)
        where = ("--project", str(folder / "p"))
        annotator("import", "items", str(folder / "items.tsv"), *where)
        annotator("import", "predictions", str(folder / "one.tsv"), "--system", "one", *where)
        open_study(open_project(folder / "p"), size=5000)
        acts = {
            "import items again, every gold changed": (
                "import",
                "items",
                str(folder / "changed.tsv"),
                "--replace",
                *where,
            ),
            "import predictions": ("import", "predictions", str(folder / "two.tsv"), "--system", "two", *where),
            "realign": ("realign", *where),
            "backup": ("backup", str(folder / "b.db"), *where),
        }
        text = (folder / "items.tsv").read_text(encoding="utf-8")
        (folder / "changed.tsv").write_text(text.replace("word", "ward"), encoding="utf-8")
        print(f"| {rows:,} rows | took (s) | answers meanwhile | longest turn (s) |\n|---|---|---|---|")
        for act, command in acts.items():
            if act == "realign":
                with open_project(folder / "p").write() as connection:
                    connection.execute("UPDATE prediction SET alignment_version = 'old'")
            rater = Rater(folder / "p")
            rater.start()
            start = time.perf_counter()
            annotator(*command)
            took = time.perf_counter() - start
            rater.stop = True
            rater.join()
            print(f"| {act} | {took:.1f} | {rater.answers} | {rater.longest:.2f} |", flush=True)


if __name__ == "__main__":
    main()
