"""Image paths that never leave their root."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath


def inside(root: Path, relative: str) -> Path | None:
    """The file at `relative` below `root`, or `None` when the path leaves the root.

    Absolute paths, drive letters, backslashes that climb, `..`, `~`, URLs, NUL and links that lead out all give `None`.
    The file need not exist: the answer never tells whether something outside does.
    """
    if not relative or "\0" in relative or "://" in relative or relative.startswith("~"):
        return None
    windows = PureWindowsPath(relative)
    if windows.drive or windows.root or ".." in windows.parts or PurePosixPath(relative).is_absolute():
        return None
    base = root.resolve()
    try:
        target = (base / relative).resolve()
    except (OSError, RuntimeError):
        return None
    return target if target.is_relative_to(base) and target != base else None
