"""No image path leaves its root."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.images.paths import inside


@pytest.mark.parametrize(
    "path",
    ["../a.png", "/etc/hostname", "x/../../a.png", "C:\\a.png", "..\\a.png", "\\\\host\\a.png", "~/a.png",
     "file:///a.png", "http://host/a.png", "a\0.png", "", ".", "images/../../a"],
)  # fmt: skip
def test_paths_that_leave_give_nothing(tmp_path: Path, path: str) -> None:
    assert inside(tmp_path, path) is None


@pytest.mark.parametrize("path", ["a.png", "images/ok.jpg", "./a.png", "a b/ক.png", "..a.png"])
def test_paths_below_the_root(tmp_path: Path, path: str) -> None:
    found = inside(tmp_path, path)
    assert found is not None
    assert found.is_relative_to(tmp_path.resolve())


def test_a_link_out_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(b"x")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link.png").symlink_to(outside)
    assert inside(root, "link.png") is None
