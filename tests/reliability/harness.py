"""Kill a real process at a random moment, and look at what it leaves."""

from __future__ import annotations

import hashlib
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from pickle import UnpicklingError

from PIL import Image

from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.options import ImportOptions
from annotator.ingest.upkeep import Fault, check_project
from annotator.store.project import Project, open_project
from annotator.studies.links import invite
from tests.reliability.child import CLOCK, run
from tests.studies.builders import open_study

WAIT_SECONDS, OVERLAP = 120.0, 60
# Charges, counts and reports are stored run by run as something asks for them: an export that is killed leaves some.
COMPUTED = tuple(
    f'INSERT INTO "{table}"'
    for table in ("provider", "severity", "severity_run", "score_block", "error_block", "report_cache")
)
# A server that has imported everything forks the children: real processes, started in milliseconds.
_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.reliability.child"])


def build_workplace(folder: Path, items: int) -> Path:
    """A folder with a project (items, two systems, an open study) and the files that the acts read; returns the project."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True)
    for k in range(12):
        Image.effect_noise((120, 40), 40 + k).save(pictures / f"p{k}.png")
    golds = [f"word number {k:05d} of the shop" for k in range(items)]
    old = "".join(f"i{k},{gold},p{k % 12}.png\n" for k, gold in enumerate(golds))
    (folder / "items.csv").write_text(f"id,gold,image\n{old}", encoding="utf-8")
    (folder / "items-new.csv").write_text("id,gold,image\n" + old.replace("of the", "in a"), encoding="utf-8")
    for name, wrong in (("predictions", "tha"), ("predictions-new", "tho")):
        rows = "".join(f"i{k},{gold.replace('the', wrong)}\n" for k, gold in enumerate(golds))
        (folder / f"{name}.csv").write_text(f"id,predicted\n{rows}", encoding="utf-8")
    project = open_project(folder / "project", create=True, clock=lambda: CLOCK)
    bring(Kind.ITEMS, folder / "items.csv", ImportOptions(images=pictures), lambda: project)
    for system in ("one", "two"):
        bring(Kind.PREDICTIONS, folder / "predictions.csv", ImportOptions(system=system), lambda: project)
    open_study(project, overlap=OVERLAP)
    (folder / "link.txt").write_text(invite(project, "s").study_link.partition("=")[2], encoding="utf-8")
    settle(project)
    return project.folder


def settle(project: Project) -> None:
    """Write the log back, so that the folder can be copied as files."""
    with project.read() as connection:
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_stale(project: Project) -> None:
    """Leave work for `realign`: every alignment of an older version, and lost edits."""
    with project.write() as connection:
        connection.execute("UPDATE prediction SET alignment_version = 'old'")
        connection.execute("DELETE FROM edit WHERE prediction_key % 3 = 0")
    settle(project)


def content(project: Project, *, computed: bool = True) -> str:
    """A digest of every row of the database; without `computed`, of all but what is worked out anew when it is missing."""
    digest = hashlib.sha256()
    with project.read() as connection:
        for line in connection.iterdump():
            if computed or not line.startswith(COMPUTED):
                digest.update(line.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Ended:
    """A child that ended: what it had said after `ready`, whether it was killed, and for how long it had acted."""

    said: tuple[str, ...]
    killed: bool
    seconds: float


def act(name: str, project: Path, kill_after: float = WAIT_SECONDS) -> Ended:
    """Run an act in a process of its own; after `kill_after` seconds of acting it is killed with SIGKILL."""
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    child = _PROCESSES.Process(target=run, args=(name, project, theirs))
    child.start()
    theirs.close()
    assert ours.recv() == "ready"
    start = time.perf_counter()
    child.join(kill_after)
    seconds = time.perf_counter() - start
    child.kill()
    said = tuple(_rest(ours))
    child.join()
    ours.close()
    assert child.exitcode in (0, -signal.SIGKILL), f"{name} failed by itself with {child.exitcode}"
    return Ended(said, child.exitcode != 0, seconds)


def _rest(connection: Connection) -> Iterator[str]:
    """What was sent until the process ended; a message that was cut off counts as not sent."""
    while True:
        try:
            yield connection.recv()
        except (EOFError, OSError, UnpicklingError):
            return


@contextmanager
def copied(workplace: Path, to: Path) -> Iterator[Path]:
    """A copy of a workplace for one round; yields its project's folder."""
    shutil.copytree(workplace, to)
    yield to / "project"
    shutil.rmtree(to)


def _state(folder: Path, computed: bool) -> tuple[str, tuple[Fault, ...]]:
    project = open_project(folder)
    return content(project, computed=computed), check_project(project).faults


@dataclass(frozen=True, slots=True)
class Rounds:
    """How many kills there were, and how many found the old and the new state."""

    kills: int
    old: int
    new: int


def kill_in_rounds(
    name: str, workplace: Path, passing: Path, rounds: int, look: Callable[[Project, Ended, bool], None], seed: int = 0
) -> Rounds:
    """Kill an act at `rounds` random moments of its running time, each on a fresh copy of the workplace.

    After each kill the project opens, has no fault, holds the old or the new state whole, and doing the act again gives
    the new state. `look(project, ended, is_new)` checks what is particular to the act.
    """
    random_moment = random.Random(f"{name}{seed}")
    computed = name != "export"  # which reads what is computed, and stores it as it goes
    before, known = _state(workplace / "project", computed)
    with copied(workplace, passing / "place") as folder:
        whole = act(name, folder)
        after, none = _state(folder, computed)
        assert none == ()
    kills = old = new = 0
    for number in range(rounds):
        with copied(workplace, passing / "place") as folder:
            ended = act(name, folder, random_moment.uniform(0, whole.seconds))
            project = open_project(folder)
            found, faults = _state(folder, computed)
            assert found in (before, after), f"{name}, round {number}: neither the old state nor the new one"
            assert faults == (known if found == before else ())
            kills += ended.killed
            is_new = found == after
            new, old = new + is_new, old + (not is_new)
            look(project, ended, is_new)
            if ended.killed:
                act(name, folder)
                assert _state(folder, computed)[0] == after, "the act cannot be done again after a kill"
    return Rounds(kills, old, new)
