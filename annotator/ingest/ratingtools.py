"""Ratings from the exports of other tools: Label Studio JSON, Potato JSONL and CSV. One list of (item, rater, value)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.errors import FileError, Problem
from annotator.ingest.sources import decode, read_source

Rating = tuple[str, str, str | None]
_ITEM_KEYS = ("item_id", "id", "image_id", "uid", "instance_id")
_RATER_KEYS = ("rater", "rater_id", "user", "user_id", "annotator")
_SEPARATOR = ":::"


def is_tool_export(path: Path) -> bool:
    """Whether the file looks like an export of Label Studio or Potato rather than a plain table of ratings."""
    head = read_source(path).data[:100_000].decode("utf-8-sig", "replace")
    if path.suffix.casefold() == ".csv":
        return _SEPARATOR in head.partition("\n")[0]
    return '"annotations"' in head or '"label_annotations"' in head


def read_tool_export(path: Path, question: str = "") -> tuple[Rating, ...]:
    """Ratings of a Label Studio JSON list, a Potato JSONL file, or a Potato CSV with `QUESTION:::ANSWER` columns.

    `question` chooses one of several questions by name (`from_name`, schema). Cancelled annotations are left out; a
    Potato file without a user takes its folder's name. Raises `FileError` naming the entry that cannot be read.
    """
    text = decode(read_source(path))
    if path.suffix.casefold() == ".csv":
        return tuple(_potato_csv(path, text, question))
    try:
        if text.lstrip().startswith("["):
            entries = list(enumerate(json.loads(text), 1))
        else:
            entries = [(n, json.loads(line)) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    except ValueError as error:
        raise FileError(f"{path.name} is not JSON: {error}; expected a Label Studio list or Potato lines") from error
    found: list[Rating] = []
    for number, entry in entries:
        try:
            reader = _label_studio if "annotations" in entry else _potato_line
            found.extend(reader(path, entry, question))
        except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
            fault = Problem(path.name, number, None, f"an entry without {error}", "the tool's own export")
            raise FileError(f"{path.name}: an entry cannot be read", [fault]) from error
    return tuple(found)


def _label_studio(_path: Path, task: Mapping[str, Any], question: str) -> Iterator[Rating]:
    item = _first(task.get("data", {}), _ITEM_KEYS) or str(task["id"])
    for annotation in task["annotations"]:
        if annotation.get("was_cancelled"):
            continue
        by = annotation.get("completed_by", "")
        rater = str(by.get("email") or by.get("id") or "") if isinstance(by, Mapping) else str(by)
        for result in annotation["result"]:
            if not question or result.get("from_name") == question:
                yield item, rater or "unnamed", _studio_value(result["value"])


def _studio_value(value: Mapping[str, Any]) -> str | None:
    for name in ("choices", "text", "taxonomy"):
        if name in value:
            given = value[name]
            return _plain(given[0] if isinstance(given, list) and given else given if given != [] else None)
    return _plain(value.get("rating", value.get("number")))


def _potato_line(path: Path, line: Mapping[str, Any], question: str) -> Iterator[Rating]:
    item = _first(line, ("id", "instance_id", *_ITEM_KEYS))
    if not item:
        raise KeyError("id")
    rater = _first(line, _RATER_KEYS) or path.parent.name
    schemas = line["label_annotations"]
    for name, answer in schemas.items():
        if question and name != question:
            continue
        yield item, rater, _potato_value(answer)
        return
    yield item, rater, None


def _potato_value(answer: Any) -> str | None:
    """A radio answer is {label: value}; a text box {name: text}; the chosen label carries the value or names it."""
    if not isinstance(answer, Mapping):
        return _plain(answer)
    if not answer:
        return None
    label, value = next(iter(answer.items()))
    return str(label) if value in (True, "true", "on", "") else _plain(value)


def _potato_csv(path: Path, text: str, question: str) -> Iterator[Rating]:
    reader = csv.DictReader(io.StringIO(text))
    columns: Sequence[str] = reader.fieldnames or ()
    answers = [c for c in columns if _SEPARATOR in c and (not question or c.partition(_SEPARATOR)[0] == question)]
    if not answers:
        raise FileError(
            f"{path.name}: found no column QUESTION{_SEPARATOR}ANSWER" + (f" for {question}" if question else "")
        )
    for row in reader:
        item = _first(row, ("instance_id", *_ITEM_KEYS))
        if not item:
            raise FileError(f"{path.name}, line {reader.line_num}: found no instance_id; expected the item's id")
        given = [(c, row[c]) for c in answers if (row[c] or "").strip()]
        value = None
        if given:
            column, cell = given[0]
            label = column.partition(_SEPARATOR)[2]
            value = label if cell.casefold() in ("true", "1", "on", label.casefold()) and label else cell
        yield item, _first(row, _RATER_KEYS) or path.parent.name, value


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((str(fields[name]).strip() for name in names if str(fields.get(name) or "").strip()), "")


def _plain(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
