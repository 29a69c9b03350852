"""A process killed with SIGKILL in the middle of rating: what it had acknowledged is there, once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from annotator.store.project import Project, open_project
from tests.conftest import ROOT
from tests.studies.builders import open_study, seat, text_project

_RATE = """
import sys
from pathlib import Path
from annotator.store.project import open_project
from annotator.studies.work import current_desk, give_answer, new_event
from annotator.store.study_records import Answer
project, rater = open_project(Path(sys.argv[1])), int(sys.argv[2])
while True:
    task = current_desk(project, rater).task
    if task is None:
        break
    event = new_event()
    if give_answer(project, rater, Answer(event, task.task_key, task.repeat, "2")).outcome == "stored":
        print(event, flush=True)
"""


def rate_and_kill(project: Project, rater: int, least: int) -> list[str]:
    """Run a rating process until it has acknowledged `least` answers, kill it, and return what it acknowledged."""
    process = subprocess.Popen(
        [sys.executable, "-c", _RATE, str(project.folder), str(rater)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip() for _answer in range(least)]
    time.sleep(0.003)
    process.kill()
    rest = process.stdout.read().split()
    process.wait()
    process.stdout.close()
    return [event for event in (*acknowledged, *rest) if len(event) == 32]


def check_rounds(folder: Path, rounds: int) -> None:
    project = text_project(folder, items=40)
    open_study(project, overlap=rounds)
    acknowledged = [event for _round in range(rounds) for event in rate_and_kill(project, seat(project), 5)]
    again = open_project(project.folder)
    with again.read() as connection:
        stored = Counter(row[0] for row in connection.execute("SELECT event FROM rating_event"))
        ratings = connection.execute("SELECT count(*) FROM rating").fetchone()[0]
        taken = connection.execute("SELECT sum(taken) FROM task").fetchone()[0]
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert set(acknowledged) <= set(stored)
    assert max(stored.values()) == 1
    # At most one answer a round was stored and killed before it could say so.
    assert len(acknowledged) <= sum(stored.values()) == ratings == taken <= len(acknowledged) + rounds


def test_killed_twice(tmp_path: Path) -> None:
    check_rounds(tmp_path, 2)


@pytest.mark.stress
def test_killed_fifty_times(tmp_path: Path) -> None:
    check_rounds(tmp_path, 50)
