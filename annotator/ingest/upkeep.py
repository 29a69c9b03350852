"""Health of a project and its repair: check, realign, backup."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotator.errors import UsageError
from annotator.ingest.itemimages import Progress, look_at
from annotator.ingest.realign import realign_keys, realign_stale
from annotator.store.imports import set_key
from annotator.store.items import update_image_problems
from annotator.store.project import Project, read_revision
from annotator.store.upkeep import (
    broken_alignments,
    copy_database,
    database_of,
    integrity_faults,
    iter_images,
    stale_alignments,
)
from annotator.text.align import alignment_version
from annotator.wholefile import whole_file

_FOLDERS = ("images", "conditions")


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault of a project: how many rows, in words, and the command that repairs it (empty: none does)."""

    kind: str
    count: int
    words: str
    repair: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """What a check found. `known_image_problems` counts images that the imports already named: no news."""

    faults: tuple[Fault, ...]
    known_image_problems: int
    project_revision: int

    def document(self) -> dict[str, Any]:
        """The `--json` document."""
        return {
            "problems": [asdict(fault) for fault in self.faults],
            "known_image_problems": self.known_image_problems,
            "project_revision": self.project_revision,
            "alignment_version": alignment_version(),
        }


def check_project(project: Project, progress: Progress | None = None) -> Health:
    """Look for a damaged database, stale or broken alignments, and images that were there at import and are no more."""
    version = alignment_version()
    with project.read() as connection:
        revision = read_revision(connection)
        damage = integrity_faults(connection)
        stale = stale_alignments(connection, version)
        broken = broken_alignments(connection)
        images = list(iter_images(connection))
    faults = []
    if damage:
        faults.append(Fault("database", len(damage), f"the database is damaged: {damage[0]}", "restore a backup"))
    if stale:
        words = f"{stale:,} predictions aligned by another version than {version}"
        faults.append(Fault("stale-alignment", stale, words, "annotator realign"))
    if broken:
        words = f"{len(broken):,} predictions whose counts and edits disagree"
        faults.append(Fault("broken-alignment", len(broken), words, "annotator realign"))
    lost = _lost_images(project.folder, images, progress)
    if lost:
        words = f"{len(lost):,} images cannot be shown any more (first: item {lost[0][1]}: {lost[0][2]})"
        faults.append(Fault("image", len(lost), words, "put the files back, or import the items again"))
    return Health(tuple(faults), sum(1 for row in images if row[4]), revision)


def _lost_images(
    folder: Path, images: list[tuple[int, str, str, str, str]], progress: Progress | None
) -> list[tuple[int, str, str]]:
    lost = []
    for done, (key, item, image, root, known) in enumerate(images):
        if progress is not None and done % 256 == 0:
            progress("images", done, len(images))
        if not known:
            found = look_at(folder / root, image).problem
            if found:
                lost.append((key, item, found))
    return lost


@dataclass(frozen=True, slots=True)
class Repaired:
    """Rows that were repaired."""

    realigned: int
    images: int
    project_revision: int


def realign_project(project: Project) -> Repaired:
    """Align anew what another version aligned or what disagrees with its edits, and look again at images."""
    version = alignment_version()
    with project.read() as connection:
        revision = read_revision(connection)
        stale = stale_alignments(connection, version)
        broken = broken_alignments(connection)
        images = [
            (key, problem)
            for key, _, image, root, known in iter_images(connection)
            if (problem := look_at(project.folder / root, image).problem) != known
        ]
    if not (stale or broken or images):
        return Repaired(0, 0, revision)
    with project.write() as connection:
        revision = read_revision(connection)
        done = realign_keys(connection, broken, revision) + realign_stale(connection, revision)
        update_image_problems(connection, images)
        set_key(connection, "alignment_version", version)
    return Repaired(done, len(images), revision)


def backup_project(project: Project, target: Path) -> int:
    """Write a consistent copy of the database to `target`; returns its bytes. Images are not in it.

    Raises `UsageError` when `target` exists or cannot be written.
    """
    if target.exists():
        raise UsageError(f"{target} exists already: give the backup a new name")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as part:
            copy_database(project, part)
            if target.exists():
                raise UsageError(f"{target} exists already: give the backup a new name")
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}; expected a folder that can be written") from error
    return target.stat().st_size


def copy_project(project: Project, folder: Path) -> Path:
    """Copy a project with the images that lie in it, consistently and while it is in use.

    Raises `UsageError` when there is a project in `folder` already, or it cannot be written.
    """
    database = database_of(folder)
    if database.exists():
        raise UsageError(f"{folder} holds a project already: give a new folder")
    backup_project(project, database)
    for name in _FOLDERS:
        if (project.folder / name).is_dir():
            shutil.copytree(project.folder / name, folder / name, dirs_exist_ok=True)
    return folder
