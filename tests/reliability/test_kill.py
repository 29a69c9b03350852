"""SIGKILL at random moments: the project opens and holds the old or the new state, and every acknowledged rating."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.ingest.upkeep import check_project
from annotator.store.project import DATABASE, Project, open_project
from tests.reliability.child import BACKUP, BUNDLE, TABLE
from tests.reliability.harness import (
    OVERLAP,
    Ended,
    Rounds,
    act,
    build_workplace,
    content,
    copied,
    kill_in_rounds,
    make_stale,
)

FEW, MANY = 3, 50
ACTS = ("import-items", "import-predictions", "realign", "backup", "export")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_workplace(tmp_path_factory.mktemp("kill") / "work", items=400).parent


@pytest.fixture(scope="module")
def stale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = build_workplace(tmp_path_factory.mktemp("kill") / "stale", items=400)
    make_stale(open_project(folder))
    return folder.parent


def look_at_nothing(project: Project, ended: Ended, is_new: bool) -> None:
    """The state of the database says it all."""


def look_at_images(project: Project, ended: Ended, is_new: bool) -> None:
    """An image is in the project whole or not at all, and all are when their items are."""
    copies = sorted((project.folder / "images").glob("*.png"))
    for copy in copies:
        assert copy.read_bytes() == (project.folder.parent / "pictures" / copy.name).read_bytes()
    assert not is_new or len(copies) == 12


def look_at_backup(project: Project, ended: Ended, is_new: bool) -> None:
    """There is no backup, or a whole one that opens as a project."""
    found = project.folder.parent / BACKUP
    assert found.exists() or ended.killed
    if found.exists():
        restored = project.folder.parent / "restored"
        restored.mkdir()
        found.rename(restored / DATABASE)
        assert check_project(open_project(restored)).faults == ()
        assert content(open_project(restored)) == content(project)


def look_at_export(project: Project, ended: Ended, is_new: bool) -> None:
    """A file that is there is whole, and the description beside it is its own."""
    table, bundle = project.folder.parent / TABLE, project.folder.parent / BUNDLE
    if (meta := table.with_name(f"{TABLE}.meta.json")).exists():
        with table.open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == json.loads(meta.read_text(encoding="utf-8"))["rows"]
    if bundle.exists():
        with zipfile.ZipFile(bundle) as whole:
            assert whole.testzip() is None
            assert "meta.json" in whole.namelist()


LOOK: dict[str, Callable[[Project, Ended, bool], None]] = {
    "import-items": look_at_images,
    "backup": look_at_backup,
    "export": look_at_export,
}


def kill_act(name: str, workplace: Path, stale: Path, passing: Path, rounds: int) -> Rounds:
    return kill_in_rounds(
        name, stale if name == "realign" else workplace, passing, rounds, LOOK.get(name, look_at_nothing)
    )


def kill_raters(workplace: Path, passing: Path, rounds: int) -> int:
    """Kill a rater's process again and again on one project; returns the answers that were acknowledged."""
    acknowledged: list[str] = []
    with copied(workplace, passing / "place") as folder:
        for number in range(rounds):
            ended = act("rate", folder, 0.02 + 0.11 * (number % 7))
            assert ended.killed, "the pool is used up"
            acknowledged.extend(ended.said)
            project = open_project(folder)
            assert check_project(project).faults == ()
            with project.read() as connection:
                events = [row[0] for row in connection.execute("SELECT event FROM rating_event")]
                ratings = connection.execute("SELECT count(*) FROM rating").fetchone()[0]
                taken = connection.execute("SELECT sum(taken), max(taken) FROM task").fetchone()
            assert len(events) == len(set(events)) == ratings == taken[0]
            assert set(acknowledged) <= set(events)
            assert len(events) - len(acknowledged) <= number + 1, "each kill cuts off at most one acknowledgement"
            assert taken[1] <= OVERLAP
    return len(acknowledged)


@pytest.mark.parametrize("name", ACTS)
def test_a_kill_leaves_the_old_state_or_the_new(name: str, workplace: Path, stale: Path, tmp_path: Path) -> None:
    rounds = kill_act(name, workplace, stale, tmp_path, FEW)
    assert rounds.kills >= 1


def test_a_kill_loses_no_acknowledged_rating(workplace: Path, tmp_path: Path) -> None:
    assert kill_raters(workplace, tmp_path, FEW) > 0


@pytest.mark.stress
@pytest.mark.parametrize("name", ACTS)
def test_fifty_kills(name: str, workplace: Path, stale: Path, tmp_path: Path) -> None:
    rounds = kill_act(name, workplace, stale, tmp_path, MANY)
    print(f"{name}: {rounds}")
    assert rounds.kills >= MANY // 2


@pytest.mark.stress
def test_fifty_kills_of_raters(workplace: Path, tmp_path: Path) -> None:
    acknowledged = kill_raters(workplace, tmp_path, MANY)
    print(f"rate: {acknowledged} acknowledged answers, all there")
    assert acknowledged > MANY
