"""A plain folder of images without gold: items whose id is the path without its extension."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotator.errors import Problem
from annotator.images.paths import inside
from annotator.ingest.tables import Table, refused
from annotator.wholefile import whole_file

EXTENSIONS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".jp2"})
COPIED = "images"


def images_below(folder: Path) -> list[str]:
    """Paths of the image files below `folder`, by extension, sorted; hidden files and links that lead out are left out."""
    found = []
    for path in folder.rglob("*"):
        relative = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in EXTENSIONS and not hidden and path.is_file() and inside(folder, relative) is not None:
            found.append(relative)
    return sorted(found)


def folder_table(folder: Path) -> Table:
    """The images of a folder as a table of id and image. Raises `FileError` when there are none."""
    names = images_below(folder)
    if not names:
        found = "a folder without images"
        raise refused(
            folder.name, [Problem(folder.name, None, None, found, f"files ending in {', '.join(sorted(EXTENSIONS))}")]
        )
    rows = [(name[: -len(Path(name).suffix)], name) for name in names]
    return Table(folder.name, ("id", "image"), range(1, len(rows) + 1), rows, False, "")


def copy_images(root: Path, relatives: Iterable[str], folder: Path) -> Iterator[Problem]:
    """Copy images below `root` into `folder/images`; yields a problem for each that would overwrite a different file."""
    target_root = folder / COPIED
    for relative in sorted(set(relatives)):
        source, target = inside(root, relative), inside(target_root, relative)
        if source is None or target is None:
            continue
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(target) as part:
                shutil.copyfile(source, part)
        elif target.read_bytes() != source.read_bytes():
            found = f"another image {relative} is in the project's {COPIED} folder"
            yield Problem(relative, None, "image", found, "one image for each path, or no --copy-images")
