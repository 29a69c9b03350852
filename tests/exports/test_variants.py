"""Image conditions of a project: files, manifest, proofs, and what is passed over."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from annotator.cli.main import root
from annotator.errors import InputError, UsageError
from annotator.exports.variants import condition_counts, make_variants, preview_variant
from annotator.images.conditions import ConditionKind
from annotator.records import Query
from annotator.store.detail import image_file
from annotator.store.project import Project
from tests.builders import build_project

BOX = {"box_x": 20, "box_y": 15, "box_width": 60, "box_height": 30}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("a", "b", "c"):
        pixels = np.random.default_rng(ord(name)).integers(0, 99, size=(70, 110, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(pictures / f"{name}.png")
    (pictures / "broken.png").write_bytes(b"\x89PNG nothing")
    items = [
        {"id": "a/../1", "gold": "x", "image": "a.png", "root_key": 1, "benchmark": "one", **BOX},
        {"id": "b", "gold": "y", "image": "b.png", "root_key": 1, "benchmark": "two", **BOX},
        {"id": "tiny", "gold": "y", "image": "c.png", "root_key": 1, **BOX, "box_height": 5},
        {"id": "away", "gold": "y", "image": "c.png", "root_key": 1, **BOX, "box_x": 900},
        {"id": "bad", "gold": "y", "image": "broken.png", "root_key": 1, **BOX},
        {"id": "gone", "gold": "y", "image": "gone.png", "root_key": 1, **BOX},
        {"id": "nobox", "gold": "y", "image": "c.png", "root_key": 1},
    ]
    project = build_project(tmp_path / "p", [])
    with project.write() as connection:
        connection.execute("INSERT INTO image_root (root_key, path) VALUES (1, ?)", (str(pictures),))
        for item in items:
            names = ", ".join((*item, "changed_revision"))
            marks = ", ".join("?" * (len(item) + 1))
            connection.execute(f"INSERT INTO item ({names}) VALUES ({marks})", (*item.values(), 1))
    return project


def test_a_batch_makes_what_can_be_made_and_names_the_rest(project: Project) -> None:
    seen: list[tuple[int, int]] = []
    report = make_variants(
        project, ConditionKind.STRONG, Query(), progress=lambda done, total: seen.append((done, total))
    )
    assert (report.written, report.unchanged, report.without_box, report.without_image) == (2, 0, 1, 1)
    assert {fault.item for fault in report.faults} == {"tiny", "away", "bad"}
    assert all(f"item {fault.item}" in fault.why for fault in report.faults)
    assert seen == [(at, 5) for at in range(1, 6)]
    entry = report.entries[0]
    picture = project.folder / str(entry["file"])
    assert picture.parent == project.folder / "conditions" / "strong"
    assert hashlib.sha256(picture.read_bytes()).hexdigest() == entry["sha256"]
    assert (entry["changed_pixels"], entry["sigma"], entry["inset"]) == (0, 2.4, 4)
    manifest = json.loads((project.folder / report.manifest).read_text(encoding="utf-8"))
    assert [row["item"] for row in manifest["images"]] == ["a/../1", "b"]
    assert manifest["images"][0]["source_sha256"] == entry["source_sha256"]


def test_pictures_are_registered_for_recognition(project: Project) -> None:
    make_variants(project, ConditionKind.GRAY, Query(benchmark="one"))
    with project.read() as connection:
        path = image_file(connection, project.folder, 1, "gray")
        assert image_file(connection, project.folder, 2, "gray") is None
    assert path is not None
    assert np.asarray(Image.open(path))[0, 0].tolist() == [128, 128, 128]
    assert condition_counts(project) == {"gray": 1}


def test_making_again_changes_nothing_and_a_new_source_is_seen(project: Project, tmp_path: Path) -> None:
    make_variants(project, ConditionKind.CROP, Query(benchmark="one"))
    assert make_variants(project, ConditionKind.CROP, Query(benchmark="one")).unchanged == 1
    Image.new("RGB", (110, 70), (9, 9, 9)).save(tmp_path / "pictures" / "a.png")
    again = make_variants(project, ConditionKind.CROP, Query(benchmark="one"))
    assert (again.written, again.unchanged) == (1, 0)
    (project.folder / str(again.entries[0]["file"])).unlink()
    assert make_variants(project, ConditionKind.CROP, Query(benchmark="one")).written == 1


def test_patch_goes_on_another_background(project: Project) -> None:
    report = make_variants(project, ConditionKind.PATCH, Query(), name="on-b", background="b", items=["a/../1"])
    picture = np.asarray(Image.open(project.folder / str(report.entries[0]["file"])))
    with project.read() as connection:
        sources = [image_file(connection, project.folder, key) for key in (1, 2)]
    own, other = (np.asarray(Image.open(path)) for path in sources if path is not None)
    assert np.array_equal(picture[15:45, 20:80], own[15:45, 20:80])
    assert np.array_equal(picture[:15], other[:15])
    assert report.condition == "on-b"


def test_preview_keeps_nothing(project: Project) -> None:
    shown = preview_variant(project, ConditionKind.MILD, "b")
    assert shown.entry["changed_pixels"] == 0
    assert shown.before != shown.after
    assert condition_counts(project) == {}
    with pytest.raises(InputError, match="item tiny"):
        preview_variant(project, ConditionKind.MILD, "tiny")
    with pytest.raises(UsageError, match="no target box"):
        preview_variant(project, ConditionKind.MILD, "nobox")


def test_refusals(project: Project) -> None:
    for name in ("default", "../x", "a b", ".hidden"):
        with pytest.raises(UsageError, match="condition name"):
            make_variants(project, ConditionKind.GRAY, Query(), name=name)
    with pytest.raises(UsageError, match="needs --background"):
        make_variants(project, ConditionKind.PATCH, Query())
    with pytest.raises(UsageError, match="no item 'zz'"):
        make_variants(project, ConditionKind.PATCH, Query(), background="zz")
    with pytest.raises(UsageError, match="no item has the id 'zz'"):
        make_variants(project, ConditionKind.GRAY, Query(), items=["zz"])
    with pytest.raises(UsageError, match="no picture could be made"):
        make_variants(project, ConditionKind.GRAY, Query(), items=["nobox"])


def test_command(project: Project) -> None:
    command = ["variant", "gray", "--project", str(project.folder)]
    result = CliRunner().invoke(root, [*command, "--benchmark", "two", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    assert (document["condition"], document["written"], len(document["images"])) == ("gray", 1, 1)
    faulty = CliRunner().invoke(root, command)
    assert faulty.exit_code == 1
    assert "problem: item away" in faulty.output
