"""Scoring of files without a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from annotator.errors import EngineError, FileError, UsageError
from annotator.exports import batch_score
from annotator.exports.batch_engines import BatchEngine, run_chunks
from annotator.exports.batch_rows import COLUMNS
from annotator.exports.batch_score import BatchOptions, score_files
from annotator.ingest.options import ImportOptions
from annotator.metrics.counts import score_pair
from annotator.text.align import align_texts, alignment_version

GOLDS = {"1": "ক্ষমতা", "2": "PARKING lot", "3": "  ", "4": "cafe\u0301", "5": "x"}
ROWS = [
    {"id": "1", "system": "a", "predicted": "খমতা"},
    {"id": "2", "system": "a", "predicted": "PARKINC lot"},
    {"id": "3", "system": "a", "predicted": "noise"},
    {"id": "4", "system": "a", "predicted": "café"},
    {"id": "2", "system": "b", "predicted": None},
    {"id": "4", "system": "b", "predicted": ""},
    {"id": "2", "system": "b", "condition": "gray", "predicted": "PARKING lot and more"},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write_files(tmp_path, ROWS)


def write_files(folder: Path, rows: list[dict[str, Any]]) -> tuple[Path, Path]:
    items, predictions = folder / "items.jsonl", folder / "predictions.jsonl"
    items.write_text("".join(json.dumps({"id": i, "gold": g}) + "\n" for i, g in GOLDS.items()), encoding="utf-8")
    predictions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return items, predictions


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_row_is_what_its_pair_scores(files: tuple[Path, Path], tmp_path: Path) -> None:
    report = score_files(*files, tmp_path / "out.jsonl")
    rows = read_rows(tmp_path / "out.jsonl")
    assert [(row["id"], row["system"], row["condition"]) for row in rows] == [
        (row["id"], row["system"], row.get("condition", "default")) for row in ROWS
    ]
    for row in rows:
        assert tuple(row) == COLUMNS
        if row["status"] == "ok":
            score, alignment = score_pair(row["gold"], row["predicted"]), align_texts(row["gold"], row["predicted"])
            assert row["cer"] == score.edits / score.gold_length
            assert row["one_minus_ned"] == score.one_minus_ned
            assert (row["exact"], row["str_accuracy"], row["charitable"]) == (
                score.exact,
                score.str_exact,
                score.charitable,
            )
            assert [(e["op"], e["gold_index"], e["predicted_index"]) for e in row["edits"]] == [
                (edit.op, edit.gold_index, edit.predicted_index) for edit in alignment.edits
            ]
    assert [row["status"] for row in rows] == ["ok", "ok", "without_gold", "ok", "missing", "ok", "ok"]
    assert (report.counts.n, report.missing, report.counts.without_gold, report.absent) == (5, 1, 1, 8)
    assert all((row["cer"] is None) == (row["why"] is not None) for row in rows)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_processes_give_the_same_bytes(
    files: tuple[Path, Path], tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_score, "CHUNK", 2)
    outs = [tmp_path / f"{workers}.{form}" for workers in (1, 2)]
    for workers, out in enumerate(outs, 1):
        score_files(*files, out, BatchOptions(workers=workers))
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert not list(tmp_path.glob("*.parts"))


def test_parquet_holds_what_jsonl_holds(files: tuple[Path, Path], tmp_path: Path) -> None:
    for form in ("jsonl", "parquet"):
        score_files(*files, tmp_path / f"out.{form}", BatchOptions(profile="full"))
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == read_rows(tmp_path / "out.jsonl")


class Stopped(Exception):  # noqa: N818
    """What ends a run in the middle."""


def test_a_stopped_run_goes_on(files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_score, "CHUNK", 2)
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    score_files(*files, whole)

    def stop(what: str, done: int, total: int) -> None:
        if done >= 4:
            raise Stopped

    with pytest.raises(Stopped):
        score_files(*files, out, progress=stop)
    assert not out.exists()
    assert score_files(*files, out).resumed == 4
    assert out.read_bytes() == whole.read_bytes()


def test_parts_of_other_options_are_not_used(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_score, "CHUNK", 2)

    def stop(what: str, done: int, total: int) -> None:
        raise Stopped

    out = tmp_path / "out.jsonl"
    with pytest.raises(Stopped):
        score_files(*files, out, progress=stop)
    report = score_files(*files, out, BatchOptions(profile="full"))
    assert report.resumed == 0
    assert read_rows(out)[1]["gold_length"] == 10


def test_unknown_ids_are_left_out_and_named(tmp_path: Path) -> None:
    files = write_files(tmp_path, [*ROWS, {"id": "99", "system": "a", "predicted": "x"}])
    report = score_files(*files, tmp_path / "out.jsonl")
    assert (report.read, report.written, report.extra) == (8, 7, 1)
    assert [(problem.line, problem.found) for problem in report.problems] == [(8, "'99'")]


def test_no_known_id_is_refused(tmp_path: Path) -> None:
    files = write_files(tmp_path, [{"id": "99", "system": "a", "predicted": "x"}])
    with pytest.raises(FileError, match="no id of the file"):
        score_files(*files, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_own_gold(tmp_path: Path) -> None:
    rows = [
        {"id": "5", "system": "a", "predicted": "y", "gold": "y"},
        {"id": "4", "system": "a", "predicted": "c", "gold": ""},
    ]
    files = write_files(tmp_path, rows)
    score_files(*files, tmp_path / "out.jsonl", BatchOptions(own_gold=True))
    assert [row["gold"] for row in read_rows(tmp_path / "out.jsonl")] == ["y", GOLDS["4"]]
    score_files(*files, tmp_path / "out.jsonl")
    assert read_rows(tmp_path / "out.jsonl")[0]["gold"] == "x"


def test_the_report_lies_beside_the_rows(files: tuple[Path, Path], tmp_path: Path) -> None:
    report = score_files(*files, tmp_path / "out.jsonl")
    meta = json.loads((tmp_path / "out.jsonl.meta.json").read_text(encoding="utf-8"))
    assert {name: meta[name] for name in report.document()} == report.document()
    assert meta["alignment_version"] == alignment_version()


@pytest.mark.parametrize("out", ["out.csv", "out"])
def test_other_endings_are_refused(files: tuple[Path, Path], tmp_path: Path, out: str) -> None:
    with pytest.raises(UsageError, match=r"expected \.jsonl or \.parquet"):
        score_files(*files, tmp_path / out)


def test_a_place_that_cannot_be_written(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        score_files(*files, tmp_path / "file" / "out.jsonl")


def test_nothing_to_score(tmp_path: Path) -> None:
    files = write_files(tmp_path, [{"id": "2", "system": "a", "predicted": None}])
    report = score_files(*files, tmp_path / "out.jsonl", BatchOptions(reading=ImportOptions()))
    assert report.document()["cer"] is None
    assert report.document()["why"]


def test_a_scheduler_needs_its_engine() -> None:
    with pytest.raises(UsageError, match="--engine dask"):
        list(run_chunks([], scheduler="tcp://127.0.0.1:1"))


def test_dask_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(EngineError, match="pip install distributed"):
        list(run_chunks([], engine=BatchEngine.DASK))


@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_gives_the_same_bytes(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")
    monkeypatch.setattr(batch_score, "CHUNK", 2)
    local, far = tmp_path / "local.jsonl", tmp_path / "far.jsonl"
    score_files(*files, local)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp://", host="127.0.0.1"
    ) as cluster:
        options = BatchOptions(engine=BatchEngine.DASK, scheduler=cluster.scheduler_address)
        score_files(*files, far, options)
    assert far.read_bytes() == local.read_bytes()
