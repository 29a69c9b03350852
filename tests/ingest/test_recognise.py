"""Runs of recognisers: resumed, parallel, failing, stopped; what they write equals an import of the same answers."""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotator.errors import EngineError, EngineRefusedError, UsageError
from annotator.ingest.items import import_items
from annotator.ingest.predictions import import_predictions
from annotator.ingest.recognise import recognise_items
from annotator.ingest.recogniseplan import RecogniseOptions
from annotator.runners.base import About, ConfidenceKind, Recognition, Sees
from annotator.runners.own import FunctionRecogniser
from annotator.store.detail import find_item, read_answers
from annotator.store.project import Project, open_project
from annotator.store.reading import read_runs
from annotator.store.recognise import read_failures

COUNT = 12


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Twelve items; item k is a picture k + 10 pixels wide, so that a recogniser can tell them apart."""
    folder = tmp_path / "set"
    folder.mkdir()
    rows = [["id", "gold", "image", "language", "box", "context"]]
    for k in range(COUNT):
        Image.new("RGB", (k + 10, 8), (k, 0, 0)).save(folder / f"{k}.png")
        rows.append([f"i{k}", f"w{k + 10}", f"{k}.png", "en" if k % 2 else "bn", "", "street"])
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    opened = open_project(tmp_path / "project", create=True)
    import_items(opened, folder / "items.csv")
    return opened


def reader(
    function: Callable[[Image.Image], str | Recognition], name: str = "own", sees: Sees = Sees.TARGET
) -> FunctionRecogniser:
    return FunctionRecogniser(name, function, sees=sees)


def width(image: Image.Image) -> Recognition:
    text = f"w{image.width}"
    return Recognition(text, char_confidence=(0.5, 0.25, None))


def stored(project: Project, system: str = "own") -> dict[str, str]:
    with project.read() as connection:
        rows = connection.execute(
            "SELECT id, predicted FROM prediction JOIN item USING (item_key) JOIN run USING (run_key) "
            "JOIN system USING (system_key) WHERE name = ? ORDER BY item_key",
            (system,),
        )
        return {row[0]: row[1] for row in rows}


@pytest.mark.parametrize("workers", [1, 4])
def test_every_item_is_read_once(project: Project, workers: int) -> None:
    told: list[tuple[int, int]] = []
    report = recognise_items(
        project, reader(width), RecogniseOptions(workers=workers), lambda done, total, _: told.append((done, total))
    )
    assert stored(project) == {f"i{k}": f"w{k + 10}" for k in range(COUNT)}
    assert (report.written, report.failed, report.left, report.already) == (COUNT, 0, 0, 0)
    assert told == [(k, COUNT) for k in range(1, COUNT + 1)]
    assert {answer.predicted for answer in report.first} <= set(stored(project).values())
    assert report.seconds_per_item is not None


def test_answers_are_stored_as_an_import_would(project: Project, tmp_path: Path) -> None:
    recognise_items(project, reader(width))
    lines = [
        f'{{"id": "i{k}", "predicted": "w{k + 10}", "char_confidence": [0.5, 0.25, null], "confidence": 0.375}}\n'
        for k in range(COUNT)
    ]
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    with project.read() as connection:
        item = find_item(connection, "i3")
        assert item is not None
        (answer,) = read_answers(connection, item.key)
    assert (answer.predicted, answer.confidence, answer.char_confidence) == ("w13", 0.375, (0.5, 0.25, None))
    assert answer.confidence_kind == "softmax"
    from annotator.ingest.options import ImportOptions

    report = import_predictions(project, file, ImportOptions(system="own"))
    assert (report.unchanged, report.written) == (COUNT, 0)


def test_a_second_run_has_nothing_to_do(project: Project) -> None:
    recognise_items(project, reader(width))
    revision = project.revision()
    report = recognise_items(project, reader(lambda image: pytest.fail("read again")))
    assert (report.written, report.already) == (0, COUNT)
    assert project.revision() == revision


def test_replace_reads_again(project: Project) -> None:
    recognise_items(project, reader(width))
    report = recognise_items(project, reader(lambda image: "new"), RecogniseOptions(replace=True))
    assert report.written == COUNT
    assert set(stored(project).values()) == {"new"}


def test_failures_are_kept_and_tried_again(project: Project) -> None:
    def even(image: Image.Image) -> str:
        if image.width % 2:
            raise EngineError(f"cannot read {image.width}")
        return f"w{image.width}"

    report = recognise_items(project, reader(even))
    assert (report.written, report.failed) == (COUNT // 2, COUNT // 2)
    assert report.failures[0].message == "cannot read 11"
    recognise_items(project, reader(even))
    with project.read() as connection:
        failures = read_failures(connection, "own", "default")
    assert [(failure.item_id, failure.tries) for failure in failures] == [(f"i{k}", 2) for k in range(1, COUNT, 2)]
    report = recognise_items(project, reader(width))
    assert (report.written, report.already) == (COUNT // 2, COUNT // 2)
    with project.read() as connection:
        assert read_failures(connection, "own", "default") == ()


def test_an_interrupted_run_keeps_what_it_has(project: Project) -> None:
    seen: list[int] = []

    def interrupted(done: int, total: int, seconds: float) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recognise_items(project, reader(lambda image: seen.append(1) or "x"), progress=interrupted)  # type: ignore[func-returns-value]
    assert len(stored(project)) == 5
    assert recognise_items(project, reader(lambda image: "y")).already == 5


def test_a_refusal_ends_the_run_before_anything_is_written(project: Project) -> None:
    calls: list[int] = []

    def refused(image: Image.Image) -> str:
        calls.append(1)
        raise EngineRefusedError("wrong key")

    with pytest.raises(EngineError, match="wrong key"):
        recognise_items(project, reader(refused))
    assert len(calls) <= 4
    assert stored(project) == {}


def test_many_failures_in_a_row_end_the_run(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.ingest.recognise.GIVE_UP", 3)

    def down_after_four(image: Image.Image) -> str:
        if image.width >= 14:
            raise EngineError("the endpoint is down")
        return "x"

    report = recognise_items(project, reader(down_after_four))
    assert report.written == 4
    assert report.stopped == "stopped after 3 failures in a row; the last: the endpoint is down"
    assert report.left == COUNT - 4 - report.failed
    assert report.left > 0


def test_broken_and_missing_pictures_are_counted(project: Project, tmp_path: Path) -> None:
    (tmp_path / "set" / "0.png").write_bytes(b"no image any more")
    (tmp_path / "set" / "1.png").unlink()
    report = recognise_items(project, reader(width))
    assert (report.written, report.failed, report.without_image) == (COUNT - 2, 1, 1)
    assert "0.png" in report.failures[0].message


def test_only_what_is_asked_for(project: Project) -> None:
    assert recognise_items(project, reader(width), RecogniseOptions(language="bn", limit=2)).written == 2
    assert list(stored(project)) == ["i0", "i2"]


class English(FunctionRecogniser):
    """Reads English alone."""

    def reads(self, language: str) -> bool:
        return language == "en"


def test_languages_that_it_cannot_write_stay_missing(project: Project) -> None:
    report = recognise_items(project, English("own", width))
    assert (report.written, report.not_read) == (COUNT // 2, COUNT // 2)


def test_pictures_of_a_condition_are_read_and_stored_under_it(project: Project) -> None:
    folder = project.folder / "conditions" / "gray"
    folder.mkdir(parents=True)
    Image.new("RGB", (99, 9)).save(folder / "i4.png")
    with pytest.raises(UsageError, match="annotator variant gray"):
        recognise_items(project, reader(width), RecogniseOptions(condition="gray"))
    with project.write() as connection:
        connection.execute(
            "INSERT INTO condition_image (item_key, condition, path, sha256, source_sha256) VALUES (5, 'gray', ?, '', '')",
            ("conditions/gray/i4.png",),
        )
    options = RecogniseOptions(condition="gray", stored_as="gray+P3", role="oracle")
    report = recognise_items(project, reader(width), options)
    assert (report.written, report.without_image, report.condition) == (1, COUNT - 1, "gray+P3")
    assert stored(project) == {"i4": "w99"}
    with project.read() as connection:
        (run,) = read_runs(connection)
    assert (run.condition, run.role) == ("gray+P3", "oracle")


def test_targets_are_cut_out_for_those_who_want_them(tmp_path: Path) -> None:
    folder = tmp_path / "scenes"
    folder.mkdir()
    Image.new("RGB", (100, 50)).save(folder / "a.png")
    (folder / "items.csv").write_text('id,gold,image,box\na,x,a.png,"10,10,30,20"\n', encoding="utf-8")
    project = open_project(tmp_path / "project", create=True)
    import_items(project, folder / "items.csv")
    recognise_items(project, reader(lambda image: f"{image.size}"))
    recognise_items(project, reader(lambda image: f"{image.size}", "whole", Sees.PICTURE))
    assert stored(project) == {"a": "(30, 20)"}
    assert stored(project, "whole") == {"a": "(100, 50)"}


def test_workers_run_side_by_side(project: Project) -> None:
    barrier = threading.Barrier(3, timeout=20)

    def together(image: Image.Image) -> str:
        barrier.wait()
        return "x"

    assert recognise_items(project, reader(together), RecogniseOptions(workers=3)).written == COUNT


def test_hidden_states_go_to_a_file_and_attention_to_columns(project: Project, tmp_path: Path) -> None:
    def deep(image: Image.Image) -> Recognition:
        states = {"encoder.1": np.full((2, 2), image.width, np.float32), "head": np.zeros(3, np.float32)}
        return Recognition("x", hidden=states, attention={"self_cross": 0.25})

    file = tmp_path / "states.npz"
    recognise_items(project, reader(deep), RecogniseOptions(limit=5, activations=file))
    recognise_items(project, reader(deep), RecogniseOptions(activations=file))
    with np.load(file) as found:
        assert sorted(found) == ["encoder.1", "head", "ids"]
        assert found["encoder.1"].shape == (COUNT, 4)
        widths = dict(zip(found["ids"].tolist(), found["encoder.1"][:, 0].tolist(), strict=True))
    assert widths == {f"i{k}": k + 10.0 for k in range(COUNT)}
    with project.read() as connection:
        item = find_item(connection, "i0")
        assert item is not None
        assert read_answers(connection, item.key)[0].extra == {"attention_self_cross": "0.25"}


def test_text_that_no_store_can_hold_is_mended(project: Project) -> None:
    recognise_items(project, reader(lambda image: "a\ud800b"), RecogniseOptions(limit=1))
    assert stored(project) == {"i0": "a\ufffdb"}


def test_a_recogniser_is_told_language_and_labels_but_never_gold(project: Project) -> None:
    told: list[About] = []

    class Curious(FunctionRecogniser):
        def recognise(self, image: Image.Image, about: About) -> Recognition:
            told.append(about)
            return Recognition("x")

    recognise_items(project, Curious("own", width, confidence_kind=ConfidenceKind.UNKNOWN), RecogniseOptions(limit=1))
    assert told == [About("i0", "bn", False, {"context": "street"})]
