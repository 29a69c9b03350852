"""What a process does that is made to be killed. The clock stands still, so that two runs write the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from annotator.errors import FileError
from annotator.exports.bundle import write_bundle
from annotator.exports.tables import edits_table
from annotator.exports.writing import Format, write_table
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.options import ImportOptions
from annotator.ingest.parquet import read_parquet
from annotator.ingest.sources import source_of
from annotator.ingest.upkeep import backup_project, realign_project
from annotator.records import Query
from annotator.store.project import Project, open_project
from annotator.store.study_records import Answer
from annotator.studies.links import join, take_seat
from annotator.studies.work import current_desk, give_answer

CLOCK = 1_000_000.0
BACKUP, TABLE, BUNDLE = "backup.db", "edits.csv", "bundle.zip"


@dataclass(frozen=True, slots=True)
class Act:
    """A project, the folder around it (files to read, and where files are written), and the way to tell the parent."""

    project: Project
    work: Path
    tell: Callable[[str], None]

    def import_items(self) -> None:
        options = ImportOptions(replace=True, copy_images=True, images=self.work / "pictures")
        bring(Kind.ITEMS, self.work / "items-new.csv", options, lambda: self.project)

    def import_predictions(self) -> None:
        options = ImportOptions(replace=True, system="one")
        bring(Kind.PREDICTIONS, self.work / "predictions-new.csv", options, lambda: self.project)

    def realign(self) -> None:
        realign_project(self.project)

    def backup(self) -> None:
        backup_project(self.project, self.work / BACKUP)

    def export(self) -> None:
        write_table(self.project, edits_table(self.project, Query()), self.work / TABLE, Format.CSV)
        write_bundle(self.project, Query(), self.work / BUNDLE)

    def rate(self) -> None:
        link = (self.work / "link.txt").read_text(encoding="utf-8")
        rater = take_seat(self.project, join(self.project, link)).rater.key
        with self.project.write(raises_revision=False) as connection:
            connection.execute("UPDATE rater SET stage = 'rating' WHERE rater_key = ?", (rater,))
        for turn in range(100_000):
            task = current_desk(self.project, rater).task
            if task is None:
                return
            event = f"{rater}-{turn}"
            if give_answer(self.project, rater, Answer(event, task.task_key, task.repeat, "2")).outcome == "stored":
                self.tell(event)  # acknowledged


ACTS: dict[str, Callable[[Act], None]] = {
    "import-items": Act.import_items,
    "import-predictions": Act.import_predictions,
    "realign": Act.realign,
    "backup": Act.backup,
    "export": Act.export,
    "rate": Act.rate,
}


def run(name: str, folder: Path, parent: Connection) -> None:
    """Open the project, say `ready`, act. `rate` tells the id of each answer as soon as it is acknowledged."""
    act = Act(open_project(folder, clock=lambda: CLOCK), folder.parent, parent.send)
    parent.send("ready")
    ACTS[name](act)


def import_when_told(folder: Path, path: Path, system: str, parent: Connection) -> None:
    """Wait for the start, import, tell the rows and the revision, or the words of the refusal."""
    parent.recv()
    try:
        report = bring(Kind.PREDICTIONS, path, ImportOptions(system=system), lambda: open_project(folder, create=True))
        parent.send(("written", report.written, report.revision))
    except Exception as error:
        parent.send((type(error).__name__, str(error), 0))


def read_bombs(bombs: dict[str, bytes], parent: Connection) -> None:
    """Read every file, and tell how many were refused and the most memory that this process held, in kB."""
    refused = 0
    for name, data in bombs.items():
        try:
            if name.endswith(".gz"):
                source_of(name, data)
            else:
                read_parquet(name, data, "")
        except FileError:
            refused += 1
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    parent.send((refused, next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))))
