"""The conditions page: empty, a preview with its proof, making a batch, what cannot be made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotator.exports.variants import condition_counts
from annotator.store.project import open_project
from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/conditions.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("a", "b"):
        pixels = np.random.default_rng(ord(name)).integers(0, 99, size=(70, 110, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(pictures / f"{name}.png")
    project = build_project(tmp_path / "project", [])
    with project.write() as connection:
        connection.execute("INSERT INTO image_root (root_key, path) VALUES (1, ?)", (str(pictures),))
        for id_, image, height in (("<b>a</b>", "a.png", 30), ("b", "b.png", 30), ("tiny", "b.png", 4)):
            connection.execute(
                "INSERT INTO item (id, gold, image, root_key, box_x, box_y, box_width, box_height, changed_revision) "
                "VALUES (?, 'x', ?, 1, 20, 15, 60, ?, 1)",
                (id_, image, height),
            )
    return project.folder


def test_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "No target to work on yet" in text_of(app)


@pytest.mark.parametrize("kind", ["", "mild", "moderate", "strong", "crop", "patch", "nonsense"])
def test_preview_proves_the_untouched_pixels(open_page: OpenPage, project: Path, kind: str) -> None:
    app = open_page(project, PAGE, tab=kind)
    assert not app.exception
    shown = text_of(app)
    assert "Pixels that must stay" in shown
    assert "<b>a</b>" not in "".join(element.proto.body for element in app.get("html"))
    assert "sha256" in shown


def test_a_box_that_is_too_small_is_said(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="strong", item="tiny")
    assert not app.exception
    assert "item tiny" in text_of(app)
    assert "too small" in text_of(app)


def test_a_batch_is_made_and_counted(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, tab="strong", item="b")
    next(button for button in app.button if button.label.startswith("Make it")).click().run()
    assert not app.exception
    shown = text_of(app)
    assert "2 pictures written" in shown
    assert "Items that could not be made" in shown
    assert condition_counts(open_project(project)) == {"strong": 2}
