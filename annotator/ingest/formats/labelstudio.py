"""Label Studio JSON exports: one item per transcribed region (or per task), predictions of models beside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from annotator.errors import Problem
from annotator.ingest.formats.brought import Brought, Kind, make_table
from annotator.ingest.jsonrows import kind_of, read_json_list
from annotator.ingest.sources import Source, decode
from annotator.ingest.tables import Cells, Table

_IMAGE_KEYS = ("image", "ocr", "captioning", "img", "url")


def looks_like(table: Table) -> bool:
    """Whether a JSON list is a Label Studio export: tasks with `data` and `annotations` or `predictions`."""
    columns = set(table.columns)
    return "data" in columns and bool(columns & {"annotations", "completions", "predictions"})


def read(source: Source, folder: Path, kind: Kind) -> Brought:
    """Read an export. The id is the task's, with `/region` where a task has several regions; boxes are in pixels.

    Items come from the first annotation that was not cancelled, predictions from `predictions` (`model_version` is the
    system). Tasks of another form are refused with their line.
    """
    return table_to_brought(read_json_list(source.name, decode(source), source.sha256), folder, kind)


def table_to_brought(table: Table, folder: Path, kind: Kind) -> Brought:
    """The same from a table that was read already."""
    problems = list(table.problems)
    lines, rows = [], list[Cells]()
    for line, cells in zip(table.lines, table.rows, strict=True):
        task = dict(zip(table.columns, cells, strict=True))
        try:
            found = list(_predictions(task) if kind is Kind.PREDICTIONS else _items(task))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            found_words = f"a task of another form ({type(error).__name__}: {error})"[:120]
            problems.append(Problem(table.file, line, None, found_words, "a task of a Label Studio export"))
            continue
        rows.extend(found)
        lines.extend([line] * len(found))
    columns = (
        ("id", "predicted", "system", "confidence") if kind is Kind.PREDICTIONS else ("id", "gold", "image", "box")
    )
    made = make_table(table.file, columns, rows, sha256=table.sha256, lines=lines, problems=problems)
    return Brought(made, folder)


def _items(task: dict[str, Any]) -> Iterator[Cells]:
    image = _image_of(task["data"])
    annotations = [each for each in _list(task, "annotations", "completions") if not each.get("was_cancelled")]
    regions = list(_regions(annotations[0].get("result", []))) if annotations else []
    for name, text, box in regions:
        yield _id(task, name, len(regions)), text, image, "" if box is None else ",".join(f"{n:g}" for n in box)


def _predictions(task: dict[str, Any]) -> Iterator[Cells]:
    for prediction in _list(task, "predictions"):
        regions = list(_regions(prediction.get("result", [])))
        score = prediction.get("score")
        confidence = score if isinstance(score, int | float) and 0 <= score <= 1 else None
        for name, text, _ in regions:
            system = str(prediction.get("model_version") or "label-studio")
            yield _id(task, name, len(regions)), text, system, confidence


def _list(task: dict[str, Any], *names: str) -> list[dict[str, Any]]:
    found: list[Any] = next((task[name] for name in names if isinstance(task.get(name), list)), [])
    if not all(isinstance(each, dict) for each in found):
        raise TypeError(f"{names[0]} holds {kind_of(found[0])}")
    return list(found)


def _id(task: dict[str, Any], region: str, count: int) -> str:
    base = task["id"]
    if isinstance(base, bool) or not isinstance(base, int | str):
        raise TypeError(f"id is {kind_of(base)}")
    return f"{base}/{region}" if count > 1 else str(base)


def _regions(result: list[dict[str, Any]]) -> Iterator[tuple[str, str, tuple[float, ...] | None]]:
    """(region id, text, box in pixels) of every transcription, in order."""
    for each in result:
        value = each.get("value", {})
        text = value.get("text")
        if text is None or each.get("type", "textarea") not in ("textarea", "text"):
            continue
        joined = text if isinstance(text, str) else " ".join(text)
        yield str(each.get("id", "")), joined, _pixels(each, value)


def _pixels(each: dict[str, Any], value: dict[str, Any]) -> tuple[float, ...] | None:
    """Label Studio keeps percentages of the original size."""
    sides = [value.get(name) for name in ("x", "y", "width", "height")]
    size = each.get("original_width"), each.get("original_height")
    if any(side is None for side in (*sides, *size)):
        return None
    x, y, width, height = (float(side) / 100 for side in sides if side is not None)
    across, down = (float(side) for side in size if side is not None)
    return x * across, y * down, width * across, height * down


def _image_of(data: dict[str, Any]) -> str:
    """The image's path as it can be found below a folder: upload and local-file addresses lose their server part."""
    value = next((data[key] for key in _IMAGE_KEYS if isinstance(data.get(key), str)), None)
    if value is None:
        value = next((text for text in data.values() if isinstance(text, str) and "." in text[-6:]), "")
    parts = urlsplit(value)
    local = parse_qs(parts.query).get("d")
    path = local[0] if local else unquote(parts.path)
    return path.removeprefix("/data/upload/").removeprefix("/data/local-files/").lstrip("/")
